/**
 * The way from the simulated bridge to the venue's front door and back, and all that goes wrong on it and behind it, by
 * the seed: requests and answers that are lost, late, or take each other's place, a stream that falls silent, a venue
 * whose clock is wrong. What the venue itself must do wrong, its own fault switches do.
 */
import type { ManualClock } from '../../src/runtime/clock.ts';
import { AnswerSwap } from '../../src/sandbox/answer-swap.ts';
import type { EmbeddedVenue } from '../../src/sandbox/embedded-venue.ts';
import { faultRuleSchema } from '../../src/sandbox/faults.ts';
import type { VenueResponse } from '../../src/sandbox/http-message.ts';
import type { HttpRequest } from '../../src/venue/http-client.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import type { Exchange } from '../../src/venue/verdict.ts';
import { pairs } from './dispatched.ts';

/** Of a hundred actions so many meet each fate. */
const usualFaults = {
  unsent: 3,
  lost: 3,
  /** Applied long after everybody has given up on them. */
  late: 3,
  unanswered: 4,
  slow: 2,
  /** Two of them get each other's answer. */
  swapped: 1,
  /** A broken connection is noticed within this time. */
  noticedMs: 200,
  oneWayMs: 20,
};
const fates = ['unsent', 'lost', 'late', 'unanswered', 'slow', 'swapped'] as const;
type Fate = (typeof fates)[number] | 'usual';

/** After that nobody waits for an answer any more. */
const answerTimeoutMs = 2_000;

export class VenueRoad {
  readonly faults = { ...usualFaults };
  /** On average after so many disturbances that are asked for, each. */
  outageEvery = 1_000;
  stallEvery = 1_000;
  clockJumpEvery = 1_000;
  outages = 0;
  readonly #venue: EmbeddedVenue;
  readonly #clock: ManualClock;
  readonly #below: (bound: number) => number;
  readonly #swap = new AnswerSwap();
  #stalledUntilMs = 0;

  constructor(venue: EmbeddedVenue, clock: ManualClock, below: (bound: number) => number) {
    this.#venue = venue;
    this.#clock = clock;
    this.#below = below;
  }

  /** The stream is silent, though its socket is open. */
  get isStalled(): boolean {
    return this.#clock.now().monoMs < this.#stalledUntilMs;
  }

  disturb(): void {
    if (this.#below(this.outageEvery) === 0) this.#outage();
    if (this.#below(this.stallEvery) === 0) this.#stall();
    if (this.#below(this.clockJumpEvery) === 0) this.#jumpVenueClock();
  }

  /** The bridge's own clock is stepped while the venue's time goes on. */
  stepBridgeClock(): void {
    const { clock } = this.#venue.state;
    const byMs = this.#below(400_000) - 200_000;
    this.#clock.stepWall(byMs);
    clock.setError({ offsetMs: clock.error.offsetMs - byMs });
  }

  /** All that waits comes now, and from now on nothing is late, time is right and the stream speaks. */
  release(): void {
    this.faults.late = 0;
    this.#venue.state.clock.setError({ offsetMs: 0, driftPpm: 0 });
    this.#venue.ingress.releaseHeld();
    this.#swap.release();
    this.#stalledUntilMs = 0;
  }

  /** Each way takes a while, and each may lose what it carries. */
  async exchange(request: HttpRequest, isAlive: () => boolean): Promise<Exchange> {
    const isWrite =
      request.target.includes('/trading/actions') && !request.target.endsWith('/hash');
    const { oneWayMs } = this.faults;
    const fate = isWrite ? this.#fate() : 'usual';
    if (fate === 'unsent') return { kind: 'unsent', problem: 'no connection' };
    await this.#later(this.#below(oneWayMs));
    if (fate === 'lost') return this.#broken(isAlive);
    if (fate === 'late') this.#holdNext();
    if (fate === 'swapped') this.#arm({ kind: 'swap' });
    const response = this.#venue.ingress.handle(this.#signed(request));
    await this.#later(this.#below(oneWayMs));
    if (fate === 'unanswered' || fate === 'late') return this.#broken(isAlive);
    const answer = await this.#answer(response, fate === 'slow' ? this.#someTimeMs(5) : 0);
    if (answer === undefined || !isAlive()) return this.#broken(isAlive);
    const { status, headers, body } = answer;
    return { kind: 'response', status, headers: lower(headers), body };
  }

  #fate(): Fate {
    let dice = this.#below(100);
    for (const fate of fates) {
      if (dice < this.faults[fate]) return fate;
      dice -= this.faults[fate];
    }
    return 'usual';
  }

  /** The next request is applied long after, and in half of the cases nothing else can be applied in its place. */
  #holdNext(): void {
    const delayMs = this.#someTimeMs(7);
    this.#arm({ kind: 'hold_cut', delayMs, claimsNonce: this.#below(2) === 0 });
  }

  /** The next request of the venue is hit. */
  #arm(rule: object): void {
    this.#venue.state.faults.arm(faultRuleSchema.parse(rule));
  }

