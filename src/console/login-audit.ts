/**
 * Logins of operators in the audit chain. Anybody can fail to log in, so failures are folded: the first is recorded at once,
 * and what follows within a minute becomes one more record, whoever sent it.
 */
import type { Operator } from '../gateway/operator.ts';
import type { Clock } from '../runtime/clock.ts';

type ExternalActs = Pick<Operator, 'recordExternalAct'>;

const foldMs = 60_000;
const mostAddresses = 8;

interface Failures {
  attempts: number;
  /** By configured name; `''` counts names that nobody has, which are not kept: one may be a token. */
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

  /** `who`: undefined where nobody has the name. */
  failed(who: string | undefined, address: string): void {
    const failures = this.#failures ?? { attempts: 0, names: new Map(), addresses: new Set() };
    this.#failures = failures;
    failures.attempts += 1;
    failures.names.set(who ?? '', (failures.names.get(who ?? '') ?? 0) + 1);
    if (failures.addresses.size < mostAddresses) failures.addresses.add(address);
    if (this.#cancel === undefined) this.#record();
  }

  /** Records what has not been recorded yet. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#write();
  }

  /** And gathers for a minute what comes next. */
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
