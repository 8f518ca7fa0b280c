/** A client of the FIXP lane in the same words: its lines become SBE messages, and what it hears becomes lines again. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import type { Json, JsonObject } from '../../src/sbe/json.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { fixLine } from '../acceptance/parity/fix-words.ts';
import { type Listed, orders, requestOf } from '../acceptance/parity/fixp-words.ts';
import type { Trader, TraderParts } from './fix-trader.ts';
import type { Door } from './memory-link.ts';
import { TraderLine } from './trader-line.ts';

const fixp = readSchema(
  readFileSync(join(import.meta.dirname, '../../dictionaries/fixp.xml'), 'utf8'),
);
const keepaliveMs = 30_000;
const beatMs = 10_000;

export interface FixpTraderParts extends TraderParts {
  readonly listed: readonly Listed[];
}

export class FixpTrader implements Trader {
  readonly compId: string;
  readonly #parts: FixpTraderParts;
  readonly #line: TraderLine;
  #sessionId: number[] | undefined;
  #bytes = Buffer.alloc(0);
  #nextOut = 1;
  #nextIn = 1;
  /** What came behind a gap, by its number. */
  readonly #beyond = new Map<number, () => void>();
  #live = 1;
  #replay = { nextSeq: 1, left: 0 };
  #lastNs = 0n;

  constructor(parts: FixpTraderParts) {
    this.compId = parts.compId;
    this.#parts = parts;
    this.#line = new TraderLine(parts);
  }

  get isUp(): boolean {
    return this.#line.isUp;
  }

  get isReading(): boolean {
    return this.#line.isReading;
  }

  connect(door: Door): void {
    this.#bytes = Buffer.alloc(0);
    this.#line.connect(door, (bytes) => this.#received(bytes));
    if (this.#sessionId === undefined) this.#negotiate();
    else this.#establish();
    this.#line.every(beatMs, () => {
      if (this.isUp) this.#session('Sequence', { NextSeqNo: this.#nextOut });
    });
  }

  say(line: string): boolean {
    if (!this.isUp) return false;
    const { message, fields } = requestOf(line);
    const { wallMs } = this.#parts.clock.now();
    const [, seconds] = /\|126=now\+(\d+)s/.exec(line) ?? [];
    const { Terms } = fields as { Terms?: JsonObject };
    const times = {
      ...('TransactTime' in fields && { TransactTime: wallMs }),
      ...(seconds && { Terms: { ...Terms, ExpireTime: wallMs + 1_000 * Number(seconds) } }),
    };
    this.#nextOut += 1;
    this.#write(encodeMessage(orders, { message, fields: { ...fields, ...times } }));
    return true;
  }

  logout(): void {
    if (this.isUp) this.#session('Terminate', { Code: 'Finished' });
    this.#line.down();
  }

  cut(noticedMs: number): void {
    this.#line.cut(noticedMs);
  }

  stall(forMs: number): void {
    this.#line.stall(forMs);
  }

  readAgain(): void {
    this.#line.readAgain();
  }

  lost(): void {
    this.#line.lost();
  }

  #negotiate(): void {
    const { dice } = this.#parts;
    this.#sessionId = Array.from({ length: 16 }, () => dice.below(256));
    this.#nextOut = 1;
    this.#nextIn = 1;
    this.#beyond.clear();
    const timestamp = this.#timestamp();
    this.#session('Negotiate', {
      Timestamp: timestamp,
      ClientFlow: 'Idempotent',
      Credentials: this.#credentials('Negotiate', timestamp),
    });
  }

  #establish(): void {
    const timestamp = this.#timestamp();
    this.#session('Establish', {
      Timestamp: timestamp,
      KeepaliveInterval: keepaliveMs,
      NextSeqNo: this.#nextOut,
      Credentials: this.#credentials('Establish', timestamp),
    });
  }

  #credentials(request: string, timestamp: string): string {
    const { secret, username } = this.#parts;
    const id = Buffer.from(this.#sessionId ?? []).toString('hex');
    const signature = createHmac('sha256', secret)
      .update([request, id, timestamp].join('\x01'))
      .digest('base64');
    return Buffer.from(`553=${username}\x0196=${signature}\x01`).toString('hex');
  }

  #timestamp(): string {
    const nowNs = BigInt(this.#parts.clock.now().wallMs) * 1_000_000n;
    this.#lastNs = nowNs > this.#lastNs ? nowNs : this.#lastNs + 1n;
    return String(this.#lastNs);
  }

  #session(message: string, fields: JsonObject): void {
    const own = message === 'Sequence' ? {} : { SessionId: this.#sessionId ?? [] };
    this.#write(encodeMessage(fixp, { message, fields: { ...own, ...fields } }));
  }

  #write(message: Uint8Array): void {
    const header = Buffer.alloc(6);
    header.writeUInt32BE(message.length + 6, 0);
    header.writeUInt16BE(0xeb50, 4);
    this.#line.say(Buffer.concat([header, message]), 1);
  }

  #received(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.#bytes.length >= 6) {
      const length = this.#bytes.readUInt32BE(0);
      if (this.#bytes.length < length) return;
      const message = this.#bytes.subarray(6, length);
      this.#bytes = this.#bytes.subarray(length);
      this.#message(message);
      if (!this.#line.isConnected) return;
    }
  }

  #message(bytes: Buffer): void {
    const isSession = bytes.readUInt16LE(4) === fixp.id;
    const told = decodeMessage(isSession ? fixp : orders, bytes);
    if (typeof told === 'string') throw new Error(`${this.compId} cannot read: ${told}`);
    if (isSession) this.#ofSession(told.message, told.fields);
    else {
      const line = fixLine(told, this.#parts.listed);
      const said = line.split('|').filter((field) => field !== '');
      this.#numbered(() => this.#parts.heard(said.map((field) => split(field))));
    }
  }

  #ofSession(name: string, fields: JsonObject): void {
    const { FromSeqNo, Count, NextSeqNo } = fields as Record<string, Json>;
    switch (name) {
      case 'NegotiationResponse':
        this.#establish();
        return;
      case 'NegotiationReject':
        this.#sessionId = undefined;
        return;
      case 'EstablishmentReject':
        if (JSON.stringify(fields).includes('negotiated')) this.#sessionId = undefined;
        return;
      case 'EstablishmentAck':
        this.#line.up();
        this.#follows(Number(NextSeqNo));
        return;
      case 'Sequence':
        this.#follows(Number(NextSeqNo));
        return;
      case 'Retransmission':
        this.#replay = { nextSeq: Number(NextSeqNo), left: Number(Count) };
        return;
      case 'Applied':
      case 'NotApplied':
        this.#numbered(() => {
          this.#parts.heard([
            ['35', name],
            ['from', String(FromSeqNo)],
            ['count', String(Count)],
          ]);
        });
        return;
      case 'Terminate':
        this.#session('Terminate', { Code: 'Finished' });
        this.#line.down();
    }
  }

  #follows(nextSeqNo: number): void {
    this.#live = nextSeqNo;
    this.#replay.left = 0;
    if (nextSeqNo <= this.#nextIn) return;
    this.#session('RetransmitRequest', {
      Timestamp: this.#timestamp(),
      FromSeqNo: this.#nextIn,
      Count: Math.min(1_000, nextSeqNo - this.#nextIn),
    });
  }

  /** In the order of the numbers, and each once. */
  #numbered(hear: () => void): void {
    const isAgain = this.#replay.left > 0;
    const number = isAgain ? this.#replay.nextSeq : this.#live;
    if (isAgain) this.#replay = { nextSeq: number + 1, left: this.#replay.left - 1 };
    else this.#live += 1;
    if (number >= this.#nextIn) this.#beyond.set(number, hear);
    for (let next = this.#beyond.get(this.#nextIn); next !== undefined; ) {
      this.#beyond.delete(this.#nextIn);
      this.#nextIn += 1;
      next();
      next = this.#beyond.get(this.#nextIn);
    }
  }
}

function split(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}
