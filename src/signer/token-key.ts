/**
 * The signer's side of a key in a PKCS#11 token: another process talks to the token (`token-process.ts`). When that
 * process ends, because the token was removed, its session was lost or its module failed, another one is started;
 * meanwhile requests are refused before anything is recorded. One that hangs is killed. A PIN that was refused is never
 * tried again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Account } from '../domain/units.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { Deadlines } from '../runtime/deadlines.ts';
import type { Ecdsa } from './ecdsa.ts';
import { completed, KeyFailure, type KeyHolder, mostWaiting, patienceMs } from './key-holder.ts';
import { addressOf } from './scheme.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';
import type { FromToken, TokenPlace, ToToken } from './token-process.ts';

export interface TokenKeyOptions {
  readonly place: TokenPlace;
  readonly pin: string;
  readonly address: Account;
  readonly ecdsa: Ecdsa;
  readonly clock: Clock;
  /** The arguments with which Node runs the process of a token. */
  readonly program: readonly [string, ...string[]];
  /** Called when the key becomes unavailable and available again. */
  readonly report: RaiseSignerAlarm;
}

interface Asked {
  readonly digest: Uint8Array;
  readonly resolve: (signature: Uint8Array) => void;
  readonly reject: (failure: KeyFailure) => void;
  readonly deadline: number;
}

/** A process that has not answered for so long is killed: a call into a module cannot be interrupted. */
const hangMs = 3_000;
const openMs = 10_000;
const reopen = { firstMs: 100, maxMs: 5_000 };

/** Resolves when the key is found in the token and is the configured one. */
export async function openTokenKey(options: TokenKeyOptions): Promise<KeyHolder> {
  const key = new TokenKey(options);
  const problem = await key.opened;
  if (problem === undefined) return key;
  key.close();
  throw new KeyFailure(`${options.place.module}: ${problem}`);
}

class TokenKey implements KeyHolder {
  publicKey: Uint8Array = new Uint8Array();
  /** With the fault, at the first start only. */
  readonly opened: Promise<string | undefined>;
  readonly #options: TokenKeyOptions;
  readonly #deadlines: Deadlines;
  /** Until the process answers, which it also does when nobody waits any more: only one that hangs does not. */
  readonly #asked = new Map<number, Asked>();
  #settleOpened: (problem: string | undefined) => void = () => {};
  #child: ChildProcess | undefined;
  #away: string | undefined = 'the token is being opened';
  #isFinal = false;
  #isOpen = false;
  #isClosed = false;
  #lastId = 0;
  #failures = 0;
  #cancelHang = () => {};
  #cancelReopen = () => {};

  constructor(options: TokenKeyOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.clock);
    this.opened = new Promise((resolve) => {
      this.#settleOpened = resolve;
    });
    this.#start();
  }

  get problem(): string | undefined {
    if (this.#away !== undefined) return this.#away;
    return this.#asked.size >= mostWaiting ? 'the token is behind' : undefined;
  }

  sign(digest: Uint8Array): Promise<Uint8Array> {
    const { clock } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#away !== undefined) {
        reject(new KeyFailure(this.#away));
        return;
      }
      this.#lastId += 1;
      const id = this.#lastId;
      const { monoMs } = clock.now();
      const giveUp = () => {
        reject(new KeyFailure(`the token did not answer within ${patienceMs} ms`));
      };
      const deadline = this.#deadlines.add({ dueMs: monoMs + patienceMs, giveUp });
      if (this.#asked.size === 0) this.#watch(hangMs);
      this.#asked.set(id, { digest, resolve, reject, deadline });
      this.#send({ kind: 'sign', id, digest, untilMs: Date.now() + patienceMs });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#isFinal = true;
    this.#cancelReopen();
    this.#gone('it is closed');
    this.#deadlines.close();
  }

  #start(): void {
    const { place, pin, program } = this.#options;
    const [entry, ...given] = program;
    const child = fork(entry, given, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.#child = child;
    const isCurrent = () => this.#child === child;
    child.on('message', (message: FromToken) => isCurrent() && this.#received(message));
    child.on('error', (error) => isCurrent() && this.#gone(error.message));
    child.on('exit', () => isCurrent() && this.#gone('the process of the token has ended'));
    this.#watch(openMs);
    this.#send({ kind: 'open', place, pin });
  }

  #send(message: ToToken): void {
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  #received(message: FromToken): void {
    switch (message.kind) {
      case 'opened':
        this.#found(message.publicKey);
        return;
      case 'failed':
        this.#isFinal ||= message.isFinal;
        this.#gone(message.problem);
        return;
      case 'signed':
        this.#signed(message.id, message.rAndS);
    }
  }

  #found(publicKey: Uint8Array): void {
    const { address, report } = this.#options;
    this.#cancelHang();
    const found = addressOf(publicKey);
    if (found !== address) {
      this.#isFinal = true;
      this.#gone(`the key has the address ${found}, and the configuration says ${address}`);
      return;
    }
    this.publicKey = publicKey;
    this.#away = undefined;
    this.#failures = 0;
    if (this.#isOpen) report(`the key ${address} can sign again`, 'key_back');
    this.#isOpen = true;
    this.#settleOpened(undefined);
  }

  #signed(id: number, rAndS: Uint8Array): void {
    const asked = this.#asked.get(id);
    this.#cancelHang();
    if (asked !== undefined) {
      this.#asked.delete(id);
      this.#deadlines.delete(asked.deadline);
      try {
        const { ecdsa } = this.#options;
        asked.resolve(completed(ecdsa, this.publicKey, asked.digest, rAndS));
      } catch (error) {
        asked.reject(error as KeyFailure);
      }
    }
    if (this.#asked.size > 0) this.#watch(hangMs);
  }

  #watch(patience: number): void {
    const { clock } = this.#options;
    this.#cancelHang();
    this.#cancelHang = clock.at(clock.now().monoMs + patience, () =>
      this.#gone(`the token has not answered for ${patience} ms`),
    );
  }

  #gone(why: string): void {
    const { address, clock, report } = this.#options;
    this.#cancelHang();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
    const wasThere = this.#away === undefined;
    this.#away = `the key ${address} cannot sign: ${why}`;
    for (const { deadline, reject } of this.#asked.values()) {
      this.#deadlines.delete(deadline);
      reject(new KeyFailure(why));
    }
    this.#asked.clear();
    if (!this.#isOpen) this.#isFinal = true;
    this.#settleOpened(why);
    if (this.#isOpen && !this.#isClosed && (wasThere || this.#isFinal))
      report(this.#away, 'key_away');
    if (this.#isFinal) return;
    this.#failures += 1;
    const waitMs = backoffMs(reopen, this.#failures);
    this.#cancelReopen = clock.at(clock.now().monoMs + waitMs, () => this.#start());
  }
}
