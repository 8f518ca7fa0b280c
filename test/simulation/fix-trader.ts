/** A client of the FIX lane that counts its own numbers, asks for what it missed, and keeps what it said for a resend. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Dice } from './dice.ts';
import type { Door } from './memory-link.ts';
import type { Choice } from './parting-rule.ts';
import { TraderLine } from './trader-line.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Tags and values in order; a repeated tag is of a group. */
export type Said = readonly (readonly [tag: string, value: string])[];

export interface TraderParts {
  readonly compId: string;
  readonly username: string;
  readonly secret: string;
  readonly time: VirtualTime;
  readonly clock: Clock;
  readonly dice: Dice;
  /** Each message of the application once. */
  readonly heard: (said: Said) => void;
  /** The connection stands and commands may be given, or not any more. */
  readonly changed: (isUp: boolean) => void;
  /** Whether it begins its numbers anew with this connection. */
  readonly resets?: () => boolean;
  /** Where its numbers also begin anew at the start of its hours. */
  readonly anew?: Renumbering;
  /** For what it chooses at each Establish, over FIXP; without it, as configured. */
  readonly chooses?: Dice | undefined;
  /** Whether it takes a new session id with this connection, over FIXP. */
  readonly renews?: () => boolean;
  /** What it sent, as hexadecimal text; for a line. */
  readonly wrote?: (line: string, hex: string) => void;
}

export interface Renumbering {
  /** Asked at each connection: whether hours have begun since its numbers did. */
  isDue(): boolean;
  came(): void;
  /** Returns what had earlier numbers, from this one on, and comes no more. */
  missed(from: number): readonly Said[];
  /** The numbers have begun anew, and all that was lost by that is known. */
  begun(): void;
  refused(text: string): void;
}

/** A client of either lane, as the random commands and the checker see it. */
export interface Trader {
  readonly compId: string;
  readonly isUp: boolean;
  /** While it reads nothing it does not hear that the bridge has ended the connection. */
  readonly isReading: boolean;
  /** What a FIXP client has chosen for this connection. */
  readonly choice?: Choice | undefined;
  connect(door: Door): void;
  /** A line such as `D|11=x|…`; nothing is said while the connection is down. */
  say(line: string): boolean;
  /** Ends the session in good order. */
  logout(): void;
  /** The connection breaks; the bridge notices so much later. */
  cut(noticedMs: number): void;
  /** It reads nothing for so long, and goes on sending. */
  stall(forMs: number): void;
  readAgain(): void;
  /** The process at the other end died. */
  lost(): void;
}

export const bridgeCompId = 'CAUSEWAY';
/** The name of a session in the bridge. */
export const fixNameOf = (compId: string) => `FIX.4.4:${bridgeCompId}/->${compId}/`;
const soh = '\x01';
const heartbeatMs = 20_000;
const maxLagMs = 40;
/** Messages that only the session reads. */
const ofSession = new Set(['0', '1', '2', '4', '5', 'A']);

export class FixTrader implements Trader {
  readonly compId: string;
  readonly #parts: TraderParts;
  readonly #line: TraderLine;
  #lagMs = 1;
  #nextOut = 1;
  #nextIn = 1;
  #askedFrom = 0;
  #text = '';
  #lastSaidMs = 0;
  #isResetting = false;
  /** On this connection; it hears the answer to a reset also after it has left. */
  #hasLoggedOn = false;
  /** What it would have read next when its numbers began anew, until it is logged on. */
  #lostFrom: number | undefined;
  /** Messages, by its number, for a resend. */
  readonly #kept = new Map<number, { readonly body: string; readonly sent: string }>();

  constructor(parts: TraderParts) {
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
    const { anew, dice } = this.#parts;
    this.#text = '';
    this.#askedFrom = 0;
    this.#hasLoggedOn = false;
    this.#lagMs = dice.hits(300) ? dice.below(maxLagMs) : 1;
    this.#line.connect(door, (bytes) => this.#received(bytes));
    // Whether a reset that was not answered has happened is not known, so it comes again.
    const isReset = this.#isResetting || this.#parts.resets?.() === true;
    this.#isResetting = isReset;
    if (anew?.isDue() === true || isReset) {
      this.#nextOut = 1;
      this.#expectFirst();
      this.#kept.clear();
    }
    this.#logon(isReset);
    this.#line.every(heartbeatMs, () => this.#beat());
  }

