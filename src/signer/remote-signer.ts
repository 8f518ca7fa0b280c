/**
 * A signer in another process, as the bridge uses it. Requests that queued while frames were under way
 * go out together. When the signer dies the link is opened again and the same requests are asked again: the same digest
 * gives the same bytes. A request that is not signed in time is refused as unavailable, and was never handed to anyone.
 */
import type { Account } from '../domain/units.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { Deadlines } from '../runtime/deadlines.ts';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';
import { SpinBriefly } from '../runtime/spin-briefly.ts';
import type { LedgerAnchors } from './ledger-anchors.ts';
import { refusal, type Signer, type SignRequest, type SignResult } from './signer.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import {
  FrameError,
  type HelloAnswer,
  helloFrame,
  maxFrameBytes,
  maxRequestsInFrame,
  readAnswer,
  recallFrame,
  signFrame,
} from './signer-frame.ts';
import type { LinkEvents, SignerLink } from './signer-link.ts';
import type { SigningContract } from './signing-contract.ts';

export interface RemoteSignerOptions {
  readonly contract: SigningContract;
  readonly clock: Clock;
  readonly link: SignerLink;
  readonly report: RaiseSignerAlarm;
  readonly deadlineMs?: number;
  /** The bridge's record of the signer's ledger; a signer whose ledger does not fit is not used. */
  readonly anchors: LedgerAnchors;
  /** The deadline of the first response, during which the keystores are opened. */
  readonly startMs?: number;
}

interface Asked {
  readonly request: SignRequest;
  /** Responds to the caller, once. */
  readonly settle: (result: SignResult) => void;
  isSettled: boolean;
  /** How often it was handed over: after the first time, the signer may have recorded it. */
  timesAsked: number;
}

/** Two frames keep the signer busy while the response to one is in transit. */
const framesUnderWay = 2;
const mostQueued = 4096;
const reopen = { firstMs: 20, maxMs: 500 };
/** A connection and its greeting may take so long; a signer that hangs takes for ever, and another one may not. */
const greetMs = 2000;
/** Two services that start together need no alarm; a longer wait at the start must be explained. */
const quietMs = 3000;

export class RemoteSigner implements Signer {
  keys: ReadonlyMap<Account, Account> = new Map();
  readonly #options: RemoteSignerOptions;
  readonly #deadlineMs: number;
  /** Sent at each greeting, because another process of the signer has forgotten them. */
  readonly #recalls = new Map<Account, Uint8Array>();
  readonly #frames = new ShortLivedMap<number, readonly Asked[]>();
  #queue: Asked[] = [];
  /** All unanswered requests. */
  readonly #deadlines: Deadlines;
  #state: 'down' | 'greeting' | 'ready' | 'closed' = 'down';
  #lastId = 0;
  readonly #warm = new SpinBriefly();
  #opening = 0;
  #attempts = 0;
  #isFlushDue = false;
  #cancelReopen: (() => void) | undefined;
  #cancelGreeting = () => {};
  #onReady: (() => void) | undefined;
  #lastReason = '';
  /** An alarm has been raised that the signer is away. */
  #isReported = false;

