/**
 * The whole bridge as its clients and its operator have it, in virtual time: the gateway itself with its sessions on
 * both lanes, its drop copies, its line of orders; the sandbox's engine as the venue. Only disk, sockets and chance are
 * simulated. The process dies at any moment and a next one begins on what the store has kept.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Account } from '../../src/domain/units.ts';
import { MassCancels } from '../../src/engine/mass-cancels.ts';
import { ordersBounds } from '../../src/engine/orders.ts';
import { statePieces } from '../../src/engine/state-writer.ts';
import { configSchema } from '../../src/gateway/config/config.ts';
import type { LoadedConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import type { Outside } from '../../src/gateway/outside.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { refusal, type SignRequest, type SignResult } from '../../src/signer/signer.ts';
import type { RaiseSignerAlarm } from '../../src/signer/signer-alarm.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import type { SigningContract } from '../../src/signer/signing-contract.ts';
import { PositionConflict } from '../../src/store/store.ts';
import { defaultHostLimits } from '../../src/transport/host.ts';
import { MemoryLedger } from '../signer/memory-ledger.ts';
import { openPolicy } from '../signer/signer-samples.ts';
import { WrittenStore } from '../support/written-store.ts';
import { aliases, type Cast, type CopyWish } from './cast.ts';
import type { Dice } from './dice.ts';
import { bridgeCompId } from './fix-trader.ts';
import type { Door } from './memory-link.ts';
import { mortalStore, passed, type SlowDisk } from './mortal-store.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import { simulatedLog } from './simulated-log.ts';
import type { SimulatedVenue } from './simulated-venue.ts';
import { newerKeyOf, olderCredentialOf } from './venue-keys.ts';
import type { VirtualTime, Wall } from './virtual-time.ts';

export type BridgePlan = Pick<
  Cast,
  'accountLimits' | 'amendQty' | 'figures' | 'habits' | 'rules' | 'sessions'
>;

/** By number; the others of the shipped profile are not listed. */
const listed = [2, 3, 7];
const shippedProfile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const { blake3 } = await fastestBlake3();
const { atOnce: canceledAtOnce } = MassCancels;
const usualLimits = { ...defaultHostLimits };
const usualBounds = { ...ordersBounds };
const usualPieces = { ...statePieces };
const fewRates = {
  orders: { perSecond: 10, burst: 30 },
  cancels: { perSecond: 10, burst: 20 },
  maxRefusals: 1_000_000,
};
const fewUnread = { unreadBytes: 4_000, unrecordedBytes: 2_000, replayPieceBytes: 3_000 };

/** A process of the bridge: what it began is nothing once it is dead. */
interface Process {
  isAlive: boolean;
  isStopping: boolean;
  /** Ends it once it notices that another process has taken over. */
  giveUp: (() => void) | undefined;
  gateway: Gateway | undefined;
  doors: { fix: Door; fixp: Door } | undefined;
}

type OpenedSigner = Awaited<ReturnType<Outside['openSigner']>>;

/** For all seeds of a thread. */
let shipped: ReturnType<typeof fewMarkets> | undefined;

function writeProfile(directory: string, plan: BridgePlan): string {
  const { amendQty: newQty, figures, habits, rules } = plan;
  const file = join(directory, 'venue.yaml');
  shipped ??= fewMarkets();
  const batches = {
    lanes: { ...shipped.lanes, order: ['jsonBatch', 'actions'] },
    batch: { derivedOrderIds: newQty === 'total' ? 'per_action_nested' : 'flat' },
  };
  const lanes = habits.has('batches') ? batches : {};
  const profile = { ...shipped, ...lanes, amend: { newQty } };
  writeFileSync(file, stringify(merged(merged(profile, rules?.profile), figures)));
  return file;
}

/** Each key as `own` has it, and what `own` does not name as it is. */
function merged(profile: object, own: object = {}): object {
  const before = profile as Readonly<Record<string, unknown>>;
  const isSection = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
  const entries = Object.entries(own).map(([key, value]) => {
    const old = before[key];
    return [key, isSection(value) && isSection(old) ? merged(old as object, value) : value];
  });
  return { ...profile, ...Object.fromEntries(entries) };
}

