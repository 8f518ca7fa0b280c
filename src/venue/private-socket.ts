/**
 * One connection of the private execution stream (contract G36, G42; R70, R71): token, authentication, subscription,
 * heartbeat, and renewal of the token before it expires. It reports what arrived and when it closed. The execution
 * stream orders the events and reconnects.
 */
import { WebSocket } from 'ws';
import type { Account } from '../domain/units.ts';
import type { Clock } from '../runtime/clock.ts';
import { compilePointers, type Reads } from './json-pointer.ts';
import { realNetwork, type VenueNetwork } from './network.ts';
import type { Profile } from './profile.ts';
import type { Token, VenueReads } from './venue-reads.ts';

export interface PrivateSocketParts {
  readonly url: string;
  readonly profile: Profile;
  readonly reads: Pick<VenueReads, 'wsToken'>;
  readonly clock: Clock;
  readonly network?: VenueNetwork;
  readonly account: Account;
}

export interface PrivateSocketEvents {
  /** Authenticated and subscribed: live events follow. */
  subscribed(): void;
  /** The frame's event or list of events, as received. */
  event(value: unknown): void;
  /** An error frame; `number` is null if it has none. */
  error(number: number | null, message: string): void;
  /** The contract does not define this frame. */
  strange(problem: string): void;
  /** Authentication or subscription was not answered as the profile requires, so no event will arrive. */
  unanswered(problem: string): void;
  closed(reason: string): void;
}

const shortestRenewalMs = 1000;

export class PrivateSocket {
  readonly #parts: PrivateSocketParts;
  readonly #events: PrivateSocketEvents;
  readonly #at: Reads<'kind' | 'eventPointer' | 'errorCode' | 'errorMessage'>;
  readonly #fromSeq: number;
  readonly #timers = new Map<string, () => void>();
  #socket: WebSocket | null = null;
  #isSubscribing = false;
  #isSubscribed = false;
  #isPaused = false;
  #isOver = false;
  #receivedMs = 0;

  /** `fromSeq` is inclusive. */
  constructor(parts: PrivateSocketParts, fromSeq: number, events: PrivateSocketEvents) {
    const { kind, eventPointer, errorCode, errorMessage } = parts.profile.ws.private.incoming;
    this.#parts = parts;
    this.#events = events;
    this.#fromSeq = fromSeq;
    this.#at = compilePointers({ kind, eventPointer, errorCode, errorMessage });
  }

  async open(): Promise<void> {
    const { account, clock, network = realNetwork, profile, reads, url } = this.#parts;
    const { maxFrameBytes } = profile.ws.private;
    let token: Token;
    try {
      token = await reads.wsToken(account);
    } catch (error) {
      this.close(`no token: ${(error as Error).message}`);
      return;
    }
    if (this.#isOver) return;
    const socket = network.webSocket(url, {
      maxPayload: maxFrameBytes,
      handshakeTimeout: profile.http.timeoutMs,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.#socket = socket;
    socket.on('open', () => {
      this.#authenticate(token);
      this.#receivedMs = clock.now().monoMs;
      this.#watchSilence();
    });
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#strange('a binary frame');
      else this.#received(data.toString('utf8'));
    });
    socket.on('error', (error) => this.close(error.message));
    socket.on('close', (code, reason) => this.close(`closed with ${code} ${reason}`.trim()));
  }

  /** Stops reading while the consumer is behind, so that the venue's buffer fills and not ours. */
  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#socket?.resume();
  }

  close(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#socket?.terminate();
    this.#events.closed(reason);
  }

  #authenticate({ token, expiresAtMs }: Token): void {
    const { clock, profile } = this.#parts;
    this.#send(profile.ws.private.auth, { token });
    // Our clock may be behind the venue's.
    const { monoMs, wallMs } = clock.now();
    const leftMs = Math.min(profile.ws.token.ttlMs, (expiresAtMs ?? Infinity) - wallMs);
    this.#renewBefore(monoMs + leftMs);
  }

  /** Until the token expires, the events go on, so a renewal that fails is tried again. */
  #renewBefore(expiryMs: number): void {
    const { account, clock, reads } = this.#parts;
    const afterMs = Math.trunc((expiryMs - clock.now().monoMs) * 0.7);
    const failed = (error: Error) => {
      if (clock.now().monoMs + shortestRenewalMs < expiryMs) this.#renewBefore(expiryMs);
      else this.close(`the token cannot be renewed: ${error.message}`);
    };
    this.#timer('renewal', Math.max(shortestRenewalMs, afterMs), () => {
      reads.wsToken(account).then((token) => {
        if (!this.#isOver) this.#authenticate(token);
      }, failed);
    });
  }

  /** Checks the deadline only when it may have passed, because one timer per frame costs more than the frame. */
  #watchSilence(): void {
    const { clock, profile } = this.#parts;
    const { silenceMs } = profile.ws.private;
    const leftMs = this.#receivedMs + silenceMs - clock.now().monoMs;
    if (leftMs > 0) {
      this.#timer('silence', leftMs, () => this.#watchSilence());
      return;
    }
    const problem = `nothing came for ${silenceMs} ms`;
    if (!this.#isSubscribed) this.#strange(`missing: ${problem}`);
    this.close(problem);
  }

  #received(text: string): void {
    if (this.#isOver) return;
    const { account, clock, profile } = this.#parts;
    const { incoming, pingMs } = profile.ws.private;
    this.#receivedMs = clock.now().monoMs;
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch (error) {
      this.#strange(`broken JSON: ${(error as Error).message}`);
      return;
    }
    const kind = this.#at.kind(frame);
    if (kind === incoming.event) {
      this.#events.event(this.#at.eventPointer(frame));
    } else if (kind === incoming.authenticated) {
      if (this.#isSubscribing) return;
      this.#isSubscribing = true;
      this.#send(profile.ws.private.subscribe, { account, fromSeq: this.#fromSeq });
    } else if (kind === incoming.subscribed) {
      this.#isSubscribed = true;
      this.#ping(pingMs);
      this.#events.subscribed();
    } else if (kind === incoming.error) {
      const number = this.#at.errorCode(frame);
      const message = this.#at.errorMessage(frame);
      const words = typeof message === 'string' ? message.slice(0, 256) : 'without words';
      if (!this.#isSubscribed) this.#strange(`an error: ${words}`);
      this.#events.error(typeof number === 'number' ? number : null, words);
    } else if (kind !== incoming.pong) {
      this.#strange(`a frame of kind ${JSON.stringify(kind)?.slice(0, 40)}`);
    }
  }

  #strange(problem: string): void {
    if (this.#isSubscribed) this.#events.strange(problem);
    else {
      const asked = this.#isSubscribing ? 'the subscription' : 'the authentication';
      this.#events.unanswered(`the answer to ${asked} is ${problem}`);
    }
  }

  #ping(everyMs: number): void {
    this.#timer('ping', everyMs, () => {
      this.#send(this.#parts.profile.ws.private.ping, {});
      this.#ping(everyMs);
    });
  }

  #send(template: Readonly<Record<string, unknown>>, values: Record<string, unknown>): void {
    const frame = Object.fromEntries(
      Object.entries(template).map(([name, value]) => {
        const variable = typeof value === 'string' ? value.match(/^\{(\w+)\}$/)?.[1] : undefined;
        return [name, variable === undefined ? value : values[variable]];
      }),
    );
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #timer(name: string, afterMs: number, callback: () => void): void {
    this.#timers.get(name)?.();
    if (this.#isOver) return;
    const { clock } = this.#parts;
    this.#timers.set(name, clock.at(clock.now().monoMs + afterMs, callback));
  }
}
