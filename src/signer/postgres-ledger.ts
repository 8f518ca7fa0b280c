/**
 * The ledger in PostgreSQL, for several signers (docs/decisions/0285-ledger-of-the-signer.md). The database decides
 * what is new, what was signed before, and what exceeds the totals of all signers. The claims of one turn are one
 * statement, and at most two statements are in flight. If a reply is lost, it is unknown whether the claims are
 * recorded, so the same statement is sent again and finds them as `same`. A claim without an answer is refused before
 * the bridge gives up.
 */
import { backoffMs } from '../runtime/backoff.ts';
import {
  type Connection,
  ConnectionLost,
  connectToPrimary,
  type DatabasePlace,
  type Host,
  sqlStateOf,
  within,
} from '../store/postgres/connection.ts';
import { Primary } from '../store/postgres/primary.ts';
import type { Durability } from '../store/store.ts';
import {
  type Claim,
  type Ledger,
  type Loss,
  type Losses,
  noLosses,
  nothing,
  type Refused,
  type Spend,
  type Standing,
} from './digest-ledger.ts';
import type { Environment } from './keystore.ts';
import type { Anchor } from './ledger-file.ts';
import { findLedger, inspectLedger } from './ledger-tables.ts';
import type { RaiseSignerAlarm } from './signer-alarm.ts';

export interface PostgresLedgerOptions {
  readonly place: DatabasePlace;
  readonly durability: Durability;
  readonly environment: Environment;
  /** An operator confirms that nothing was signed that this ledger should know. */
  readonly mayCreate: boolean;
  readonly alarm: RaiseSignerAlarm;
  /** Less than the bridge waits for a signature. */
  readonly answerMs?: number;
}

/** The database cannot be reached, so the state of the ledger is unknown. */
export class LedgerAway extends Error {}

interface Answer {
  readonly verdicts: readonly string[];
  readonly entries: number;
  readonly chain: Buffer;
  readonly isReplicated: boolean;
}

/** Claims that are recorded with one statement, and the promise of its answer. */
interface Group {
  readonly claims: Claim[];
  readonly dueMs: number;
  /** One for each claim, or one refusal for all. */
  readonly verdicts: Promise<readonly string[] | Refused>;
  readonly settle: (verdicts: readonly string[] | Refused) => void;
  /** Once it is sent, it may be recorded. */
  isSent: boolean;
  isUnderWay: boolean;
}

const groupsUnderWay = 2;
/** A group of this size takes no more requests; `mostWaiting` limits the claims of all groups. */
const claimsInGroup = 256;
const mostWaiting = 4096;
const lookMs = 50;
/** How often an idle signer proves that it can record. */
const proveEveryMs = 1000;
const tidyEveryMs = 60_000;
const rowsAtOnce = 1000;
const retry = { firstMs: 20, maxMs: 500 };
const otherHistory = 'CW002';
const diskFull = '53100';
const noStandby =
  'commits wait for no standby, so a failover could lose what was signed: set synchronous_standby_names in the database';

export class PostgresLedger implements Ledger {
  readonly #options: PostgresLedgerOptions;
  readonly #answerMs: number;
  /** Groups without an answer, in order; the last one may still take claims. */
  #groups: Group[] = [];
  #gathering: Group | undefined;
  /** The group of the claims since the last call of `recorded`. */
  #joined: Group | undefined;
  #connection: Connection | undefined;
  readonly #reader: Primary;
  #timeline = 0;
  #anchor: Anchor;
  /** Connections lost in a row without an answer in between. */
  #losses = 0;
  #problem: string | undefined;
  #isAwayReported = false;
  /** When a record found no room last. The proof of an idle signer needs no room, so it says nothing about that. */
  #fullMs: number | undefined;
  /** The ledger has another history, which no other connection can change. */
  #failure: string | undefined;
  #isUnsafe = false;
  #isClosed = false;
  #isFlushDue = false;
  #provedMs = Number.NEGATIVE_INFINITY;
  #tidyMs = performance.now() + tidyEveryMs;
  readonly #timer: NodeJS.Timeout;

