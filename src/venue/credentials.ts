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

/** The newer one first. Throws if a secret is no key. */
export function authsOf(rules: Profile['auth']['http'], { older, ...newer }: Credential) {
  return [newer, ...(older ? [older] : [])].map((one) => new RequestAuth(rules, one));
}

export class Credentials {
  /** By place, because a new secret may have the API key of the old one. */
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
    this.#all = authsOf(this.#rules, credential);
    this.correctClock(this.#offsetMs);
    this.refused.clear();
  }

  /** The credential of the next request; if all have been refused recently, the newer one. */
  current(wallMs: number): RequestAuth {
    const [newest] = this.#all;
    const usable = this.#all.find((one) => !this.refused.isResting(this.#placeOf(one), wallMs));
    return usable ?? (newest as RequestAuth);
  }

  correctClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    for (const one of this.#all) one.correctClock(offsetMs);
  }

  /** The venue has processed a POST; a GET proves nothing, because the venue's public routes ignore credentials. */
  accept(used: RequestAuth): void {
    this.refused.accept(this.#placeOf(used));
  }

  /** Whether a request with this response should be repeated with another credential. */
  isToRepeat(used: RequestAuth, { body, status }: Response, wallMs: number): boolean {
    if (status !== 401 && status !== 403) return false;
    const answer = readAnswer(body);
    const code = answer.kind === 'flat' || answer.kind === 'envelope' ? answer.code : '';
    const isForGood = refusalsOfCredentials[code];
    if (isForGood === undefined) return false;
    // A credential that has been removed from the configuration is not recorded as refused; its request is repeated.
    const place = this.#placeOf(used);
    const isCurrent = place !== 'removed';
    if (isCurrent) this.refused.refuse(place, isForGood, wallMs);
    const next = this.current(wallMs);
    const other = this.#placeOf(next);
    if (next === used || this.refused.isResting(other, wallMs)) return false;
    if (isCurrent && this.refused.isNews(place)) {
      this.#alarm(
        `the venue refuses the ${place} credential, so the ${other} one is used: ${code}`,
      );
    }
    return true;
  }

  #placeOf(one: RequestAuth): 'newer' | 'older' | 'removed' {
    return (['newer', 'older'] as const)[this.#all.indexOf(one)] ?? 'removed';
  }
}
