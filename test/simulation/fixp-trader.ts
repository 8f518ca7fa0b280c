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
import { EarlierIds } from './fixp-earlier-ids.ts';
import type { Door } from './memory-link.ts';
import { type Choice, chosenRule } from './parting-rule.ts';
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
  #replay = { nextSeq: 1, left: 0, isOfOld: false };
  #lastNs = 0n;
  readonly #earlier = new EarlierIds();
  choice: Choice | undefined;
  /** It heard the end of its connection in good order, and all that was sent before. */
  #hasAll = false;

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
    this.#earlier.begin();
    this.#line.connect(door, (bytes) => this.#received(bytes));
    if (this.#sessionId !== undefined && this.#parts.renews?.() === true) {
      if (this.#hasAll) this.#earlier.forget();
      else this.#earlier.leave(this.#sessionId, this.#nextIn);
      this.#sessionId = undefined;
    }
    this.#hasAll = false;
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
    const bytes = encodeMessage(orders, { message, fields: { ...fields, ...times } });
    this.#parts.wrote?.(line, Buffer.from(bytes).toString('hex'));
    this.#write(bytes);
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
    const { chooses } = this.#parts;
    this.choice = chooses && chosenRule(chooses);
    const { type = null, windowMs = null } = this.choice ?? {};
    this.#session('Establish', {
      Timestamp: timestamp,
      KeepaliveInterval: keepaliveMs,
      NextSeqNo: this.#nextOut,
      ...(type !== null && { CancelOnDisconnectType: type }),
      ...(windowMs !== null && { CodTimeoutWindow: windowMs }),
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
      // The bytes of a request are no text.
      const { RawData, ...fields } = told.fields;
      const line = fixLine({ ...told, fields }, this.#parts.listed);
      const words = line.split('|').filter((field) => field !== '');
      const said = words.map((field) => split(field));
      if (typeof RawData === 'string') said.push(['96', RawData]);
      this.#numbered(() => this.#parts.heard(said), bytes.toString('hex'));
    }
  }

  #ofSession(name: string, fields: JsonObject): void {
    const { FromSeqNo, Count, NextSeqNo, Reason, SessionId } = fields as Record<string, Json>;
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
        this.#replay = {
          ...{ nextSeq: Number(NextSeqNo), left: Number(Count) },
          isOfOld: String(SessionId) !== String(this.#sessionId),
        };
        return;
      case 'RetransmitReject':
        if (this.#earlier.refused(String(Reason))) this.#fetch();
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
        this.#hasAll = !this.#earlier.isWaiting && this.#live === this.#nextIn;
        this.#session('Terminate', { Code: 'Finished' });
        this.#line.down();
    }
  }

  #follows(nextSeqNo: number): void {
    this.#live = nextSeqNo;
    this.#replay.left = 0;
    if (this.#earlier.isWaiting) {
      this.#fetch();
      return;
    }
    if (nextSeqNo <= this.#nextIn) return;
    this.#session('RetransmitRequest', {
      Timestamp: this.#timestamp(),
      FromSeqNo: this.#nextIn,
      Count: Math.min(1_000, nextSeqNo - this.#nextIn),
    });
  }

  /** What was sent under an earlier id and not heard, before anything under this one. */
  #fetch(): void {
    if (!this.isUp) return;
    const request = this.#earlier.next();
    if (request !== undefined)
      this.#session('RetransmitRequest', { ...request, Timestamp: this.#timestamp() });
    else if (!this.#earlier.isWaiting) {
      this.#drain();
      this.#follows(this.#live);
    }
  }

  /** In the order of the numbers, and each once. */
  #numbered(hear: () => void, bytes = ''): void {
    const isAgain = this.#replay.left > 0;
    const number = isAgain ? this.#replay.nextSeq : this.#live;
    if (isAgain)
      this.#replay = { ...this.#replay, nextSeq: number + 1, left: this.#replay.left - 1 };
    else this.#live += 1;
    if (isAgain && this.#replay.isOfOld) {
      if (this.#earlier.isNew(number, bytes)) hear();
      return;
    }
    if (number >= this.#nextIn)
      this.#beyond.set(number, () => this.#earlier.hadAlready(bytes) || hear());
    if (!this.#earlier.isWaiting) this.#drain();
  }

  #drain(): void {
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
