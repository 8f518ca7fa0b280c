/**
 * Logins to the console: a name and a token once, then a cookie that scripts cannot read. A login expires after a
 * period of inactivity, and after a working day at the latest. Changes also need the login's anti-forgery token, which
 * no other page can know (docs/SECURITY.md, "Console").
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OperatorSecret } from '../gateway/config/config-file.ts';
import type { OperatorRole } from '../gateway/config/console-config.ts';
import { type PasswordChecks, strangersDoor } from '../gateway/passwords/password-checks.ts';
import type { Clock } from '../runtime/clock.ts';
import { HeadCount } from '../runtime/head-count.ts';
import { keepLatest } from '../runtime/keep-latest.ts';
import { sourceOf } from '../transport/address.ts';
import { defaultLockoutLimits, Lockout } from '../transport/lockout.ts';
import type { LoginAudit } from './login-audit.ts';
import type { Identity } from './oidc.ts';

export interface Login {
  readonly who: string;
  readonly roles: readonly OperatorRole[];
  /** For the header of every change request. */
  readonly csrf: string;
}

interface Session extends Login {
  readonly startedMs: number;
  usedMs: number;
}

const idleMs = 30 * 60_000;
const longestMs = 12 * 3_600_000;
const maxSessions = 100;

export class Logins {
  readonly #operators: ReadonlyMap<string, OperatorSecret>;
  readonly #clock: Clock;
  readonly #lockout = new Lockout();
  readonly #tokens: PasswordChecks;
  readonly #audit: Pick<LoginAudit, 'failed' | 'loggedIn'>;
  /** By source and name: the number of tokens being checked. */
  readonly #underWay = new HeadCount();
  /** Keyed by the hash of the cookie, so that memory contains no usable credential; oldest first. */
  readonly #sessions = new Map<string, Session>();

  constructor(
    operators: ReadonlyMap<string, OperatorSecret>,
    tokens: PasswordChecks,
    audit: Pick<LoginAudit, 'failed' | 'loggedIn'>,
    clock: Clock,
  ) {
    this.#operators = operators;
    this.#tokens = tokens;
    this.#audit = audit;
    this.#clock = clock;
  }

  /**
   * Returns the value of the new cookie; `blocked` if this source failed too often with this name, `busy` if too many
   * others wait. `onLeave` receives a function to call when the client has disconnected.
   */
  async login(
    who: string,
    token: string,
    address: string,
    onLeave: (giveUp: () => void) => void = () => {},
  ): Promise<{ readonly cookie: string } | 'refused' | 'blocked' | 'busy'> {
    const guess = `${sourceOf(address)} ${who}`;
    // If the checks in progress would block the name when they fail, no further one is started.
    const isEnough = this.#underWay.of(guess) >= defaultLockoutLimits.offences;
    if (isEnough || this.isBlocked(address, who)) return 'blocked';
    const known = this.#operators.get(who);
    const door = known === undefined ? strangersDoor : `operator ${who}`;
    this.#underWay.add(guess);
    const pendingVerdict = this.#tokens.ask({ door, address }, token, known?.hash);
    onLeave(pendingVerdict.giveUp);
    const finding = await pendingVerdict.over;
    this.#underWay.remove(guess);
    if (this.isBlocked(address, who)) return 'blocked';
    if (finding === 'dropped') return 'busy';
    const { monoMs } = this.#clock.now();
    if (known === undefined || finding === 'wrong') {
      this.#lockout.offence(address, monoMs, who);
      this.#audit.failed(known && who, address);
      return 'refused';
    }
    return { cookie: this.#open(who, known.roles, address, 'the token was right') };
  }

  /** Logs in an operator whom the OpenID provider has identified; returns the value of the new cookie. */
  enter({ roles, subject, who }: Identity, address: string): string {
    return this.#open(who, roles, address, `the OpenID provider identified ${subject}`);
  }

  /** A login through the provider failed: it counts like a wrong token, for nobody's name. */
  refused(address: string): void {
    this.#lockout.offence(address, this.#clock.now().monoMs);
    this.#audit.failed(undefined, address);
  }

  /** Others at the same address may log in; without a name, whether the address may try through the provider. */
  isBlocked(address: string, who = ''): boolean {
    return this.#lockout.isBlocked(address, this.#clock.now().monoMs, who);
  }

  #open(who: string, roles: Login['roles'], address: string, why: string): string {
    const { monoMs } = this.#clock.now();
    this.#audit.loggedIn(who, address, why);
    const cookie = randomBytes(32).toString('base64url');
    const csrf = randomBytes(24).toString('base64url');
    const session = { who, roles, csrf, startedMs: monoMs, usedMs: monoMs };
    keepLatest(this.#sessions, hashOf(cookie), session, maxSessions);
    return cookie;
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
  const [wanted, shown] = [Buffer.from(csrf), Buffer.from(given)];
  // Compared as bytes, because non-ASCII text has more bytes than characters.
  return wanted.length === shown.length && timingSafeEqual(wanted, shown);
}

function hashOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url');
}
