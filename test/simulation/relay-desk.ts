/**
 * A process that only relays, beside the bridge, with a reader: it follows the streams of the accounts with a store of its
 * own, dies and begins again. Its reader must be told each trade once, and know at rest which orders are open.
 */
import { dirname, resolve } from 'node:path';
import { configSchema } from '../../src/gateway/config/config.ts';
import { CopyRelay } from '../../src/gateway/relay/copy-relay.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { aliases } from './cast.ts';
import { textOf } from './client-log.ts';
import type { Dice } from './dice.ts';
import { bridgeCompId, FixTrader, type Said } from './fix-trader.ts';
import type { Door } from './memory-link.ts';
import { mortalStore } from './mortal-store.ts';
import { instruments } from './random-commands.ts';
import type { SimulatedVenue } from './simulated-venue.ts';
import type { LedgerOrder, VenueLedger } from './venue-ledger.ts';
import type { VirtualTime, Wall } from './virtual-time.ts';

export interface RelayDeskParts {
  readonly time: VirtualTime;
  readonly wall: Wall;
  readonly dice: Dice;
  readonly venue: SimulatedVenue;
  readonly ledger: VenueLedger;
  readonly profileFile: string;
  readonly note: (text: string) => void;
  readonly wrong: (text: string, trace?: readonly string[]) => void;
}

interface Process {
  isAlive: boolean;
  door: Door | undefined;
}

const secret = 'secret of the relay';
const compId = 'RELAY';
/** New, partially filled and replaced. */
const open = new Set(['0', '1', '5']);

export class RelayDesk {
  readonly #parts: RelayDeskParts;
  readonly #store = new MemoryStore();
  readonly #reader: FixTrader;
  #process: Process = { isAlive: false, door: undefined };
  #isComing = false;
  /** Trades by account and number of their event. */
  readonly #trades = new Map<string, Said>();
  /** The last report by OrderID(37). */
  readonly #orders = new Map<string, Said>();

