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
import { listenToFix, type ReceivedMessage } from './received-message.ts';

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

/** Resolves when the signal stops it. */
export async function judgeTraffic(options: LiveOptions): Promise<PassiveResult> {
  const { interview, port, selected, shown, signal, to } = options;
  const log: Logged[] = [];
  const reported = new Set<string>();
  const open = new Set<Conversation>();
  let count = 0;
  /** The client is on the side that connected to us. */
  const note = (from: 'peer' | 'bridge', message: ReceivedMessage) => {
    const isPeer = (from === 'peer') === (interview.direction === 'acceptor');
    count += 1;
    log.push({ line: count, isPeer, message });
    if (log.length > maxMessages) log.splice(0, maxMessages / 2);
  };
  const judge = (): PassiveResult => {
    const result = judgeLog(log, selected, interview);
    for (const sighting of result.sightings) {
      if (sighting.lines.length === 0 || reported.has(sighting.id)) continue;
      reported.add(sighting.id);
      shown(sighting);
    }
    return { ...result, messages: count };
  };
  const judgeNowAndThen = async () => {
    for (let judged = 0; !signal.aborted; judged = count) {
      await pause(judgedEveryMs);
      if (judged !== count) judge();
    }
  };
  const listen = interview.protocol === 'fixp' ? listenToFixp(interview.framing) : listenToFix;
  const judging = judgeNowAndThen();
  while (!signal.aborted) {
    const socket = await port.next(waitMs, signal);
    if (socket === undefined) continue;
    const conversation = tapped(socket, { ...to, listen });
    open.add(conversation);
    conversation.inbox.watch((incoming) => {
      if (incoming.kind === 'closed') open.delete(conversation);
      if (incoming.kind === 'message') note(incoming.from, incoming.message);
      // Nothing reads this inbox.
      queueMicrotask(() => conversation.inbox.clear());
    });
    socket.resume();
  }
  for (const conversation of open) conversation.cut();
  await judging;
  return judge();
}