  say(line: string): boolean {
    if (!this.isUp) return false;
    const at = line.indexOf('|');
    const sent = this.#now();
    const seq = this.#nextOut++;
    const body = `35=${line.slice(0, at)}\x01BODY${line
      .slice(at + 1)
      .replaceAll('|', '\x01')
      .replace(/=now([+-]\d+)s/g, (_, seconds) => `=${this.#now(Number(seconds))}`)
      .replaceAll('=now', `=${sent}`)}`;
    this.#kept.set(seq, { body, sent });
    this.#write(body, seq, sent, '');
    return true;
  }

  /** Both sides begin their numbers anew, and the connection goes on. */
  resetInSession(): boolean {
    if (!this.isUp || this.#isResetting) return false;
    this.#isResetting = true;
    this.#nextOut = 1;
    this.#kept.clear();
    this.#logon(true);
    return true;
  }

  logout(): void {
    if (this.isUp) this.#admin('5', '');
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

  #logon(isReset: boolean): void {
    this.#admin('A', `98=0|108=30${isReset ? '|141=Y' : ''}|553=${this.#parts.username}`);
  }

  #expectFirst(): void {
    this.#lostFrom ??= this.#nextIn;
    this.#nextIn = 1;
    this.#askedFrom = 0;
  }

  #beat(): void {
    const quietMs = this.#parts.time.monoMs - this.#lastSaidMs;
    if (this.isUp && quietMs >= heartbeatMs) this.#admin('0', '');
  }

  #admin(type: string, fields: string): void {
    const sent = this.#now();
    const seq = this.#nextOut++;
    this.#write(`35=${type}\x01BODY${fields.replaceAll('|', '\x01')}`, seq, sent, '');
  }

  #write(body: string, seq: number, sent: string, more: string): void {
    this.#lastSaidMs = this.#parts.time.monoMs;
    const { compId, secret } = this.#parts;
    const [type = '', fields = ''] = body.split('\x01BODY');
    const header = `34=${seq}\x0149=${compId}\x0152=${sent}\x0156=${bridgeCompId}\x01${more}`;
    const signature =
      type === '35=A'
        ? createHmac('sha256', secret)
            .update([sent, 'A', seq, compId, bridgeCompId].join('\x01'))
            .digest('base64')
        : '';
    const proof = signature === '' ? '' : `\x0195=${signature.length}\x0196=${signature}`;
    const inner = `${type}\x01${header}${fields}${proof}${fields + proof === '' ? '' : '\x01'}`;
    const whole = `8=FIX.4.4\x019=${inner.length}\x01${inner}`;
    let sum = 0;
    for (let i = 0; i < whole.length; i += 1) sum += whole.charCodeAt(i);
    const bytes = Buffer.from(`${whole}10=${String(sum % 256).padStart(3, '0')}\x01`, 'latin1');
    this.#parts.wrote?.(
      `${type.slice(3)}|${fields.replaceAll('\x01', '|')}`,
      bytes.toString('hex'),
    );
    this.#line.say(bytes, this.#lagMs);
  }

  #received(bytes: Buffer): void {
    this.#text += bytes.toString('latin1');
    for (;;) {
      const [version, length] = this.#text.split(soh, 3);
      if (length === undefined || !this.#text.includes(`${length}${soh}`)) return;
      const head = `${version}${soh}${length}${soh}`;
      const end = head.length + Number(length.slice(2)) + 7;
      if (this.#text.length < end) return;
      const message = this.#text.slice(0, end);
      this.#text = this.#text.slice(end);
      this.#message(pairsOf(message));
      if (!this.#line.isConnected) return;
    }
  }

  #message(said: Said): void {
    const value = (tag: string) => said.find(([name]) => name === tag)?.[1];
    const type = value('35') ?? '';
    const seq = Number(value('34'));
    const { anew } = this.#parts;
    if (type === '4' && value('123') !== 'Y') {
      this.#nextIn = Number(value('36'));
      return;
    }
    if (type === 'A') {
      const hasLeft = !this.isUp && this.#hasLoggedOn;
      if ((this.isUp || hasLeft) && value('141') === 'Y') this.#expectFirst();
      this.#isResetting = false;
      if (hasLeft) {
        this.#hearMissed();
        this.#nextIn += 1;
        return;
      }
      this.#hasLoggedOn = true;
      this.#line.up();
      this.#came(seq);
      if (!this.#line.isConnected) return;
    } else if (type === '5' && !this.isUp && anew !== undefined) {
      anew.refused(value('58') ?? '');
      this.lost();
      return;
    }
    if (seq > this.#nextIn) {
      // What it must not wait for is dealt with at once; the rest comes again.
      if (type === '2') this.#resend(Number(value('7')));
      this.#ask();
      return;
    }
    if (seq < this.#nextIn) return;
    this.#nextIn = type === '4' ? Number(value('36')) : seq + 1;
    if (type === '1') this.#admin('0', `112=${value('112')}`);
    else if (type === '2') this.#resend(Number(value('7')));
    else if (type === '5') this.#left();
    else if (!['0', '3', '4', 'A'].includes(type)) this.#parts.heard(said);
    else if (type === '3') this.#parts.heard(said);
  }

  /** The numbers that were before it are over. */
  #came(seq: number): void {
    const { anew } = this.#parts;
    if (anew === undefined) return;
    // The hours began while it was connecting: it does so again.
    if (seq < this.#nextIn) {
      this.#lostFrom = undefined;
      this.lost();
      return;
    }
    anew.came();
    this.#hearMissed();
  }

  /** Also what a reset within a session cost that it had left by then; it hears the numbers behind that itself. */
  #hearMissed(): void {
    const { anew, heard } = this.#parts;
    const from = this.#lostFrom;
    if (anew === undefined || from === undefined) return;
    this.#lostFrom = undefined;
    for (const said of anew.missed(from)) if (!ofSession.has(typeOf(said))) heard(said);
    anew.begun();
  }

  #left(): void {
    if (this.isUp) this.#admin('5', '');
    this.#line.down();
  }

  #ask(): void {
    if (this.#askedFrom === this.#nextIn) return;
    this.#askedFrom = this.#nextIn;
    this.#admin('2', `7=${this.#nextIn}|16=0`);
  }

  /** Messages by this number and after it comes again, or is passed over, as the client likes. */
  #resend(from: number): void {
    const { dice } = this.#parts;
    const last = this.#nextOut - 1;
    const isAgain = dice.hits(600);
    let gapFrom = from;
    for (let seq = from; seq <= last; seq += 1) {
      const kept = isAgain ? this.#kept.get(seq) : undefined;
      if (kept === undefined) continue;
      if (gapFrom < seq) this.#fill(gapFrom, seq);
      this.#write(kept.body, seq, this.#now(), `43=Y\x01122=${kept.sent}\x01`);
      gapFrom = seq + 1;
    }
    if (gapFrom <= last) this.#fill(gapFrom, last + 1);
  }

  #fill(from: number, next: number): void {
    this.#write(`35=4\x01BODY123=Y\x0136=${next}`, from, this.#now(), '43=Y\x01');
  }

  #now(laterSeconds = 0): string {
    const { wallMs } = this.#parts.clock.now();
    const iso = new Date(wallMs + 1_000 * laterSeconds).toISOString();
    return iso.replaceAll('-', '').replace('T', '-').replace('Z', '');
  }
}

function typeOf(said: Said): string {
  return said.find(([tag]) => tag === '35')?.[1] ?? '';
}

export function pairsOf(message: string): Said {
  const pairs: [string, string][] = [];
  for (let from = 0; from < message.length; ) {
    const at = message.indexOf('=', from);
    const tag = message.slice(from, at);
    const [last, length] = pairs.at(-1) ?? [];
    // RawData(96) has its length before it, and is no text.
    const isData = tag === '96' && last === '95';
    const end = isData ? at + 1 + Number(length) : message.indexOf('\x01', at);
    const value = message.slice(at + 1, end);
    pairs.push([tag, isData ? Buffer.from(value, 'latin1').toString('hex') : value]);
    from = end + 1;
  }
  return pairs;
}
