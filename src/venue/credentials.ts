/**
 * The credentials of an account: one, or during a rotation two, the newer first
 * (docs/decisions/0296-two-keys-and-two-credentials.md). A request that the venue refuses for its credential goes out again with the
 * other one: the venue has not looked at what is in it.
 */
import { readAnswer } from './answer.ts';
import type { Profile } from './profile.ts';
import { refusalsOfCredentials } from './refusals.ts';
import { RefusedKeys } from './refused-keys.ts';
import { type Credential, RequestAuth } from './request-auth.ts';
import type { Exchange } from './verdict.ts';

type Response = Extract<Exchange, { kind: 'response' }>;

export class Credentials {
  readonly refused = new RefusedKeys();
  readonly #rules: Profile['auth']['http'];
  readonly #alarm: (text: string) => void;
  /** The newer one first. */
  #all: readonly RequestAuth[] = [];
  #offsetMs = 0;

  /** `alarm` is told once of each refused credential that has another one beside it. */
  constructor(
    rules: Profile['auth']['http'],
    credential: Credential,
    alarm: (text: string) => void,
  ) {
    this.#rules = rules;
    this.#alarm = alarm;
    this.change(credential);
  }

  /** For requests from now on. */
  change(credential: Credential): void {
    const { older } = credential;
    this.#all = [credential, ...(older ? [older] : [])].map(
      (one) => new RequestAuth(this.#rules, one),
    );
    this.correctClock(this.#offsetMs);
    this.refused.clear();
  }

  /** The one that the next request gets; if all rest, the newer one. */
  current(wallMs: number): RequestAuth {
    const [newest] = this.#all;
    const usable = this.#all.find(({ key }) => !this.refused.isResting(key, wallMs));
    return usable ?? (newest as RequestAuth);
  }

  correctClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    for (const one of this.#all) one.correctClock(offsetMs);
  }

  /** Whether a request that had this answer goes out again, with another credential. */
  isToRepeat(used: RequestAuth, { body, status }: Response, wallMs: number): boolean {
    if (status < 400) this.refused.accept(used.key);
    if (status !== 401 && status !== 403) return false;
    const answer = readAnswer(body);
    const code = answer.kind === 'flat' || answer.kind === 'envelope' ? answer.code : '';
    const isForGood = refusalsOfCredentials[code];
    if (isForGood === undefined) return false;
    // One that has gone out of the configuration since is not remembered, and its request is repeated.
    const at = this.#all.indexOf(used);
    if (at >= 0) this.refused.refuse(used.key, isForGood, wallMs);
    const next = this.current(wallMs);
    if (next === used || this.refused.isResting(next.key, wallMs)) return false;
    if (at >= 0 && this.refused.isNews(used.key)) {
      const [one, other] = at === 0 ? ['newer', 'older'] : ['older', 'newer'];
      this.#alarm(`the venue refuses the ${one} credential, so the ${other} one is used: ${code}`);
    }
    return true;
  }
}