  constructor(parts: RelayDeskParts) {
    this.#parts = parts;
    const { dice, time, wall } = parts;
    this.#reader = new FixTrader({
      ...{ compId, dice, secret, time, username: 'relay', clock: time.clock(wall) },
      heard: (said) => this.#heard(said),
      changed: () => {},
    });
  }

  async start(): Promise<void> {
    const { time, venue, wall, wrong } = this.#parts;
    const process: Process = { isAlive: true, door: undefined };
    this.#process = process;
    const isAlive = () => process.isAlive;
    const clock = time.clock(wall, isAlive);
    await time.until(
      CopyRelay.open({
        ...{ loaded: this.#loaded(), clock, alarm: () => {}, notice: () => {} },
        fatal: (error) => {
          if (isAlive()) wrong(`the relay ended itself: ${error}`);
        },
        outside: {
          openStore: async () => mortalStore(this.#store, isAlive, { time, syncMs: undefined }),
          openSigner: () => Promise.reject(new Error('a relay has no signer')),
          openPorts: () => ({
            ...{ fix: 1, fixp: 0, renewal: () => () => {}, close: async () => {} },
            open: async (_loaded, _plan, { directory }) => {
              process.door = {
                ...{ reception: directory, isAlive, now: () => clock.now() },
                attach: (session, link, first) => directory.attach(session, link, first),
              };
            },
          }),
          network: venue.network(isAlive),
          random: () => this.#parts.dice.next(),
        },
      }),
    );
  }

  async step(): Promise<void> {
    const { dice, note, time } = this.#parts;
    if (dice.hits(6)) {
      this.end();
      note('the relay dies');
      this.#reader.lost();
      await time.pass(dice.below(2_000));
      await this.start();
      note('the relay is back');
    }
    if (dice.hits(10)) this.#reader.cut(dice.below(2_000));
    this.#comeBack();
  }

  async judge(): Promise<void> {
    const { ledger, time, wrong } = this.#parts;
    for (let i = 0; i < 60 && !this.#reader.isUp; i += 1) {
      this.#comeBack();
      await time.pass(3_000);
    }
    if (!this.#reader.isUp) wrong('the reader of the relay cannot log on');
    await time.pass(70_000);
    for (const { alias, order, price, qty, seq } of ledger.fills) {
      const said = this.#trades.get(`${alias} ${seq}`);
      if (said === undefined) wrong(`the relay does not tell the trade ${alias} ${seq}`);
      else if (atoms(said, '32', order, 'qtyScale') !== qty) this.#isOther(said, 'quantity');
      else if (atoms(said, '31', order, 'priceScale') !== price) this.#isOther(said, 'price');
    }
    if (this.#trades.size > ledger.fills.length)
      wrong(`the relay tells ${this.#trades.size} trades, the venue has ${ledger.fills.length}`);
    this.#judgeOrders();
  }

  end(): void {
    this.#process.isAlive = false;
  }

  #judgeOrders(): void {
    const { ledger, wrong } = this.#parts;
    const others = aliases.flatMap((alias) => ledger.othersOf(alias));
    const atVenue = [...ledger.allOpen, ...others];
    const ids = new Set(atVenue.map(({ orderId }) => orderId));
    for (const order of atVenue) {
      const said = this.#orders.get(order.orderId);
      const isOpen = said !== undefined && open.has(textOf(said, '39') ?? '');
      if (!isOpen || atoms(said, '151', order, 'qtyScale') !== order.leavesQty)
        wrong(`the relay does not know ${order.orderId} with ${order.leavesQty}`, textsOf(said));
    }
    for (const [orderId, said] of this.#orders) {
      if (open.has(textOf(said, '39') ?? '') && !ids.has(orderId))
        wrong(`the relay takes ${orderId} for open`, textsOf(said));
    }
  }

  #heard(said: Said): void {
    if (textOf(said, '35') !== '8') return;
    const key = `${textOf(said, '1')} ${textOf(said, '9110')}`;
    const isAgain = textOf(said, '97') === 'Y';
    if (textOf(said, '150') === 'F') {
      if (this.#trades.has(key) && !isAgain)
        this.#parts.wrong(`the relay tells the trade ${key} twice`, textsOf(said));
      this.#trades.set(key, said);
    }
    if (isAgain) return;
    // The order whose place it took, or that placed it; for a slice of an algo it is the algo itself.
    this.#orders.delete(textOf(said, '9112') ?? '');
    this.#orders.set(textOf(said, '37') ?? '', said);
  }

  #isOther(said: Said, what: string): void {
    this.#parts.wrong(`the relay tells another ${what} than the venue`, textsOf(said));
  }

  #comeBack(): void {
    const { dice, time } = this.#parts;
    if (this.#reader.isUp || this.#isComing) return;
    this.#isComing = true;
    time.after(dice.pick([5, 300, 2_500]), () => {
      this.#isComing = false;
      const { door, isAlive } = this.#process;
      if (door !== undefined && isAlive && !this.#reader.isUp) this.#reader.connect(door);
    });
  }

  #loaded(): Parameters<typeof CopyRelay.open>[0]['loaded'] {
    const { profileFile, venue } = this.#parts;
    const files = { apiKeyFile: 'none', apiSecretFile: 'none', passphraseFile: 'none' };
    const facts = aliases.map((_, index) => venue.venue.accounts[index]);
    const config = configSchema.parse({
      ...{ environment: 'local', dataDir: 'relay', roles: ['drop-copy'] },
      venue: { profile: profileFile, baseUrl: 'http://127.0.0.1:1' },
      accounts: aliases.map((name, index) => ({
        ...{ name, account: facts[index]?.account ?? '', ...files },
      })),
      fix: { listen: { port: 0 } },
      users: [{ name: 'relay', hmacSecretFile: 'none' }],
      sessions: [
        {
          ...{ senderCompId: compId, targetCompId: bridgeCompId, role: 'drop-copy' },
          ...{ users: ['relay'], accounts: aliases },
        },
      ],
    });
    const user = { username: 'relay', hash: null, hmacSecret: secret };
    return {
      config,
      credentials: new Map(
        aliases.map((name, index) => {
          const { apiKey = '', apiSecret = '', passphrase = '' } = facts[index] ?? {};
          return [name, { key: apiKey, secret: apiSecret, passphrase, older: undefined }];
        }),
      ),
      users: new Map([['relay', user]]),
      connectPasswords: new Map(),
      operators: new Map(),
      path: (file) => resolve(dirname(profileFile), file),
      at: (key) => key.join('.'),
    };
  }
}

function atoms(
  said: Said,
  tag: string,
  { book, market }: LedgerOrder,
  scale: 'qtyScale' | 'priceScale',
): number {
  const traded = instruments.find((one) => one.book === book && one.market === market);
  return Math.round(Number(textOf(said, tag)) * 10 ** (traded?.[scale] ?? 0));
}

function textsOf(said: Said | undefined): readonly string[] {
  return said === undefined ? [] : [said.map((field) => field.join('=')).join('|')];
}