/** The shipped profile with few markets, and without what only costs time here. */
function fewMarkets() {
  const profile = parse(readFileSync(shippedProfile, 'utf8')) as {
    markets: { marketId: number }[];
    limits: object;
    lanes: object;
  };
  const caps = {
    openOrders: 5_000,
    openOrdersPerMarket: 5_000,
    ordersPerLevel: 5_000,
    levelsPerSide: 5_000,
  };
  const markets = profile.markets.filter(({ marketId }) => listed.includes(marketId));
  return { ...profile, markets, limits: { ...profile.limits, caps } };
}

export class WholeBridge {
  /** How far the bridge's wall clock is off. */
  readonly wall: Wall = { offMs: 0 };
  readonly disk: SlowDisk;
  /** Under the real store, where that takes the place of the one in memory. */
  readonly #power: SimulatedDisk | undefined;
  readonly alarms: string[] = [];
  /** The first thing that ended the process of itself. */
  fatal: unknown;
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #venue: SimulatedVenue;
  readonly #plan: BridgePlan;
  readonly #directory = mkdtempSync(join(tmpdir(), 'causeway-simulation-'));
  readonly store = new WrittenStore();
  readonly #ledgerFile = new MemoryLedger();
  readonly profileFile: string;
  /** What the operator has changed in the file, by CompID; null: the session is not in it. */
  readonly edits = new Map<string, object | null>();
  /** The hours of FIX sessions, by CompID. */
  readonly hours = new Map<string, object>();
  #process: Process | undefined;
  /** Processes that go on although another has taken over. */
  readonly #replaced = new Set<Process>();
  /** Of its own process, where one process takes over from another. */
  #signerProcess: OpenedSigner | undefined;

  constructor(
    time: VirtualTime,
    dice: Dice,
    venue: SimulatedVenue,
    plan: BridgePlan,
    power?: SimulatedDisk,
  ) {
    this.#time = time;
    this.#dice = dice;
    this.#venue = venue;
    this.#plan = plan;
    this.disk = { time, syncMs: undefined };
    this.#power = power;
    if (power !== undefined) power.delay = () => passed(time, this.disk.syncMs?.() ?? 0);
    this.profileFile = writeProfile(this.#directory, plan);
    // So that a mass cancel of few orders takes many transactions, too, and few reports are too many for a slow reader.
    MassCancels.atOnce = 5;
    if (plan.habits.has('slow')) Object.assign(defaultHostLimits, fewUnread);
    if (!plan.habits.has('memory')) return;
    Object.assign(ordersBounds, { ...usualBounds, endedOrders: 400 });
    Object.assign(statePieces, { every: 12, ordersInPart: 4, namesInPart: 20 });
  }

  get gateway(): Gateway {
    const gateway = this.#process?.gateway;
    if (gateway === undefined) throw new Error('the bridge is down');
    return gateway;
  }

  get isUp(): boolean {
    return this.#process?.gateway !== undefined && this.#process.isAlive;
  }

  /** By its name in the bridge; the file may be without it. */
  hasSession(name: string): boolean {
    return this.gateway.view.sessions().some((row) => row.name === name);
  }

  /** Undefined while the bridge is down. */
  door(protocol: 'fix' | 'fixp'): Door | undefined {
    return this.#process?.isAlive === true ? this.#process.doors?.[protocol] : undefined;
  }

  async start(): Promise<void> {
    const process: Process = {
      ...{ isAlive: true, isStopping: false, giveUp: undefined },
      ...{ gateway: undefined, doors: undefined },
    };
    this.#process = process;
    const isAlive = () => process.isAlive;
    const clock = this.#time.clock(this.wall, isAlive);
    process.gateway = await this.#time.until(
      Gateway.open({
        loaded: this.#config(),
        clock,
        alarm: (text) => {
          if (isAlive()) this.alarms.push(text);
        },
        notice: () => {},
        fatal: (error) => {
          if (!isAlive()) return;
          if (error instanceof PositionConflict && process.giveUp !== undefined) process.giveUp();
          else this.fatal ??= error;
        },
        outside: this.#outside(process),
      }),
    );
  }

