/**
 * Checks passwords for both lanes and the console. A scrypt computation takes long enough to delay orders, so it runs
 * in other threads, few at a time (docs/decisions/0220-logons-and-passwords.md). Strangers can request checks as often
 * as they like, so the queue is fair.
 */
import { BoundedNames } from '../../engine/bounded-names.ts';
import type { Clock } from '../../runtime/clock.ts';
import { entryOf } from '../../runtime/entry-of.ts';
import { FairLine } from '../../runtime/fair-line.ts';
import { FoldedAlarm } from '../../runtime/folded-alarm.ts';
import { keepLatest } from '../../runtime/keep-latest.ts';
import { networkOf } from '../../transport/address.ts';
import { type Finding, PendingVerdict } from '../../transport/pending-verdict.ts';
import { PasswordProofs } from './password-proofs.ts';
import { passwordThreads } from './password-thread.ts';
import { decoyOf, type SecretHash } from './secret-hash.ts';

/** Where a password comes from, and its purpose. */
export interface Asker {
  /** The session or operator that the password is for, or `strangersDoor`. */
  readonly door: string;
  readonly address: string;
  /** Whether the configuration expects it from this address. */
  readonly isExpected?: boolean;
}

/** All unknown names share one queue, so that inventing names gains nothing. */
export const strangersDoor = '';

export interface PasswordChecksOptions {
  readonly clock: Clock;
  readonly alarm: (text: string) => void;
  /** How many checks may wait. Beyond it, the network with the most waiting checks for one name loses one. */
  readonly maxWaiting?: number;
  readonly proofs?: PasswordProofs | undefined;
}

interface Check {
  readonly password: string;
  readonly hash: SecretHash;
  readonly sinceMs: number;
  readonly settle: (finding: Finding) => void;
}

/** A check for one connection. */
interface Question {
  readonly password: string;
  readonly hash: SecretHash | undefined;
  readonly pendingVerdict: PendingVerdict;
  finding: Finding | undefined;
}

const defaultMostWaiting = 1_024;
/** The longest wait for a logon. */
const longestWaitMs = 10_000;
const networksOfDoor = 8;
/** How long a network with a wrong password waits behind all others, so that an attack never delays other networks. */
const suspectMs = 10 * 60_000;
const maxSuspects = 10_000;

export class PasswordChecks {
  readonly #options: PasswordChecksOptions;
  readonly #questions = new WeakMap<object, Question>();
  /** Served in this order: known networks, unknown networks, networks with a recent wrong password. */
  readonly #lines = [new FairLine<Check>(), new FairLine<Check>(), new FairLine<Check>()] as const;
  /** By session or operator: the networks that have sent a correct password. */
  readonly #networks = new Map<string, BoundedNames>();
  /** By network, in order: until when it counts as having sent a wrong password. */
  readonly #guessing = new Map<string, number>();
  readonly #proofs: PasswordProofs;
  #decoy: SecretHash | undefined;
  readonly #idle = [...passwordThreads];
  readonly #drops = new FoldedAlarm();

  constructor(options: PasswordChecksOptions) {
    this.#options = options;
    this.#proofs = options.proofs ?? new PasswordProofs();
  }

  /** Makes an unknown name cost as much as the most expensive of these. */
  imitate(hashes: Iterable<SecretHash>): void {
    this.#decoy = decoyOf(hashes);
  }

  get waiting(): number {
    return this.#lines.reduce((sum, { size }) => sum + size, 0);
  }

  /** The number of checks dropped for lack of time or room since the start. */
  get dropped(): number {
    return this.#drops.count;
  }

  /** A connection that asks again after the verdict gets one answer. */
  verdict(
    connection: object,
    asker: Asker,
    password: string,
    hash: SecretHash | undefined,
  ): boolean | PendingVerdict {
    const question = this.#questions.get(connection);
    if (question?.password === password && question.hash === hash) {
      if (question.finding === undefined) return question.pendingVerdict;
      this.#questions.delete(connection);
      return question.finding === 'right';
    }
    const pendingVerdict = this.ask(asker, password, hash);
    const begun: Question = { password, hash, pendingVerdict, finding: undefined };
    this.#questions.set(connection, begun);
    void pendingVerdict.over.then((finding) => {
      begun.finding = finding;
    });
    return pendingVerdict;
  }

