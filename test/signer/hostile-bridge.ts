/**
 * A bridge that somebody has taken over: it sends everything that its privileges allow. What comes back is judged by rules that are
 * written down here a second time, from the raw JSON of the request, so that nothing of the signer vouches for itself.
 */

import type { Account } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { type Blake3, referenceBlake3 } from '../../src/signer/blake3.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import type { Ecdsa } from '../../src/signer/ecdsa.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import type { Policy } from '../../src/signer/policy.ts';
import { RefusalAlarms } from '../../src/signer/refusal-alarms.ts';
import { signerOf } from '../../src/signer/scheme.ts';
import type { SignRequest, SignResult } from '../../src/signer/signer.ts';
import type { RaiseSignerAlarm, SignerAlarm } from '../../src/signer/signer-alarm.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import {
  FrameError,
  helloFrame,
  readAnswer,
  readRequest,
  recallFrame,
  signFrame,
} from '../../src/signer/signer-frame.ts';
import type { SignerWatch } from '../../src/signer/signer-server.ts';
import { MemoryLedger } from './memory-ledger.ts';
import { account, contract, openPolicy, secretKey } from './signer-samples.ts';

/** Answers what was sent with whole frames without their lengths, or ends the connection. */
export interface Wire {
  send(bytes: Uint8Array): Promise<readonly Uint8Array[] | 'closed'>;
}

export const limits = { qty: 100, buyPrice: 60, sellPrice: 40, notional: 5_000, daily: 20_000 };

export const policy: Policy = {
  ...openPolicy,
  accounts: new Set([account]),
  actions: new Set(['SpotPlaceOrder', 'SpotQuoteReplace', 'AmendOrder']),
  markets: new Map([
    [
      1,
      {
        notional: BigInt(limits.notional),
        qty: { Bid: BigInt(limits.qty), Ask: BigInt(limits.qty) },
        price: { Bid: BigInt(limits.buyPrice), Ask: BigInt(limits.sellPrice) },
        daily: {
          qty: { Bid: BigInt(limits.daily), Ask: BigInt(limits.daily) },
          notional: null,
        },
      },
    ],
  ]),
  placementsPerSecond: 1_000_000,
  burst: 1_000_000,
  maxNonceJump: 5_000,
};

export function hostileCore(ecdsa: Ecdsa, blake3: Blake3 = referenceBlake3) {
  const clock = new ManualClock();
  const ledger = new DigestLedger(new MemoryLedger());
  const alarms = new Map<SignerAlarm, number>();
  const faults: string[] = [];
  const alarm: RaiseSignerAlarm = (_, code) => alarms.set(code, (alarms.get(code) ?? 0) + 1);
  const refusals = new RefusalAlarms(clock, alarm);
  const core = new SignerCore({
    ...{ contract, blake3, ledger, clock },
    keys: [{ holder: localKey(ecdsa, secretKey()), policy }],
    paused: () => null,
    alarm,
    fatal: (error) => {
      throw error;
    },
  });
  const watch: SignerWatch = {
    report() {},
    ended(text) {
      if (/fault/.test(text)) faults.push(text);
      alarm(text, 'connection_ended');
    },
    answered(_, results) {
      for (const result of results) refusals.add(result);
      return results;
    },
  };
  return { alarms, clock, core, faults, watch };
}

interface Fields {
  readonly market?: unknown;
  readonly legs?: readonly Fields[];
}

/** As the text has it. */
interface Payload {
  readonly account: unknown;
  readonly nonce: number;
  readonly nonce_reservation_id: unknown;
  readonly action: Readonly<Record<string, Fields>>;
}

interface Term {
  readonly market: unknown;
  readonly side: unknown;
  readonly price: unknown;
  readonly qty: unknown;
}

/** What the answers may be. */
export class Judge {
  readonly #ecdsa: Ecdsa;
  readonly #blake3: Blake3;
  readonly #address: Account;
  readonly #placed = new Map<number, string>();
  readonly #daily = { Bid: 0, Ask: 0 };
  readonly faults: string[] = [];
  readonly counts: Record<string, number> = {};

  constructor(ecdsa: Ecdsa, blake3: Blake3, address: Account) {
    this.#ecdsa = ecdsa;
    this.#blake3 = blake3;
    this.#address = address;
  }