  /** Resolves at the first hello of the signer. */
  static async open(options: RemoteSignerOptions): Promise<RemoteSigner> {
    const signer = new RemoteSigner(options);
    const { clock, startMs = 30_000 } = options;
    const beganMs = clock.now().monoMs;
    const cancelAlarm = clock.at(beganMs + quietMs, () => {
      signer.#reportAway(`signer is not there yet: ${signer.#lastReason}`);
    });
    const isReady = await new Promise<boolean>((resolve) => {
      const cancel = clock.at(beganMs + startMs, () => resolve(false));
      signer.#onReady = () => {
        cancel();
        resolve(true);
      };
      signer.#openLink();
    });
    cancelAlarm();
    if (isReady) return signer;
    await signer.close();
    throw new Error(`the signer did not answer within ${startMs} ms: ${signer.#lastReason}`);
  }

  private constructor(options: RemoteSignerOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? 500;
    this.#deadlines = new Deadlines(options.clock);
  }

  get away(): string | undefined {
    const isAway = this.#state === 'down' || this.#state === 'greeting';
    return isAway ? this.#lastReason : undefined;
  }

  sign(request: SignRequest): Promise<SignResult> {
    if (this.#state === 'closed') {
      return Promise.resolve(refusal('unavailable', 'the signer is closed'));
    }
    if (this.#deadlines.open >= mostQueued) {
      return Promise.resolve(refusal('unavailable', `${mostQueued} actions wait for the signer`));
    }
    return new Promise((resolve) => {
      const dueMs = this.#options.clock.now().monoMs + this.#deadlineMs;
      const settle = (result: SignResult) => {
        if (asked.isSettled) return;
        asked.isSettled = true;
        this.#deadlines.delete(deadline);
        resolve(result);
      };
      const asked: Asked = { request, settle, isSettled: false, timesAsked: 0 };
      const deadline = this.#deadlines.add({ dueMs, giveUp: () => this.#giveUp(asked) });
      this.#queue.push(asked);
      if (this.#isFlushDue) return;
      this.#isFlushDue = true;
      queueMicrotask(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    });
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#cancelReopen?.();
    this.#cancelGreeting();
    await this.#options.link.close();
    this.#options.anchors.write();
    for (const { settle, timesAsked } of [...this.#queue, ...[...this.#frames.values()].flat()]) {
      settle(refusal(timesAsked > 0 ? 'unanswered' : 'unavailable', 'the signer is closed'));
    }
    this.#deadlines.close();
    this.#queue = [];
    this.#frames.clear();
  }

  recall(account: Account, floor: number, digests: ReadonlyMap<number, string>): void {
    const frame = recallFrame(account, floor, digests);
    this.#recalls.set(account, frame);
    if (this.#state === 'ready') this.#options.link.send(frame);
  }

  #openLink(): void {
    this.#opening += 1;
    const opening = this.#opening;
    // Anything that arrives on an abandoned connection is ignored.
    const isCurrent = () => opening === this.#opening && this.#state !== 'closed';
    const { anchors, clock, link } = this.#options;
    this.#cancelGreeting = clock.at(clock.now().monoMs + greetMs, () => {
      if (isCurrent()) this.#wentDown(`no greeting within ${greetMs} ms`);
    });
    const events: LinkEvents = {
      up: () => {
        if (!isCurrent()) return;
        this.#state = 'greeting';
        link.send(helloFrame(0, anchors.last));
      },
      frame: (body) => {
        if (isCurrent()) this.#received(body);
      },
      down: (reason) => {
        if (isCurrent()) this.#wentDown(reason);
      },
    };
    try {
      link.open(events);
    } catch (error) {
      // A certificate is read for each connection, and may have been replaced by one that cannot be used.
      const { message } = error as Error;
      if (message !== this.#lastReason) this.#reportAway(message);
      this.#wentDown(message);
    }
  }

  #received(body: Uint8Array): void {
    try {
      const answer = readAnswer(body, (id, index) => this.#schemeOf(id, index));
      if (answer.kind === 'hello') {
        this.#greeted(answer);
        return;
      }
      this.#options.anchors.keep(answer.anchor);
      const asked = this.#frames.get(answer.id) ?? [];
      if (answer.results.length !== asked.length)
        throw new FrameError('an answer to nothing asked');
      this.#frames.delete(answer.id);
      for (const [index, each] of asked.entries()) {
        const result = answer.results[index];
        if (result === undefined) continue;
        // The signer that was asked first may have recorded what this one refuses.
        const isDoubtful = result.kind === 'refused' && each.timesAsked > 1;
        each.settle(isDoubtful ? refusal('unanswered', result.text) : result);
      }
      if (this.#frames.size === 0) this.#warm.rest();
      this.#flush();
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#wentDown(`the signer broke the protocol: ${error.message}`);
    }
  }

  #schemeOf(id: number, index: number): string {
    const request = this.#frames.get(id)?.[index]?.request;
    if (request === undefined) throw new FrameError('an answer to nothing asked');
    return this.#options.contract.signing.schemes[request.scheme];
  }

  #greeted({ anchor, chain, keys }: HelloAnswer): void {
    const problem = this.#options.anchors.problem(anchor, chain);
    if (problem !== undefined) throw new FrameError(problem);
    this.#options.anchors.keep(anchor);
    for (const frame of this.#recalls.values()) this.#options.link.send(frame);
    this.#state = 'ready';
    this.#cancelGreeting();
    this.#attempts = 0;
    this.keys = keys;
    if (this.#isReported) this.#options.report('signer responds again', 'signer_back');
    this.#isReported = false;
    this.#onReady?.();
    this.#onReady = undefined;
    // Asked again in their order, before anything newer.
    const again = [...this.#frames.values()].flat().filter(({ isSettled }) => !isSettled);
    this.#frames.clear();
    this.#queue.unshift(...again);
    this.#flush();
  }

  #wentDown(reason: string): void {
    if (this.#state === 'closed') return;
    // A signer that is refused at each greeting for the same reason is one alarm.
    const isKnown = this.#state === 'greeting' && reason === this.#lastReason;
    if (this.#state !== 'down' && !isKnown) this.#reportAway(`signer is gone: ${reason}`);
    this.#lastReason = reason;
    this.#cancelGreeting();
    this.#state = 'down';
    this.#opening += 1;
    this.#attempts += 1;
    const waitMs = backoffMs(reopen, this.#attempts);
    const { clock, link } = this.#options;
    // Two signers on one ledger would fence each other, so the old one ends first.
    void link.close().then(() => {
      if (this.#state !== 'down') return;
      this.#cancelReopen = clock.at(clock.now().monoMs + waitMs, () => this.#openLink());
    });
  }

  #reportAway(text: string): void {
    this.#isReported = true;
    this.#options.report(text, 'signer_away');
  }

  #flush(): void {
    while (
      this.#state === 'ready' &&
      this.#queue.length > 0 &&
      this.#frames.size < framesUnderWay
    ) {
      const asked = this.#nextFrame();
      if (asked.length === 0) continue;
      this.#lastId = (this.#lastId % 0xffff_ffff) + 1;
      this.#frames.set(this.#lastId, asked);
      this.#warm.keep();
      for (const each of asked) each.timesAsked += 1;
      const requests = asked.map(({ request }) => request);
      this.#options.link.send(signFrame(this.#lastId, requests));
    }
  }

  /** As many of the oldest as fit into a frame, without those that have waited too long. */
  #nextFrame(): Asked[] {
    const asked: Asked[] = [];
    let size = 64;
    let taken = 0;
    for (const each of this.#queue) {
      size += each.request.canonical.length + 64;
      if (asked.length === maxRequestsInFrame || (asked.length > 0 && size > maxFrameBytes)) break;
      taken += 1;
      if (!each.isSettled) asked.push(each);
    }
    this.#queue.splice(0, taken);
    return asked;
  }

  #giveUp({ settle, timesAsked }: Asked): void {
    const text = `the signer did not answer within ${this.#deadlineMs} ms`;
    settle(refusal(timesAsked > 0 ? 'unanswered' : 'unavailable', text));
    // A signer that is connected and silent hangs: another connection may not.
    if (this.#state === 'ready') this.#wentDown(text);
  }
}
