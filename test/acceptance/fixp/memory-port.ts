/** The session with its host, directory and store in one process, on a clock that moves only when told. */
import type {
  FixpAlarm,
  FixpApplication,
  FixpAppSession,
  FixpSessionEnd,
} from '../../../src/fixp/application.ts';
import { writeCredentials } from '../../../src/fixp/credentials.ts';
import { FixpDirectory } from '../../../src/fixp/fixp-directory.ts';
import { Deframer, framed } from '../../../src/fixp/framing.ts';
import type { FixpServerSession } from '../../../src/fixp/server-session.ts';
import { type FixpSettings, fixpSettings } from '../../../src/fixp/settings.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { signatureAuthenticator, signatureOf } from '../../../src/transport/authentication.ts';
import { defaultHostLimits, type HostLimits } from '../../../src/transport/host.ts';
import type { Link, LinkListener } from '../../../src/transport/link.ts';
import type { Peer } from '../../../src/transport/session.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { passwords } from '../../support/passwords.ts';
import type { Scenario, Step } from '../fix/script.ts';
import {
  application,
  applicationMessage,
  applicationText,
  clientMessage,
  difference,
  type Line,
  readLine,
  said,
  sessionIdOf,
  textOf,
} from './script.ts';

interface SettingsLine extends Partial<Omit<FixpSettings, 'certificates' | 'cancelTemplates'>> {
  readonly proof?: 'password' | 'signature';
  readonly certificates?: readonly string[];
  /** What the client shows in mutual TLS. */
  readonly shows?: string;
  readonly limits?: Partial<HostLimits>;
  /** Where the client's framing header differs from the session's. */
  readonly clientOrder?: FixpSettings['byteOrder'];
}

const user = { username: 'alice', secret: 'right' };

class MemoryLink implements Link {
  readonly peer: Peer;
  readonly heard: Uint8Array[] = [];
  readonly #deframer: Deframer;
  listener: LinkListener | undefined;
  first: Buffer = Buffer.alloc(0);
  isClosed = false;
  isReading = true;
  bufferedBytes = 0;

  constructor(peer: Peer, order: FixpSettings['byteOrder']) {
    this.peer = peer;
    this.#deframer = new Deframer(order, 1_000_000);
  }

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  write(bytes: Uint8Array): void {
    if (!this.isReading) {
      this.bufferedBytes += bytes.length;
      return;
    }
    this.#deframer.push(bytes);
    for (let step = this.#deframer.next(); step !== 'more'; step = this.#deframer.next()) {
      if (step === 'bad') throw new Error(`the server's framing: ${this.#deframer.reason}`);
      this.heard.push(Buffer.from(this.#deframer.message));
    }
  }

  pause(): void {}
  resume(): void {}

  end(): void {
    this.destroy();
  }

  destroy(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    queueMicrotask(() => this.listener?.closed());
  }
}

export class MemoryPort implements FixpApplication {
  readonly clock = new ManualClock();
  readonly #store = new MemoryStore();
  readonly #transactions = new Transactions(this.#store, (error) => {
    throw error;
  });
  readonly #links = new Map<number, MemoryLink>();
  #line: SettingsLine = {};
  #directory: FixpDirectory | undefined;
  #session: FixpServerSession | undefined;
  #heard: string[] = [];
  #alarms: string[] = [];
  #ends: FixpSessionEnd[] = [];
  // What the client says goes on from its last line.
  #letter = 'A';
  #timestamp = 0n;
  #requestTimestamp = 0n;

  onMessage(
    message: Uint8Array,
    seq: number,
    session: FixpAppSession,
    now = this.clock.now(),
  ): void {
    const text = applicationText(message);
    if (text.startsWith('ECHO')) session.send(applicationMessage(text), now);
    this.#heard.push(`${seq} ${text}`);
  }

  onAlarm(_session: FixpAppSession, alarm: FixpAlarm): void {
    this.#alarms.push(alarm.kind);
  }

  onDisconnect(_session: FixpAppSession, end: FixpSessionEnd): void {
    this.#ends.push(end);
  }

