/**
 * Logins of operators in the audit chain. Anyone can cause failed logins, so they are combined: the first is recorded
 * at once, and all others within a minute become one more record.
 */
import type { Operator } from '../gateway/operator/operator.ts';
import type { Clock } from '../runtime/clock.ts';

type ExternalActs = Pick<Operator, 'recordExternalAct'>;

const foldMs = 60_000;
const maxAddresses = 8;

interface Failures {
  attempts: number;
  /** By configured name; `''` counts unknown names, which are not recorded because one may be a token. */
  readonly names: Map<string, number>;
  readonly addresses: Set<string>;
}

export class LoginAudit {
  readonly #clock: Clock;
  readonly #operator: () => ExternalActs | undefined;
  #failures: Failures | undefined;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, operator: () => ExternalActs | undefined) {
    this.#clock = clock;
    this.#operator = operator;
  }

  loggedIn(who: string, address: string, why: string): void {
    const by = { who, why };
    this.#operator()?.recordExternalAct(by, 'login', 'console', { address });
  }

  /** `who` is undefined for an unknown name. */
  failed(who: string | undefined, address: string): void {
    const failures = this.#failures ?? { attempts: 0, names: new Map(), addresses: new Set() };
    this.#failures = failures;
    failures.attempts += 1;
    failures.names.set(who ?? '', (failures.names.get(who ?? '') ?? 0) + 1);
    if (failures.addresses.size < maxAddresses) failures.addresses.add(address);
    if (this.#cancel === undefined) this.#record();
  }

  /** Records everything that has not been recorded yet. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#write();
  }

  /** Records the failure, and then collects further ones for a minute. */
  #record(): void {
    this.#write();
    this.#cancel = this.#clock.at(this.#clock.now().monoMs + foldMs, () => {
      this.#cancel = undefined;
      if (this.#failures !== undefined) this.#record();
    });
  }

  #write(): void {
    if (this.#failures === undefined) return;
    const { addresses, attempts, names } = this.#failures;
    this.#failures = undefined;
    const { '': unknown = 0, ...known } = Object.fromEntries(names);
    const after = { attempts, known, unknown, addresses: [...addresses] };
    const by = { who: 'somebody', why: 'the name or the token was wrong' };
    this.#operator()?.recordExternalAct(by, 'login_failed', 'console', after);
  }
}
