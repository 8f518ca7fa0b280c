/** FIXP and SBE in the words of the run's history: bytes at the offsets of docs/FIXP-MESSAGES.md. */
import { randomBytes } from 'node:crypto';
import { PlainFixpPeer } from '../plain-fixp-peer.ts';
import type { Report } from './history.ts';
import { isSoon, type Lane, type LaneEvents, type Request } from './lane.ts';

const symbol = 'BTC-USDC';
const marketId = 1n;
const schemaId = 4144;
const header = 8;
const templates = { new: 100, replace: 101, cancel: 102 } as const;
const blocks = { new: 124, replace: 163, cancel: 94 } as const;
const never = { u64: 2n ** 64n - 1n, u32: 2 ** 32 - 1 } as const;
/** ExecType(150) of the reports that have only one. */
const execTypes = new Map([
  [200, '0'],
  [201, '5'],
  [202, '4'],
  [203, 'F'],
  [204, '8'],
  [205, 'C'],
  [206, 'D'],
  [207, 'I'],
]);
const pending = 208;
const cancelReject = 210;
const businessReject = 212;

/** The bridge records 100 gaps of a flow and ends the session at the next one. */
const mostGaps = Number(process.env['GAPS'] ?? '80');

export class FixpLane implements Lane {
  readonly #peer: PlainFixpPeer;
  readonly #events: LaneEvents;
  /** By number, as long as the bridge may not have them. */
  readonly #unsure = new Map<number, Request>();
  #again: Request[] = [];
  #gaps = 0;
  /** Until what may be unknown was repeated, nothing new is sent. */
  #isOpening = false;
  readonly #isDone: (id: string) => boolean;

  /** `isDone` says that a request was answered. */
  constructor(
    { password, username }: { readonly username: string; readonly password: string },
    events: LaneEvents,
    isDone: (id: string) => boolean,
  ) {
    this.#events = events;
    this.#isDone = isDone;
    const ignored = () => {};
    this.#peer = new PlainFixpPeer(
      username,
      {
        answer: (message) => {
          const report = reportOf(message);
          if (report !== undefined) events.report(report);
        },
        applied: ignored,
        notApplied: (fromSeq, count) => this.#notApplied(fromSeq, count),
      },
      { password, keepaliveMs: 5_000, isRefusable: true, sessionId: randomSessionId() },
    );
    this.#peer.onNumbered = (seq, message, isRepeated) => {
      const report = reportOf(message);
      const content = message.toString('hex');
      events.heard({ seq, isRepeated, content, ...(report && { report }) });
    };
  }

  get isOpen(): boolean {
    return !this.#isOpening && this.#isUp;
  }

  get #isUp(): boolean {
    return this.#peer.isEstablished && this.#peer.isComplete;
  }

  get silentMs(): number {
    return performance.now() - this.#peer.heardMs;
  }

  get fault(): Error | undefined {
    return this.#peer.fault;
  }

  get nextIn(): number {
    return this.#peer.nextIn;
  }

  get ending(): string | undefined {
    return this.#peer.ending;
  }

  async open(port: number, withinMs: number): Promise<boolean> {
    await this.close();
    const nextOut = this.#peer.nextOut;
    this.#peer.nextOut = this.#gaps < mostGaps ? nextOut : this.#firstUnsure();
    this.#isOpening = true;
    const isOpen = await this.#establish(port, withinMs);
    this.#isOpening = false;
    if (isOpen) this.#repeat(this.#peer.nextOut, nextOut);
    this.#peer.nextOut = nextOut;
    if (!isOpen) return false;
    for (const request of this.#again.splice(0)) this.send(request);
    return true;
  }

  async #establish(port: number, withinMs: number): Promise<boolean> {
    const isConnected = await this.#peer.connect(port).then(
      () => true,
      () => false,
    );
    const isOver = () => this.#isUp || this.#peer.isCut;
    return isConnected && (await isSoon(isOver, withinMs)) && this.#isUp;
  }

  #firstUnsure(): number {
    const unsure = [...this.#unsure].flatMap(([seq, { id }]) => (this.#isDone(id) ? [] : [seq]));
    return Math.min(this.#peer.nextOut, ...unsure);
  }

  /** Under their own numbers, so that no gap is made; the bridge ignores what it has had, whatever it is. */
  #repeat(fromSeq: number, nextSeq: number): void {
    const any = this.#unsure.get(fromSeq);
    for (let seq = fromSeq; seq < nextSeq; seq += 1) {
      const request = this.#unsure.get(seq) ?? any;
      if (request !== undefined) this.#peer.send(bytesOf(request));
    }
  }

  send(request: Request): void {
    if (this.#unsure.size > 2_000) {
      for (const [seq, { id }] of this.#unsure) if (this.#isDone(id)) this.#unsure.delete(seq);
    }
    this.#unsure.set(this.#peer.nextOut, request);
    this.#events.sent(request);
    this.#peer.send(bytesOf(request));
  }

  ping(): void {
    this.#peer.keepAlive();
  }

  close(): Promise<void> {
    return this.#peer.cut();
  }

  /** The bridge says that it has never had these, so they are sent anew. */
  #notApplied(fromSeq: number, count: number): void {
    this.#gaps += 1;
    for (let seq = fromSeq; seq < fromSeq + count; seq += 1) {
      const request = this.#unsure.get(seq);
      this.#unsure.delete(seq);
      if (request === undefined) continue;
      if (this.isOpen) this.send(request);
      else this.#again.push(request);
    }
  }
}

