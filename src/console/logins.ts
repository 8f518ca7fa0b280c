/**
 * Who is at the console: a name and a token once, then a cookie that scripts cannot read. A session ends after a while
 * without use and at the latest after a working day; what changes something must also show the session's own
 * anti-forgery token, which no other page can know (docs/SECURITY.md, "Console").
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OperatorSecret } from '../gateway/config-file.ts';
import { PasswordChecks } from '../gateway/password-checks.ts';
import { decoy } from '../gateway/secret-hash.ts';
import type { Clock } from '../runtime/clock.ts';
import { HeadCount } from '../runtime/head-count.ts';
import { defaultLockoutLimits, Lockout } from '../transport/lockout.ts';

export interface Login {
  readonly who: string;
  readonly mayAct: boolean;
  /** For the header of every request that changes something. */
  readonly csrf: string;
}

interface Session extends Login {
  readonly startedMs: number;
  usedMs: number;
}

const idleMs = 30 * 60_000;
const longestMs = 12 * 3_600_000;
const mostSessions = 100;
const longestToken = 256;

export class Logins {
  readonly #operators: ReadonlyMap<string, OperatorSecret>;
  readonly #clock: Clock;
  readonly #lockout = new Lockout();
  readonly #tokens = new PasswordChecks();
  /** By address: the tokens that are looked at. */
  readonly #underWay = new HeadCount();
  /** By the hash of the cookie, so that memory holds nothing to log in with; the longest known first. */
  readonly #sessions = new Map<string, Session>();

  constructor(operators: ReadonlyMap<string, OperatorSecret>, clock: Clock) {
    this.#operators = operators;
    this.#clock = clock;
  }

  /** The value of the new cookie; `blocked` where this source failed too often. */
  async login(
    who: string,
    token: string,
    address: string,
  ): Promise<{ readonly cookie: string } | 'refused' | 'blocked'> {
    // More at once than block an address if they are wrong are not even looked at.
    const isEnough = this.#underWay.of(address) >= defaultLockoutLimits.offences;
    if (isEnough || this.#isBlocked(address)) return 'blocked';
    const known = this.#operators.get(who);
    const isShort = token.length <= longestToken;
    this.#underWay.add(address);
    const isRight = isShort && (await this.#tokens.isRight(token, known?.hash ?? decoy));
    this.#underWay.remove(address);
    if (this.#isBlocked(address)) return 'blocked';
    const { monoMs } = this.#clock.now();
    if (known === undefined || !isRight) {
      this.#lockout.offence(address, monoMs);
      return 'refused';
    }
    const cookie = randomBytes(32).toString('base64url');
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#sessions.set(hashOf(cookie), {
      who,
      mayAct: known.mayAct,
      csrf: randomBytes(24).toString('base64url'),
      startedMs: monoMs,
      usedMs: monoMs,
    });
    return { cookie };
  }

  #isBlocked(address: string): boolean {
    return this.#lockout.isBlocked(address, this.#clock.now().monoMs);
  }

  of(cookie: string | undefined): Login | undefined {
    if (cookie === undefined) return undefined;
    const key = hashOf(cookie);
    const session = this.#sessions.get(key);
    if (session === undefined) return undefined;
    const { monoMs } = this.#clock.now();
    if (monoMs - session.usedMs > idleMs || monoMs - session.startedMs > longestMs) {
      this.#sessions.delete(key);
      return undefined;
    }
    session.usedMs = monoMs;
    return session;
  }

  logout(cookie: string | undefined): void {
    if (cookie !== undefined) this.#sessions.delete(hashOf(cookie));
  }
}

export function isCsrf({ csrf }: Login, given: string): boolean {
  return csrf.length === given.length && timingSafeEqual(Buffer.from(csrf), Buffer.from(given));
}

function hashOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url');
}
