/**
 * Passive mode on live traffic: we relay between a counterparty and its peer, and evaluate the traffic like a log in
 * passive.ts. We send nothing of our own and change nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Conversation, tapped } from './conversation.ts';
import { listenToFixp } from './fixp-listener.ts';
import type { Interview, Selected } from './interview.ts';
import { judgeLog, type Logged, type PassiveResult, type Sighting } from './passive.ts';
import type { TestPort } from './port.ts';
import { type Incoming, listenToFix, type ReceivedMessage } from './received-message.ts';

export interface LiveOptions {
  readonly interview: Interview;
  readonly selected: readonly Selected[];
  /** The port to which the client connects. */
  readonly port: TestPort;
  /** The address of the server. */
  readonly to: { readonly host: string; readonly port: number };
  /** Called once for each scenario, when it has been demonstrated. */
  readonly shown: (sighting: Sighting) => void;
  readonly signal: AbortSignal;
}

/** Older messages are dropped, even if a demonstration may have started with them. */
const maxMessages = 20_000;
const judgedEveryMs = 500;
const waitMs = 3_600_000;

export class LiveTraffic {
  readonly #options: LiveOptions;
  readonly #log: Logged[] = [];
  readonly #shown = new Set<string>();
  readonly #open = new Set<Conversation>();
  #count = 0;
  #judged = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  /** Resolves when the signal stops it. */
  async run(): Promise<PassiveResult> {
    const { interview, port, signal } = this.#options;
    const { framing, protocol } = interview;
    const listen = protocol === 'fixp' ? listenToFixp(framing) : listenToFix;
    const judging = this.#judgeNowAndThen();
    while (!signal.aborted) {
      const socket = await port.next(waitMs, signal);
      if (socket === undefined) continue;
      const conversation = tapped(socket, { ...this.#options.to, listen });
      this.#open.add(conversation);
      conversation.inbox.watch((incoming) => this.#received(incoming, conversation));
      socket.resume();
    }
    for (const conversation of this.#open) conversation.cut();
    await judging;
    return this.#judge();
  }

  #received(incoming: Incoming, conversation: Conversation): void {
    if (incoming.kind === 'closed') this.#open.delete(conversation);
    if (incoming.kind === 'message') this.#note(incoming.from, incoming.message);
    // Nothing reads this inbox.
    queueMicrotask(() => conversation.inbox.clear());
  }

  /** The client is on the side that connected to us. */
  #note(from: 'peer' | 'bridge', message: ReceivedMessage): void {
    const isPeer = (from === 'peer') === (this.#options.interview.direction === 'acceptor');
    this.#count += 1;
    this.#log.push({ line: this.#count, isPeer, message });
    if (this.#log.length > maxMessages) this.#log.splice(0, maxMessages / 2);
  }

  async #judgeNowAndThen(): Promise<void> {
    while (!this.#options.signal.aborted) {
      await pause(judgedEveryMs);
      if (this.#judged !== this.#count) this.#judge();
      this.#judged = this.#count;
    }
  }

  #judge(): PassiveResult {
    const { selected, interview, shown } = this.#options;
    const result = judgeLog(this.#log, selected, interview);
    for (const sighting of result.sightings) {
      if (sighting.lines.length === 0 || this.#shown.has(sighting.id)) continue;
      this.#shown.add(sighting.id);
      shown(sighting);
    }
    return { ...result, messages: this.#count };
  }
}