  /** Throws if the database is unsuitable, or has no ledger or that of another environment. */
  static async open(options: PostgresLedgerOptions): Promise<PostgresLedger> {
    const { alarm, durability, environment, mayCreate, place } = options;
    const isStrict = environment === 'mainnet';
    const { faults, warnings } = await inspectLedger(place, durability, isStrict);
    if (faults.length > 0)
      throw new Error(`the database of the ledger is not ready: ${faults.join('; ')}`);
    for (const warning of warnings)
      alarm(`the database of the ledger: ${warning}`, 'ledger_unsafe');
    const connection = await connectToPrimary(place, durability);
    try {
      const anchor = await findLedger(connection, place.database, environment, mayCreate);
      const ledger = new PostgresLedger(options, connection, anchor);
      const proof = await ledger.#append([]).verdicts;
      if (!('code' in proof)) return ledger;
      await ledger.close();
      throw new LedgerAway(proof.text);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  private constructor(options: PostgresLedgerOptions, connection: Connection, anchor: Anchor) {
    this.#options = options;
    this.#answerMs = options.answerMs ?? 400;
    this.#anchor = anchor;
    this.#reader = new Primary({ place: options.place });
    this.#use(connection);
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  get anchor(): Anchor {
    return this.#anchor;
  }

  get problem(): string | undefined {
    if (this.#failure !== undefined) return this.#failure;
    if (this.#problem !== undefined) return `the ledger is away: ${this.#problem}`;
    const waiting = this.#groups.reduce((sum, { claims }) => sum + claims.length, 0);
    return waiting < mostWaiting ? undefined : `${waiting} actions wait for the ledger`;
  }

  /** Asks with a write, because a former primary could still answer a read. */
  async chainAt(count: number): Promise<string | undefined> {
    const proof = await this.#append([]).verdicts;
    const connection = this.#connection;
    if ('code' in proof || connection === undefined)
      throw new LedgerAway('code' in proof ? proof.text : 'the ledger is away');
    if (count === this.#anchor.count) return this.#anchor.chain;
    const text = 'select chain from causeway_signer.nonces where entry = $1';
    const [row] = await within(
      connection,
      this.#answerMs,
      connection.query<{ chain: Buffer }>({ text, values: [count] }),
    );
    return row?.chain.toString('hex');
  }

  standing(): Standing {
    return { kind: 'unknown' };
  }

  record(claim: Claim): void {
    this.#joined = this.#append([claim]);
  }

  async recorded(): Promise<Losses> {
    // Claims since the last call are in one group, because they were made in one turn.
    const group = this.#joined;
    this.#joined = undefined;
    if (group === undefined) return noLosses;
    const { claims } = group;
    if (claims.length >= claimsInGroup && group === this.#gathering) this.#gathering = undefined;
    const verdicts = await group.verdicts;
    if ('code' in verdicts) return new Map(claims.map((claim) => [claim, verdicts]));
    if (verdicts.every(isRecorded)) return noLosses;
    const losses = new Map<Claim, Loss>();
    for (const [index, claim] of claims.entries()) {
      const loss = lossOf(verdicts[index], claim);
      if (loss !== undefined) losses.set(claim, loss);
    }
    return losses;
  }

  /** The database compares the totals, which are those of all signers. */
  spent(_account: string, market: number): Spend {
    return { ...nothing, market };
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#isClosed = true;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#refuseAll();
    await Promise.all([connection?.close(), this.#reader.close()]);
  }

  #append(claims: readonly Claim[]): Group {
    if (this.#failure !== undefined || this.#isClosed) return this.#refused(claims);
    let group = this.#gathering;
    if (group === undefined) {
      group = newGroup(performance.now() + this.#answerMs);
      this.#gathering = group;
      this.#groups.push(group);
    }
    group.claims.push(...claims);
    if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      queueMicrotask(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    }
    return group;
  }

  /** A group that is never sent, for all claims until the next call of `recorded`. */
  #refused(claims: readonly Claim[]): Group {
    const group = this.#joined ?? newGroup(0);
    group.claims.push(...claims);
    giveUp(group, this.#failure ?? 'it is closed');
    return group;
  }

  #flush(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    let underWay = this.#groups.filter(({ isUnderWay }) => isUnderWay).length;
    for (const group of this.#groups) {
      if (group.isUnderWay) continue;
      if (underWay >= groupsUnderWay) return;
      underWay += 1;
      this.#send(connection, group);
    }
  }

  #send(connection: Connection, group: Group): void {
    if (group === this.#gathering) this.#gathering = undefined;
    group.isSent = true;
    group.isUnderWay = true;
    const { chain, count, id } = this.#anchor;
    const bytes = (hex: string) => Buffer.from(hex, 'hex');
    const claims = JSON.stringify(group.claims.map(rowOf));
    connection
      .query<Answer>({
        name: 'record',
        text: `select verdicts, entries, chain, is_replicated as "isReplicated"
                 from causeway_signer.record($1, $2, $3, $4)`,
        values: [bytes(id), count, bytes(chain), claims],
      })
      .then(
        ([answer]) => answer && this.#answered(connection, group, answer),
        (error) => this.#lost(connection, error),
      );
  }

  #answered(connection: Connection, group: Group, answer: Answer): void {
    if (connection !== this.#connection) return;
    this.#losses = 0;
    this.#provedMs = performance.now();
    const { chain, entries } = answer;
    this.#anchor = { id: this.#anchor.id, count: entries, chain: chain.toString('hex') };
    this.#groups.splice(this.#groups.indexOf(group), 1);
    const { alarm, durability, environment } = this.#options;
    const isUnsafe = durability === 'replicated' && !answer.isReplicated;
    if (isUnsafe && !this.#isUnsafe) alarm(noStandby, 'ledger_unsafe');
    this.#isUnsafe = isUnsafe;
    if (isUnsafe && environment === 'mainnet') {
      this.#away(noStandby);
      group.settle({ code: 'not_recorded', text: noStandby });
    } else {
      this.#isBack(answer.verdicts.includes('new'));
      group.settle(answer.verdicts);
    }
    this.#flush();
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    this.#timeline = connection.timeline;
    for (const group of this.#groups) group.isUnderWay = false;
    connection.whenLost((error) => this.#lost(connection, error));
    this.#append([]);
  }

  #lost(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    connection.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    if (sqlStateOf(error) === otherHistory) {
      this.#failure = `the ledger cannot be used: ${reason}. Nothing that places is signed until a person has restarted the signer`;
      this.#options.alarm(this.#failure, 'ledger_differs');
      this.#refuseAll();
      return;
    }
    this.#losses += 1;
    const isFull = sqlStateOf(error) === diskFull;
    if (isFull) this.#fullMs = performance.now();
    if (isFull || this.#losses > 1) this.#away(reason);
    void this.#reconnect(connection.at);
  }

  async #reconnect(from: Host): Promise<void> {
    const { durability, place } = this.#options;
    let avoid: Host | undefined = from;
    for (let attempt = this.#losses; !this.#isClosed; attempt += 1) {
      if (attempt > 1)
        await new Promise((resolve) => setTimeout(resolve, backoffMs(retry, attempt - 1)));
      try {
        const wanted = { timeline: this.#timeline, avoid };
        const connection = await connectToPrimary(place, durability, wanted);
        if (this.#isClosed) connection.destroy();
        else this.#use(connection);
        return;
      } catch (error) {
        avoid = undefined;
        this.#away(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** Called regularly: gives up what waits too long, proves that the ledger can record, and deletes what is too old. */
  #look(): void {
    const nowMs = performance.now();
    const late = this.#groups.filter(({ dueMs }) => nowMs > dueMs);
    if (late.length > 0) {
      const text = `no answer within ${this.#answerMs} ms`;
      if (this.#gathering !== undefined && late.includes(this.#gathering))
        this.#gathering = undefined;
      this.#groups = this.#groups.filter((group) => !late.includes(group));
      for (const group of late) giveUp(group, text);
      this.#away(text);
      if (late.some(({ isUnderWay }) => isUnderWay))
        this.#connection?.destroy(new ConnectionLost(text));
    }
    if (this.#failure !== undefined || this.#connection === undefined) return;
    if (this.#groups.length === 0 && nowMs - this.#provedMs > proveEveryMs) this.#append([]);
    if (nowMs < this.#tidyMs) return;
    this.#tidyMs = nowMs + tidyEveryMs;
    void this.#tidy();
  }

  /** Uses a connection that no order waits for. After a failure it tries again later. */
  async #tidy(): Promise<void> {
    const text = 'select causeway_signer.tidy($1) as deleted';
    const ask = (connection: Connection) =>
      connection.query<{ deleted: number }>({ text, values: [rowsAtOnce] });
    const rows = await this.#reader.ask(ask).catch(() => []);
    if (rows[0]?.deleted === rowsAtOnce) this.#tidyMs = 0;
  }

  #away(problem: string): void {
    this.#problem = problem;
    if (!this.#isAwayReported)
      this.#options.alarm(`the ledger does not record: ${problem}`, 'ledger_away');
    this.#isAwayReported = true;
  }

  /** After a full disk, records are tried again from time to time, and only one that succeeds is reported. */
  #isBack(hasRecorded: boolean): void {
    if (hasRecorded) this.#fullMs = undefined;
    const fullMs = this.#fullMs;
    if (fullMs !== undefined && performance.now() - fullMs < 10 * this.#answerMs) return;
    this.#problem = undefined;
    if (!this.#isAwayReported || fullMs !== undefined) return;
    this.#isAwayReported = false;
    this.#options.alarm('the ledger records again', 'ledger_back');
  }

  #refuseAll(): void {
    this.#gathering = undefined;
    for (const group of this.#groups.splice(0)) giveUp(group, this.#failure ?? 'it is closed');
  }
}

function rowOf({ account, bounds, day, denied, digest, nonce, spend }: Claim): object {
  const { daily, knownNonce, maxNonceJump } = bounds;
  return {
    account: account.slice(2),
    digest: Buffer.from(digest).toString('hex'),
    nonce,
    // A compromised bridge may recall any floor, so jumps are not measured from it.
    ...{ floor: 0, newest: knownNonce ?? -1, max_jump: maxNonceJump },
    may_be_new: denied === undefined,
    ...{ market: spend.market, day },
    ...{ buy: `${spend.qty.Bid}`, sell: `${spend.qty.Ask}`, notional: `${spend.notional}` },
    most_buy: daily?.qty.Bid?.toString(),
    most_sell: daily?.qty.Ask?.toString(),
    most_notional: daily?.notional?.toString(),
  };
}

function newGroup(dueMs: number): Group {
  const { promise, resolve } = Promise.withResolvers<readonly string[] | Refused>();
  const answer = { verdicts: promise, settle: resolve };
  return { claims: [], dueMs, ...answer, isSent: false, isUnderWay: false };
}

/** A group that was never sent cannot be recorded, now or later. */
function giveUp({ isSent, settle }: Group, reason: string): void {
  settle({ code: isSent ? 'unanswered' : 'unavailable', text: `the ledger: ${reason}` });
}

function isRecorded(verdict: string): boolean {
  return verdict === 'new' || verdict === 'same';
}

function lossOf(verdict: string | undefined, { denied }: Claim): Loss | undefined {
  if (verdict === 'other_digest' || verdict === 'nonce_too_old') return { code: verdict };
  if (verdict === 'unknown' && denied !== undefined) return denied;
  if (verdict?.startsWith('policy ')) return { code: 'policy', text: verdict.slice(7) };
  if (verdict !== undefined && isRecorded(verdict)) return undefined;
  return { code: 'not_recorded', text: `the ledger answered ${verdict}` };
}