  /** `given` is undefined for an unknown name and for a name without a password. */
  ask(asker: Asker, password: string, given: SecretHash | undefined): PendingVerdict {
    const hash = given ?? this.#decoy;
    if (hash === undefined) return settled('wrong');
    // Strangers cannot delay returning clients, who need no scrypt.
    if (this.#proofs.has(password, hash)) return settled('right');
    const { promise: over, resolve: settle } = Promise.withResolvers<Finding>();
    const { door } = asker;
    const network = networkOf(asker.address);
    const check: Check = {
      password,
      hash,
      sinceMs: this.#options.clock.now().monoMs,
      settle: (finding) => {
        if (finding === 'right') {
          this.#remember(door, network);
          this.#proofs.add(password, hash);
        } else if (finding === 'wrong') {
          this.#suspect(network);
        }
        settle(finding);
      },
    };
    this.#lines[this.#rankOf(asker, network)].add(check, door, network);
    this.#keepBounds();
    void this.#work();
    return new PendingVerdict(over, () => {
      if (this.#remove(check)) settle('dropped');
    });
  }

  /** A network is known if it has sent a correct password for the same name, or if the configuration expects it. */
  #rankOf({ door, isExpected = false }: Asker, network: string): 0 | 1 | 2 {
    if (isExpected || this.#networks.get(door)?.has(network)) return 0;
    const untilMs = this.#guessing.get(network) ?? Number.NEGATIVE_INFINITY;
    return this.#options.clock.now().monoMs < untilMs ? 2 : 1;
  }

  /** Moves the network's waiting checks behind all others. */
  #suspect(network: string): void {
    const [, unknown, guessing] = this.#lines;
    for (const { door, item } of this.#guessing.has(network) ? [] : unknown.of(network)) {
      unknown.remove(item);
      guessing.add(item, door, network);
    }
    const untilMs = this.#options.clock.now().monoMs + suspectMs;
    keepLatest(this.#guessing, network, untilMs, maxSuspects);
  }

  #remember(door: string, network: string): void {
    this.#guessing.delete(network);
    entryOf(this.#networks, door, () => new BoundedNames(networksOfDoor)).add(network);
  }

  #remove(check: Check): boolean {
    return this.#lines.some((line) => line.remove(check));
  }

  /** Drops checks that have waited too long or for which there is no room. */
  #keepBounds(): void {
    const { monoMs } = this.#options.clock.now();
    for (const line of this.#lines) {
      for (let oldest = line.oldest; oldest !== undefined; oldest = line.oldest) {
        if (monoMs - oldest.sinceMs < longestWaitMs) break;
        this.#drop(oldest);
      }
    }
    const { maxWaiting = defaultMostWaiting } = this.#options;
    while (this.waiting > maxWaiting) {
      const [known, unknown, guessing] = this.#lines;
      const surplus = guessing.newestOfFullest ?? unknown.newestOfFullest ?? known.newestOfFullest;
      if (surplus === undefined) return;
      this.#drop(surplus);
    }
  }

  #drop(check: Check): void {
    const { waiting } = this;
    this.#remove(check);
    check.settle('dropped');
    const text = `passwords come faster than they can be checked: ${waiting} wait and one was dropped, so clients that log on for the first time may have to try again`;
    const alarm = this.#drops.add(text, this.#options.clock.now().monoMs);
    if (alarm !== undefined) this.#options.alarm(alarm);
  }

  async #work(): Promise<void> {
    const thread = this.#idle.pop();
    if (thread === undefined) return;
    for (let check = this.#next(); check !== undefined; check = this.#next()) {
      const finding = await thread.check(check.password, check.hash);
      if (finding === 'dropped')
        this.#options.alarm('a password was not checked, because its thread failed');
      check.settle(finding);
    }
    this.#idle.push(thread);
  }

  #next(): Check | undefined {
    this.#keepBounds();
    const [known, unknown, guessing] = this.#lines;
    return known.take() ?? unknown.take() ?? guessing.take();
  }
}

function settled(finding: Finding): PendingVerdict {
  return new PendingVerdict(Promise.resolve(finding), () => {});
}