  /** A new day of the signer's clock. */
  newDay(): void {
    Object.assign(this.#daily, { Bid: 0, Ask: 0 });
  }

  digestOf(canonical: Uint8Array): Uint8Array {
    const domain = Buffer.from('SANDBOX/ACTION_PAYLOAD/v1');
    return this.#blake3(Buffer.concat([domain, canonical]));
  }

  judge(canonical: Uint8Array, result: SignResult): void {
    const name = result.kind === 'signed' ? 'signed' : result.code;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (result.kind !== 'signed') return;
    const text = Buffer.from(canonical).toString();
    const digest = this.digestOf(canonical);
    if (Buffer.compare(digest, result.digest) !== 0) this.#fault('another digest', text);
    const signer = signerOf(contract.signing, this.#ecdsa, digest, result.signature);
    if (!('address' in signer) || signer.address !== this.#address) {
      this.#fault('another signer', text);
    }
    const problem = this.#problem(JSON.parse(text), Buffer.from(digest).toString('hex'));
    if (problem !== undefined) this.#fault(problem, text);
  }

  #problem(payload: Payload, digest: string): string | undefined {
    const { action, nonce } = payload;
    const [kind = ''] = Object.keys(action);
    const fields = action[kind] ?? {};
    if (payload.account !== account) return 'another account';
    if (payload.nonce_reservation_id !== null) return 'a reservation';
    if (/^Cancel/.test(kind) || kind === 'AmendOrder') return undefined;
    if (kind !== 'SpotPlaceOrder' && kind !== 'SpotQuoteReplace') return `a ${kind}`;
    const legs = kind === 'SpotPlaceOrder' ? [fields] : (fields.legs ?? []);
    const terms = legs.map((leg) => ({ market: fields.market, ...leg }) as unknown as Term);
    const placing = terms.filter(({ qty }) => qty !== 0);
    if (placing.length === 0) return undefined;
    const isRepeated = this.#placed.get(nonce) === digest;
    if (this.#placed.has(nonce) && !isRepeated) return 'two placements for a nonce';
    this.#placed.set(nonce, digest);
    for (const { market, price, qty, side } of placing) {
      if (typeof price !== 'number' || typeof qty !== 'number') return 'no number';
      if (market !== 1) return 'another market';
      if (qty > limits.qty || price * qty > limits.notional) return 'too large';
      if (side === 'Bid' ? price > limits.buyPrice : price < limits.sellPrice) return 'its price';
      if (!isRepeated) this.#daily[side as 'Bid' | 'Ask'] += qty;
    }
    const isOver = this.#daily.Bid > limits.daily || this.#daily.Ask > limits.daily;
    return isOver ? 'more than a day allows' : undefined;
  }

  #fault(problem: string, text: string): void {
    this.faults.push(`${problem} was signed: ${text}`);
  }
}

/** Numbers from a seed. */
export type Below = (bound: number) => number;

export function belowOf(seed: number): Below {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const odd = ['0', '-1', '1.5', '1e2', '9007199254740993', '18446744073709551616', '"5"', 'null'];

/** One request: mostly an order near the limits, often with something wrong. */
function canonicalOf(below: Below, base: number): Buffer {
  const pick = <T>(...values: readonly [T, ...T[]]): T => values[below(values.length)] as T;
  const rarely = <T>(usual: T, other: () => T) => (below(12) === 0 ? other() : usual);
  const amount = (most: number) => rarely(`${1 + below(most)}`, () => pick(...(odd as [string])));
  const terms = () =>
    `"side":"${rarely(pick('Bid', 'Ask'), () => 'Sell')}","price":${amount(80)},"qty":${amount(130)},` +
    `"stp_mode":null,"time_in_force":"gtc","is_market":${below(15) === 0},"reduce_only":false,"expires_at":null`;
  const market = rarely('1', () => pick('2', '-1', '1.0', '4294967297'));
  const id = `0x${'ab'.repeat(32)}`;
  const leg = () => `{"cancel_order_id":${pick('null', `"${id}"`)},${terms()}}`;
  const legs = () => Array.from({ length: below(5) }, leg).join();
  const place = () => `{"SpotPlaceOrder":{"market":${market},${terms()}}}`;
  const action = pick(
    place,
    place,
    place,
    () => `{"SpotQuoteReplace":{"market":${market},"legs":[${legs()}]}}`,
    () => `{"Cancel":{"order_id":"${id}"}}`,
    () => `{"AmendOrder":{"order_id":"${id}","new_qty":${amount(10)}}}`,
    () => `{"PlaceOrder":{"market":${market},"book":"yes",${terms()}}}`,
    () => `{"Withdraw":{"to":"${id}"}}`,
    () => `{"SpotPlaceOrder":{"market":${market},${terms()}},"Cancel":{"order_id":"${id}"}}`,
  )();
  const whose = rarely(account as string, () => `0x${'2'.repeat(40)}`);
  const nonce = rarely(`${base + below(400)}`, () => pick('9007199254740991', '0', ...odd));
  const reservation = rarely('null', () => '"r"');
  const text = `{"account":"${whose}","nonce":${nonce},"nonce_reservation_id":${reservation},"ts":1700000000003,"action":${action}}`;
  const spoiled = rarely(text, () =>
    pick(
      () => text.replace('"ts":', '"ts": '),
      () => text.replace('{"account"', '{"account":"x","account"'),
      () => text.slice(0, below(text.length)),
      () => `${'['.repeat(below(3000))}${text}`,
      () => text.replaceAll('a', '\\u0061'),
      () => `${text}${text}`,
      () => text.replace('null', `"${'x'.repeat(below(70_000))}"`),
    )(),
  );
  const bytes = Buffer.from(spoiled);
  if (below(20) === 0 && bytes.length > 0) bytes[below(bytes.length)] = below(256);
  return bytes;
}

export class HostileBridge {
  readonly #wire: Wire;
  readonly #judge: Judge;
  readonly #below: Below;
  #base = 1_000;
  #lastId = 0;
  #kept: Buffer[] = [];
  frames = 0;

  constructor(wire: Wire, judge: Judge, below: Below) {
    this.#wire = wire;
    this.#judge = judge;
    this.#below = below;
  }

  async attack(frames: number): Promise<void> {
    const until = this.frames + frames;
    while (this.frames < until) await this.#step();
  }

  async #step(): Promise<void> {
    const below = this.#below;
    this.frames += 1;
    if (below(40) === 0) this.#base += below(300);
    switch (below(14)) {
      case 0:
        await this.#noise(Buffer.from(Array.from({ length: below(60) }, () => below(256))));
        break;
      case 1: {
        const anchor = { id: 'cd'.repeat(16), count: below(1000), chain: 'ef'.repeat(16) };
        await this.#noise(helloFrame(1, anchor));
        break;
      }
      case 2: {
        await this.#recall();
        break;
      }
      case 3: {
        const frame = Buffer.from(signFrame(1, this.#requests()));
        for (let flips = 1 + below(3); flips > 0; flips -= 1)
          frame[below(frame.length)] = below(256);
        await this.#noise(frame.subarray(0, below(3) === 0 ? below(frame.length) : frame.length));
        break;
      }
      default:
        await this.#ask();
    }
  }

  /** Claims that an action was signed before, mostly one that nobody would sign, and asks for it. */
  async #recall(): Promise<void> {
    const below = this.#below;
    const canonical = canonicalOf(below, this.#base);
    const nonce = Number(/"nonce":(\d{1,15}),/.exec(canonical.toString())?.[1]);
    if (!(nonce < this.#base + 400)) return;
    const digest = Buffer.from(this.#judge.digestOf(canonical)).toString('hex');
    const floor = Math.max(0, this.#base - below(200));
    await this.#noise(recallFrame(account, floor, new Map([[nonce, digest]])));
    await this.#ask([{ canonical, scheme: 'ecdsa' }]);
  }

  #requests(): SignRequest[] {
    const below = this.#below;
    return Array.from({ length: 1 + below(3) }, () => {
      const isReplay = this.#kept.length > 0 && below(6) === 0;
      const canonical = isReplay
        ? (this.#kept[below(this.#kept.length)] as Buffer)
        : canonicalOf(below, this.#base);
      if (below(10) === 0) this.#kept = [...this.#kept.slice(-50), canonical];
      return { canonical, scheme: below(10) === 0 ? ('eip191' as const) : ('ecdsa' as const) };
    });
  }

  /** Whatever comes back must be whole frames, and a frame that is still one is judged like any other. */
  async #noise(bytes: Uint8Array): Promise<void> {
    const answers = await this.#wire.send(bytes);
    if (answers === 'closed') return;
    for (const answer of answers) {
      const frame = this.#read(answer);
      if (frame?.kind !== 'signed') continue;
      const asked = readRequest(bytes.subarray(4));
      const requests = asked.kind === 'sign' ? asked.requests : [];
      for (const [index, result] of frame.results.entries()) {
        const { canonical, scheme } = requests[index] ?? {};
        if (canonical === undefined || scheme === undefined) continue;
        const named = contract.signing.schemes[scheme];
        if (result.kind === 'refused') this.#judge.judge(canonical, result);
        else {
          const signature = { ...result.signature, scheme: named };
          this.#judge.judge(canonical, { ...result, signature });
        }
      }
    }
  }

  async #ask(requests = this.#requests()): Promise<void> {
    this.#lastId = (this.#lastId % 1_000_000) + 2;
    const isTooLong = requests.some(({ canonical }) => canonical.length > 65_536);
    const answers = await this.#wire.send(signFrame(this.#lastId, requests));
    if (answers === 'closed') {
      if (!isTooLong) this.#judge.faults.push('a well-formed frame ended the connection');
      return;
    }
    for (const answer of answers) {
      const frame = this.#read(
        answer,
        requests.map(({ scheme }) => contract.signing.schemes[scheme]),
      );
      if (frame?.kind !== 'signed' || frame.id !== this.#lastId) continue;
      if (frame.results.length !== requests.length) this.#judge.faults.push('a lost answer');
      for (const [index, result] of frame.results.entries()) {
        const asked = requests[index];
        if (asked !== undefined) this.#judge.judge(asked.canonical, result);
      }
    }
  }

  #read(answer: Uint8Array, schemes: readonly string[] = []) {
    try {
      return readAnswer(answer, (_, index) => schemes[index] ?? contract.signing.schemes.ecdsa);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#judge.faults.push(`an answer that is no frame: ${error.message}`);
      return undefined;
    }
  }
}