  #signed(request: HttpRequest) {
    const { method, target, body = '' } = request;
    const [facts] = this.#venue.accounts;
    if (facts === undefined) throw new Error('the venue has no account');
    const { apiKey: key, apiSecret: secret, passphrase } = facts;
    const { http } = this.#venue.state.profile.auth;
    const auth = new RequestAuth(http, { key, secret, passphrase });
    const signature = auth.headers(method, target, body, this.#clock.now().wallMs);
    return {
      method,
      target,
      headers: { ...pairs(request.headers ?? []), ...pairs(signature) },
      body: Buffer.from(body),
      remoteAddress: '127.0.0.1',
    };
  }

  /** Undefined where it has not come while somebody waited. */
  async #answer(own: VenueResponse, delayMs: number): Promise<VenueResponse | undefined> {
    if (own.wire?.isSwapped !== true) {
      if (delayMs > 0) await this.#later(Math.min(delayMs, answerTimeoutMs));
      return delayMs < answerTimeoutMs ? own : undefined;
    }
    const met = new Promise<VenueResponse>((resolve) => {
      this.#swap.meet(own, resolve);
    });
    return Promise.race([met, this.#later(answerTimeoutMs).then(() => undefined)]);
  }

  async #broken(isAlive: () => boolean): Promise<Exchange> {
    await this.#later(this.#below(this.faults.noticedMs));
    if (!isAlive()) await new Promise(() => {});
    return { kind: 'broken', problem: 'the connection ended' };
  }

  #later(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.at(this.#clock.now().monoMs + ms, resolve);
    });
  }

  /** As likely below a second as in each power of ten above it. */
  #someTimeMs(maxPower: number): number {
    return this.#below(10 ** (3 + this.#below(maxPower - 2)));
  }

  /** Up to twice as long as an order may still be placed after it was sent. */
  #outage(): void {
    const { lost, unanswered } = this.faults;
    if (lost === 100 || unanswered === 100) return;
    this.outages += 1;
    if (this.#below(2) === 0) this.faults.lost = 100;
    else this.faults.unanswered = 100;
    this.#clock.at(this.#clock.now().monoMs + this.#below(10_000), () => {
      Object.assign(this.faults, { lost, unanswered });
    });
  }

  #stall(): void {
    this.#stalledUntilMs = this.#clock.now().monoMs + this.#someTimeMs(5);
  }

  /** Mostly by less than makes a fresh action stale; by more only for a while, for then the venue takes nothing. */
  #jumpVenueClock(): void {
    const { clock } = this.#venue.state;
    const isFar = this.#below(4) === 0;
    const most = isFar ? 600_000 : 25_000;
    const driftPpm = this.#below(2_000) - 1_000;
    clock.setError({ offsetMs: this.#below(2 * most) - most, driftPpm });
    if (!isFar) return;
    const backMs = this.#clock.now().monoMs + this.#below(10_000);
    this.#clock.at(backMs, () => clock.setError({ offsetMs: 0 }));
  }
}

function lower(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
