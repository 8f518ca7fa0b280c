/**
 * The credentials of an account: one, or two during a rotation, with the newer one first
 * (docs/decisions/0296-two-keys-and-two-credentials.md). If the venue refuses a credential, the request is sent again
 * with the other one: the venue has not processed its content.
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

  /** `alarm` is called once for each refused credential if another one exists. */
  constructor(
    rules: Profile['auth']['http'],
    credential: Credential,
    alarm: (text: string) => void,
  ) {
    this.#rules = rules;
    this.#alarm = alarm;
    this.change(credential);
  }

  /** Applies to subsequent requests. */
  change(credential: Credential): void {
    const { older } = credential;
    this.#all = [credential, ...(older ? [older] : [])].map(
      (one) => new RequestAuth(this.#rules, one),
    );
    this.correctClock(this.#offsetMs);
    this.refused.clear();
  }

  /** The credential of the next request; if all have been refused recently, the newer one. */
  current(wallMs: number): RequestAuth {
    const [newest] = this.#all;
    const usable = this.#all.find(({ key }) => !this.refused.isResting(key, wallMs));
    return usable ?? (newest as RequestAuth);
  }

  correctClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    for (const one of this.#all) one.correctClock(offsetMs);
  }

  accept(used: RequestAuth): void {
    this.refused.accept(used.key);
  }

  /** Whether a request with this response should be repeated with another credential. */
  isToRepeat(used: RequestAuth, { body, status }: Response, wallMs: number): boolean {
    if (status !== 401 && status !== 403) return false;
    const answer = readAnswer(body);
    const code = answer.kind === 'flat' || answer.kind === 'envelope' ? answer.code : '';
    const isForGood = refusalsOfCredentials[code];
    if (isForGood === undefined) return false;
    // A credential that has been removed from the configuration is not recorded as refused; its request is repeated.
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