function randomSessionId(): Buffer {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

function bytesOf({ id, kind, origId, price, qty, side }: Request): Buffer {
  const block = Buffer.alloc(header + blocks[kind]);
  block.writeUInt16LE(blocks[kind], 0);
  block.writeUInt16LE(templates[kind], 2);
  block.writeUInt16LE(schemaId, 4);
  block.write(id, header, 'latin1');
  block.writeBigUInt64LE(BigInt(Date.now()), header + 36);
  const sideAt = { new: 54, replace: 93, cancel: 93 }[kind] + header;
  block.writeUInt8(side === 'buy' ? 0x31 : 0x32, sideAt);
  // OrigOrdModTime of a request for an order that exists.
  if (kind !== 'new') block.writeBigUInt64LE(never.u64, header + 76);
  block.writeBigUInt64LE(marketId, sideAt - 9);
  if (kind !== 'cancel') {
    block.write('21', sideAt + 1, 'latin1');
    block.writeInt8(-6, sideAt + 8);
    block.writeInt8(-8, sideAt + 9);
    block.writeBigUInt64LE(BigInt(qty), sideAt + 10);
    block.writeBigUInt64LE(BigInt(price), sideAt + 18);
    for (const at of [26, 34, 42]) block.writeBigUInt64LE(never.u64, sideAt + at);
    block.writeUInt32LE(never.u32, sideAt + 50);
    block.writeBigUInt64LE(never.u64, sideAt + 54);
  }
  const names = kind === 'new' ? ['', symbol] : [origId ?? '', '', symbol];
  return Buffer.concat([block, ...names.map((name) => Buffer.from(`${lengthOf(name)}${name}`))]);
}

function lengthOf(name: string): string {
  return String.fromCharCode(name.length);
}

function reportOf(message: Buffer): Report | undefined {
  if (message.readUInt16LE(4) !== schemaId) return undefined;
  const template = message.readUInt16LE(2);
  const blockLength = message.readUInt16LE(0);
  const at = (offset: number) => header + offset;
  const char = (offset: number) => String.fromCharCode(message.readUInt8(at(offset)));
  const names = namesOf(message, header + blockLength);
  const none = { origId: '', orderId: '', execId: '', status: '', cumQty: 0, text: '' };
  if (template === businessReject) {
    return { ...none, type: 'j', id: names[0] ?? '', text: names[1] ?? '' };
  }
  const orderIdAt = (offset: number) => `0x${message.toString('hex', at(offset), at(offset + 32))}`;
  if (template === cancelReject) {
    const [id = '', origId = '', , text = ''] = names;
    return { ...none, type: '9', id, origId, status: char(32), orderId: orderIdAt(0), text };
  }
  const type = template === pending ? char(190) : execTypes.get(template);
  if (type === undefined) return undefined;
  const exact = (offset: number, exponent: number, places: number) =>
    Number(message.readBigUInt64LE(at(offset))) * 10 ** (places + exponent);
  const exponents = { price: message.readInt8(at(102)), qty: message.readInt8(at(103)) };
  const [id = '', execId = '', , , , origId = ''] = names;
  return {
    type,
    id,
    origId: '5468'.includes(type) ? origId : '',
    orderId: orderIdAt(19),
    execId,
    status: char(0),
    cumQty: exact(172, message.readInt8(at(180)), 8),
    ...(type === 'F' && {
      lastPx: exact(190, exponents.price, 6),
      lastQty: exact(198, exponents.qty, 8),
    }),
    text: type === '8' ? names.slice(6).join(' ') : '',
  };
}

/** The short strings behind the block, as many as there are. */
function namesOf(message: Buffer, from: number): string[] {
  const names: string[] = [];
  for (let at = from; at < message.length; ) {
    const length = message.readUInt8(at);
    names.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return names;
}