  async play({ title, steps }: Scenario): Promise<void> {
    for (const step of steps) {
      try {
        await this.#step(step);
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error);
        throw new Error(`${title}, line ${step.line}: ${step.verb}: ${step.text}\n${what}`);
      }
    }
    for (const link of this.#links.values()) {
      const rest = link.heard.shift();
      if (rest !== undefined) throw new Error(`${title}: unasked for: ${textOf(said(rest))}`);
    }
    if (this.#heard.length > 0) throw new Error(`${title}: the application heard ${this.#heard}`);
    if (this.#alarms.length > 0) throw new Error(`${title}: unexpected alarm ${this.#alarms}`);
  }

  async #step({ verb, text }: Step): Promise<void> {
    if (verb === 'settings') {
      this.#line = JSON.parse(text) as SettingsLine;
      return;
    }
    await this.#start();
    const [, side, digit] = /^([CS])(\d?)$/.exec(verb) ?? [];
    const link = this.#linkOf(Number(digit || 1));
    if (side === 'C') this.#client(link, text);
    else if (side === 'S') await this.#server(link, text);
    else if (verb === 'raw') this.#send(link, Buffer.from(text.replaceAll(' ', ''), 'hex'));
    else if (verb === 'wait') this.clock.advance(Math.round(Number.parseFloat(text) * 1000));
    else if (verb === 'app') this.#app(text);
    else if (verb === 'operator') this.#operator(text);
    else if (verb === 'store') this.#store.trim(this.#name, Number(text.split(' ')[1]));
    else if (verb === 'restart') await this.#restart();
    else throw new Error(`unknown verb ${verb}`);
    await settled();
  }