  /** The file is read again. */
  async reload(): Promise<void> {
    const process = this.#process;
    try {
      await this.gateway.reload(this.#config());
    } catch (error) {
      // A reload that a stop overtakes finds the store closed.
      if (process?.isAlive === true && !process.isStopping) this.fatal ??= error;
    }
  }

  /** The operator opens the accounts that the venue's refusals have stopped. */
  reopen(): void {
    const { operator } = this.gateway;
    for (const alias of aliases) {
      if (operator.stopOf(alias).state !== 'open')
        operator.reopen({ who: 'operator', why: '' }, alias);
    }
  }

  /** Another process begins on the same data while this one goes on, until it notices that. */
  async takeOver(): Promise<void> {
    const former = this.#process;
    if (former === undefined || this.#power === undefined) throw new Error('nothing to take over');
    const endUse = this.#power.share();
    former.giveUp = () => {
      former.isAlive = false;
      endUse();
      this.#replaced.delete(former);
    };
    this.#replaced.add(former);
    await this.start();
  }

  /** At once, whatever is under way. */
  crash(losesPower = false): void {
    if (this.#process !== undefined) this.#process.isAlive = false;
    for (const { giveUp } of this.#replaced) giveUp?.();
    this.#process = undefined;
    this.#power?.end(losesPower);
  }

  /** In good order. */
  async stop(): Promise<void> {
    if (this.#process !== undefined) this.#process.isStopping = true;
    await this.#time.until(this.gateway.stop());
    this.crash();
  }

  dispose(): void {
    this.crash();
    MassCancels.atOnce = canceledAtOnce;
    Object.assign(defaultHostLimits, usualLimits);
    Object.assign(ordersBounds, usualBounds);
    Object.assign(statePieces, usualPieces);
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #outside(process: Process): Outside {
    const isAlive = () => process.isAlive;
    return {
      openStore: async (options) =>
        this.#power === undefined
          ? mortalStore(this.store, isAlive, this.disk)
          : simulatedLog(options, this.#power),
      openSigner: async (_loaded, contract, raise) => {
        const alarm = (text: string, code: string) => raise(text, { event: 'signer', code });
        if (!this.#plan.habits.has('takeovers')) return this.#signer(contract, alarm, isAlive);
        this.#signerProcess ??= this.#signer(contract, alarm, () => true);
        return { ...this.#signerProcess, close: async () => {} };
      },
      openPorts: () => ({
        fix: 1,
        fixp: 2,
        open: async (_loaded, _plan, { directory, fixpDirectory, clock }) => {
          const doorOf = (reception: typeof directory): Door => ({
            reception: reception,
            attach: (session, link, first) => reception.attach(session, link, first),
            isAlive,
            now: () => clock.now(),
          });
          process.doors = { fix: doorOf(directory), fixp: doorOf(fixpDirectory) };
        },
        renewal: () => () => {},
        close: async () => {},
      }),
      network: this.#venue.network(isAlive),
      random: () => this.#dice.next(),
    };
  }

  #signer(
    contract: SigningContract,
    alarm: RaiseSignerAlarm,
    isAlive: () => boolean,
  ): OpenedSigner {
    const { accounts, ecdsa } = this.#venue.venue;
    const hasOlder = this.#plan.habits.has('keys');
    const holderOf = (secret: string) => localKey(ecdsa, Buffer.from(secret, 'hex'));
    const core = new SignerCore({
      contract,
      blake3,
      ledger: new DigestLedger(this.#ledgerFile),
      clock: this.#time.clock(this.wall, isAlive),
      keys: accounts.map((one) => ({
        ...(hasOlder
          ? {
              holder: holderOf(newerKeyOf(one)),
              older: { holder: holderOf(one.ownerKey), expiresAtMs: null },
            }
          : { holder: holderOf(one.ownerKey) }),
        policy: {
          ...openPolicy,
          accounts: new Set([one.account as Account]),
          placementsPerSecond: 1_000_000,
          burst: 1_000_000,
        },
      })),
      paused: () => null,
      alarm,
      fatal: (error) => {
        this.fatal ??= error;
      },
    });
    return {
      keys: core.keys,
      sign: this.#plan.habits.has('signer')
        ? (request: SignRequest) => this.#signBadly(core, request)
        : core.sign.bind(core),
      recall: core.recall.bind(core),
      close: () => core.close(),
    };
  }

  /** As a separate signer, while the road to the venue is bad, too. */
  async #signBadly(core: SignerCore, request: SignRequest): Promise<SignResult> {
    const { hanging, late, lost, unsent } = this.#venue.faults;
    if (hanging + late + lost + unsent === 0 || !this.#dice.hits(120)) return core.sign(request);
    const fate = this.#dice.below(5);
    if (fate === 0) return refusal('unavailable', 'the signer is away');
    if (fate === 1) {
      const code = this.#dice.pick(['paused', 'rate', 'policy', 'expired'] as const);
      return refusal(code, 'by chance');
    }
    if (fate === 2) await passed(this.#time, this.#dice.below(3_000));
    // The answer may be lost, or the record may have failed after it was written.
    const isLost = fate > 2 && (fate === 3 || this.#dice.hits(500));
    const signed = isLost || fate === 2 ? await core.sign(request) : undefined;
    if (fate === 2 && signed !== undefined) return signed;
    return refusal(fate === 3 ? 'unanswered' : 'not_recorded', 'by chance');
  }

  #copyKeys({ of, by, ...rest }: CopyWish): object {
    if (of === undefined) return rest;
    const { sessions } = this.#plan;
    const users = of.map((name) => userOf(sessions.findIndex(({ compId }) => compId === name)));
    return { ...rest, [by]: by === 'users' ? users : of };
  }

  #config(): LoadedConfig {
    const { accountLimits, sessions } = this.#plan;
    const mayReset = (role: string) => role === 'drop-copy' || this.#plan.habits.has('sessions');
    // A reader that acknowledges copies itself may do so late, and has those that became too old no more.
    const isLate = sessions.some(({ copy }) => copy?.acknowledge === 'reader');
    const retainDays = isLate ? 30 : 2;
    const dayOrders = this.#plan.habits.has('days') ? 'end_of_day' : 'gtc';
    const files = { apiKeyFile: 'none', apiSecretFile: 'none', passphraseFile: 'none' };
    const facts = aliases.map((_, index) => this.#venue.venue.accounts[index]);
    const config = configSchema.parse({
      environment: 'local',
      dataDir: 'data',
      venue: { profile: this.profileFile, baseUrl: 'http://127.0.0.1:1' },
      signer: { mode: 'inline', configFile: 'none' },
      accounts: aliases.map((name, index) => ({
        name,
        account: facts[index]?.account ?? '',
        ...files,
        limits: accountLimits[name] ?? {},
      })),
      fix: { listen: { port: 0 } },
      fixp: { listen: { port: 0 } },
      ...(this.#plan.habits.has('weekends') && { journalDays: 1, dropCopy: { retainDays } }),
      users: sessions.map((_, index) => ({ name: `user-${index}`, hmacSecretFile: 'none' })),
      profiles: Object.fromEntries(
        sessions.map(({ profile, want }, index) => [
          `profile-${index}`,
          { reportQuoteOrders: true, dayOrders, ...profile, ...want },
        ]),
      ),
      sessions: sessions.flatMap(
        ({ accounts, cancelOnDisconnect, compId, copy, limits, protocol, role }, index) => {
          const edit = this.edits.get(compId);
          if (edit === null) return [];
          const session = {
            protocol,
            senderCompId: compId,
            ...(protocol === 'fix' && { targetCompId: bridgeCompId }),
            ...(protocol === 'fix' && mayReset(role) && { allowReset: true }),
            ...(this.hours.has(compId) && { engine: { schedule: this.hours.get(compId) } }),
            role,
            users: [`user-${index}`],
            accounts,
            actions: ['order', 'quote', 'algo', 'conditional'],
            profile: `profile-${index}`,
            limits,
            ...(this.#plan.habits.has('rates') && { rates: fewRates }),
            cancelOnDisconnect,
            ...(copy && { copy: this.#copyKeys(copy) }),
          };
          return [{ ...session, ...edit }];
        },
      ),
    });
    const users = sessions.map((_, index) => {
      const username = `user-${index}`;
      return [username, { username, hash: null, hmacSecret: secretOf(index) }] as const;
    });
    return {
      config,
      credentials: new Map(
        aliases.map((name, index) => {
          const account = facts[index];
          if (account === undefined) throw new Error(`the venue has no account for ${name}`);
          const { apiKey: key, apiSecret: secret, passphrase } = account;
          const older = this.#plan.habits.has('keys') ? olderCredentialOf(account) : undefined;
          return [name, { key, secret, passphrase, older }];
        }),
      ),
      users: new Map(users),
      connectPasswords: new Map(),
      operators: new Map(),
      path: (file) => resolve(this.#directory, file),
      at: (key) => key.join('.'),
    };
  }
}

/** What proves the user of the session with this place in the plan. */
export const secretOf = (index: number) => `secret of user ${index}`;
export const userOf = (index: number) => `user-${index}`;