  #client(link: MemoryLink, text: string): void {
    if (text === 'hangs up') link.destroy();
    else if (text === 'stops reading') link.isReading = false;
    else this.#send(link, this.#frames(text));
  }

  /** `Sequence NextSeqNo=4; App X` goes out as one piece. */
  #frames(text: string): Buffer {
    const order = this.#clientOrder;
    return Buffer.concat(
      text.split('; ').map((part) => framed(this.#message(readLine(part)), order)),
    );
  }

  #message(line: Line): Uint8Array {
    this.#letter = line.fields.get('SessionId') ?? this.#letter;
    const timestamp = this.#time(line.fields.get('Timestamp'));
    if (['Negotiate', 'Establish', 'RetransmitRequest'].includes(line.name)) {
      this.#requestTimestamp = timestamp;
      if (!line.fields.has('Timestamp')) this.#timestamp = timestamp;
    }
    const sessionId = sessionIdOf(this.#letter);
    const request = line.name === 'Negotiate' ? 'Negotiate' : 'Establish';
    const signed = [request, sessionId, String(timestamp)];
    const given = line.fields.get('Credentials') ?? this.#line.proof ?? 'password';
    const credentials = credentialsOf(given, signed);
    return clientMessage(line, { sessionId, timestamp, credentials });
  }

  #time(text: string | undefined): bigint {
    const nowNs = BigInt(this.clock.now().wallMs) * 1_000_000n;
    if (text === undefined) return nowNs > this.#timestamp ? nowNs : this.#timestamp + 1n;
    if (text === 'last') return this.#timestamp;
    if (text === 'seconds') return nowNs / 1_000_000_000n;
    const [, sign, seconds] = /^now([+-])(\d+)s$/.exec(text) ?? [];
    const offNs = BigInt(seconds ?? 0) * 1_000_000_000n;
    return sign === '-' ? nowNs - offNs : nowNs + offNs;
  }

  #send(link: MemoryLink, bytes: Buffer): void {
    if (link.isClosed) throw new Error('the connection is closed');
    if (link.listener !== undefined) {
      link.listener.data(bytes);
      return;
    }
    const directory = this.#directory as FixpDirectory;
    link.first = Buffer.concat([link.first, bytes]);
    const admission = directory.admit(link.first, link.peer, this.clock.now());
    if (admission.kind === 'more') return;
    if (admission.kind === 'admit') {
      if (!directory.attach(admission.session, link, link.first)) link.destroy();
      return;
    }
    if (admission.kind === 'wait') throw new Error('nothing is found out in a script');
    if (admission.answer !== undefined) link.write(admission.answer);
    link.destroy();
  }

  async #server(link: MemoryLink, text: string): Promise<void> {
    await settled();
    const message = link.heard.shift();
    if (text === 'nothing' || text === 'closed') {
      if (message !== undefined) throw new Error(`got ${textOf(said(message))}`);
      if (link.isClosed !== (text === 'closed')) throw new Error(`closed is ${link.isClosed}`);
      if (link.isClosed) this.#forget(link);
      return;
    }
    if (message === undefined) throw new Error('the server said nothing');
    const implied = new Map([
      ['SessionId', sessionIdOf(this.#letter)],
      ['RequestTimestamp', String(this.#requestTimestamp)],
    ]);
    const wrong = difference(readLine(text), said(message), implied);
    if (wrong !== undefined) throw new Error(wrong);
  }

  #app(text: string): void {
    const [what = '', ...rest] = text.split(' ');
    const detail = rest.join(' ');
    if (what === 'hears') {
      const heard = this.#heard.shift();
      if (heard !== detail) throw new Error(`heard ${heard}`);
    } else if (what === 'sends') {
      const [, count = 1, words = ''] = /^(?:(\d+) times )?(.*)$/.exec(detail) ?? [];
      for (let i = 0; i < Number(count); i += 1) this.#appSends(words);
    } else if (what === 'alarm') {
      const alarm = this.#alarms.shift();
      if (alarm !== detail) throw new Error(`the alarm is ${alarm}`);
    } else if (what === 'ended') {
      const end = this.#ends.shift();
      if (end?.graceful !== (detail === 'gracefully')) throw new Error(`ended: ${end?.reason}`);
    } else if (what === 'sees') {
      const seen = JSON.stringify(this.#session?.cancelOnDisconnect);
      if (seen !== detail) throw new Error(`it sees ${seen}`);
    } else throw new Error(`unknown act of the application: ${text}`);
  }

  #appSends(words: string): void {
    const message = applicationMessage(words);
    this.#directory?.roster.act(this.#name, (session, now) => session.send(message, now));
  }

  #operator(text: string): void {
    const directory = this.#directory as FixpDirectory;
    const [what, ...words] = text.split(' ');
    if (what === 'stop') directory.roster.stop(this.#name);
    else if (what === 'start') directory.roster.start(this.#name);
    else if (what === 'sets') {
      const done = directory.roster.setNumbers(this.#name, Number(words[0]), Number(words[1]));
      if (!done) throw new Error('the numbers cannot be set now');
    } else if (what === 'sees') {
      const seen = JSON.stringify(directory.roster.list()[0]);
      if (!seen.includes(words.join(' '))) throw new Error(`the operator sees ${seen}`);
    } else throw new Error(`unknown act of the operator: ${text}`);
  }

  /** The process dies and starts again: connections are gone, the store is there. */
  async #restart(): Promise<void> {
    for (const link of this.#links.values()) link.listener = undefined;
    this.#links.clear();
    this.#directory = undefined;
    this.#ends = [];
    await this.#start();
  }

  async #start(): Promise<void> {
    if (this.#directory !== undefined) return;
    const { proof, certificates, shows: _, limits, clientOrder: __, ...given } = this.#line;
    this.#directory = new FixpDirectory({
      transactions: this.#transactions,
      clock: this.clock,
      limits: { ...defaultHostLimits, ...limits },
    });
    const settings = fixpSettings({
      role: 'acceptor',
      principal: user.username,
      applicationSchemas: new Set([application.schema]),
      cancelTemplates: new Set([application.cancel]),
      ...given,
      ...(certificates && { certificates: new Set(certificates) }),
    });
    const authenticate = proof === 'signature' ? signatureAuthenticator([user]) : passwords([user]);
    this.#session = await this.#directory.add({ settings, application: this, authenticate });
  }

  get #clientOrder(): FixpSettings['byteOrder'] {
    return this.#line.clientOrder ?? this.#line.byteOrder ?? 'big';
  }

  get #name(): string {
    return this.#session?.name ?? '';
  }

  #linkOf(connection: number): MemoryLink {
    const known = this.#links.get(connection);
    if (known !== undefined) return known;
    const { shows } = this.#line;
    const certificate = shows && { fingerprint256: shows, commonName: user.username };
    const peer = { address: '192.0.2.1', ...(certificate && { certificate }) };
    const link = new MemoryLink(peer, this.#clientOrder);
    this.#links.set(connection, link);
    return link;
  }

  /** A closed connection makes room for the next one of its number. */
  #forget(link: MemoryLink): void {
    for (const [number, other] of this.#links) if (other === link) this.#links.delete(number);
  }
}

function credentialsOf(given: string, signed: readonly string[]): Uint8Array {
  const { username, secret } = user;
  if (given === 'none') return Buffer.alloc(0);
  if (given === 'garbled') return Buffer.from('\xff\x00');
  if (given === 'password') return writeCredentials({ username, password: secret });
  if (given === 'signature')
    return writeCredentials({ username, signature: signatureOf(secret, signed) });
  const [name = '', password = ''] = given.split(':');
  return writeCredentials({ username: name, password });
}

/** All that follows from what was done has happened: the store in memory answers without waiting for anything. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
