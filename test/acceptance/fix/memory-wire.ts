/** The session with its host, directory and store in one process, on a clock that moves only when told. */
import type {
  Application,
  AppSession,
  SessionAlarm,
  SessionEnd,
} from '../../../src/fix/application.ts';
import { fix44 } from '../../../src/fix/dictionaries.ts';
import type { Message } from '../../../src/fix/message.ts';
import type { FixSession } from '../../../src/fix/session.ts';
import { SessionDirectory } from '../../../src/fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../../../src/fix/session-settings.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { signatureAuthenticator, type User } from '../../../src/transport/authentication.ts';
import { defaultHostLimits, type HostLimits } from '../../../src/transport/host.ts';
import type { Link, LinkListener } from '../../../src/transport/link.ts';
import type { Peer } from '../../../src/transport/session.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { passwords } from '../../support/passwords.ts';
import type { Wire } from './player.ts';
import { difference, type Step } from './script.ts';

interface SettingsLine extends Partial<Omit<SessionSettings, 'offered' | 'certificates'>> {
  readonly users?: readonly User[];
  readonly signers?: readonly User[];
  readonly offered?: readonly string[];
  readonly certificates?: readonly string[];
  /** What the client shows in mutual TLS. */
  readonly shows?: string;
  readonly limits?: Partial<HostLimits>;
}

class Line implements Link {
  readonly peer: Peer;
  listener: LinkListener | undefined;
  text = '';
  first: Buffer = Buffer.alloc(0);
  isClosed = false;
  isReading = true;
  bufferedBytes = 0;

  constructor(peer: Peer) {
    this.peer = peer;
  }

  listen(listener: LinkListener): void {
    this.listener = listener;
  }

  write(bytes: Uint8Array): void {
    if (this.isReading) this.text += Buffer.from(bytes).toString('latin1').replaceAll('\x01', '|');
    else this.bufferedBytes += bytes.length;
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

export class MemoryWire implements Wire, Application {
  readonly names = { client: 'CLIENT', server: 'BRIDGE' };
  readonly clock = new ManualClock();
  readonly #store = new MemoryStore();
  readonly #transactions = new Transactions(this.#store, (error) => {
    throw error;
  });
  readonly #lines = new Map<number, Line>();
  #line: SettingsLine = {};
  #directory: SessionDirectory | undefined;
  #session: FixSession | undefined;
  #heard: string[] = [];
  /** The last number that the client confirmed since a reset. */
  #confirmed: number | undefined;
  /** The number of the latest message that the client rejected. */
  #rejected: number | undefined;
  #alarms: string[] = [];
  #ends: SessionEnd[] = [];

  // The application.

  onMessage(message: Message): void {
    this.#heard.push(Buffer.from(message.raw).toString('latin1').replaceAll('\x01', '|'));
  }

  onConfirmed(seq: number): void {
    this.#confirmed = seq;
  }

  onRejected(seq: number): void {
    this.#rejected = seq;
  }

  onReset(): void {
    this.#confirmed = undefined;
  }

  onAlarm(_session: AppSession, alarm: SessionAlarm): void {
    this.#alarms.push(alarm.kind);
  }

  onDisconnect(_session: AppSession, end: SessionEnd): void {
    this.#ends.push(end);
  }

  // The wire.

  wallMs(): number {
    return this.clock.now().wallMs;
  }

  async connect(connection: number): Promise<void> {
    await this.#start();
    const { shows } = this.#line;
    const certificate = shows && { fingerprint256: shows, commonName: this.names.client };
    const peer = { address: '192.0.2.1', ...(certificate && { certificate }) };
    this.#lines.set(connection, new Line(peer));
  }

  async send(connection: number, bytes: Uint8Array): Promise<void> {
    const line = this.#lineOf(connection);
    if (line.isClosed) throw new Error('the connection is closed');
    if (line.listener !== undefined) line.listener.data(Buffer.from(bytes));
    else this.#greet(line, bytes);
    await settled();
  }

  async hangUp(connection: number): Promise<void> {
    this.#lineOf(connection).destroy();
    await settled();
  }

  async next(connection: number): Promise<string | undefined> {
    await settled();
    const line = this.#lineOf(connection);
    const end = /\|10=\d{3}\|/.exec(line.text);
    if (end === null) return line.isClosed ? 'closed' : undefined;
    const message = line.text.slice(0, end.index + end[0].length);
    line.text = line.text.slice(message.length);
    return message;
  }

  rest(connection: number): Promise<string | undefined> {
    return this.next(connection);
  }

  async wait(ms: number): Promise<void> {
    await this.#start();
    this.clock.advance(ms);
    await settled();
  }

  async other({ verb, text }: Step): Promise<void> {
    if (verb === 'settings') {
      this.#line = JSON.parse(text) as SettingsLine;
      return;
    }
    await this.#start();
    if (verb === 'app') this.#app(text);
    else if (verb === 'operator') this.#operator(text);
    else if (verb === 'store') this.#store.trim(this.#name(), Number(text.split(' ')[1]));
    else if (verb === 'clock') this.clock.stepWall(Number.parseFloat(text.slice(6)) * 1000);
    else if (verb === 'client') this.#client(text);
    else if (verb === 'restart') await this.#restart();
    else throw new Error(`unknown verb ${verb}`);
    await settled();
  }

  async finish(): Promise<void> {
    if (this.#heard.length > 0) throw new Error(`the application also heard ${this.#heard}`);
    if (this.#alarms.length > 0) throw new Error(`unexpected alarm ${this.#alarms}`);
  }

  #greet(line: Line, bytes: Uint8Array): void {
    const directory = this.#directory as SessionDirectory;
    line.first = Buffer.concat([line.first, bytes]);
    const admission = directory.admit(line.first, line.peer, this.clock.now());
    if (admission.kind === 'more') return;
    if (admission.kind === 'admit') {
      if (!directory.attach(admission.session, line, line.first)) line.destroy();
      return;
    }
    if (admission.kind === 'wait') throw new Error('nothing is found out in a script');
    if (admission.answer !== undefined) line.write(admission.answer);
    line.destroy();
  }

  #app(text: string): void {
    const [what = '', ...rest] = text.split(' ');
    const detail = rest.join(' ');
    if (what === 'hears') {
      const heard = this.#heard.shift();
      const wrong = heard === undefined ? 'nothing was heard' : difference(detail, heard);
      if (wrong !== undefined) throw new Error(wrong);
    } else if (what === 'sends') {
      const [msgType = '', ...fields] = detail.split('|').filter((field) => field !== '');
      const body = Buffer.from(fields.map((field) => `${field}\x01`).join(''));
      this.#directory?.roster.act(this.#name(), (session, now) => session.send(msgType, body, now));
    } else if (what === 'asks') {
      this.#directory?.roster.act(this.#name(), (session, now) => session.askConfirmation(now));
    } else if (what === 'confirmed') {
      if (String(this.#confirmed) !== detail) throw new Error(`confirmed is ${this.#confirmed}`);
    } else if (what === 'rejected') {
      if (String(this.#rejected) !== detail) throw new Error(`rejected is ${this.#rejected}`);
    } else if (what === 'alarm') {
      if (this.#alarms.shift() !== detail) throw new Error('that alarm was not raised');
    } else if (what === 'ended') {
      const end = this.#ends.shift();
      if (end === undefined) throw new Error('the session did not end');
      if (end.graceful !== (detail === 'gracefully')) throw new Error(end.reason);
    } else throw new Error(`unknown act of the application: ${text}`);
  }

  #operator(text: string): void {
    const directory = this.#directory as SessionDirectory;
    const name = this.#name();
    const [what, ...words] = text.split(' ');
    const rest = words.join(' ');
    if (what === 'stop') directory.roster.stop(name);
    else if (what === 'start') directory.roster.start(name);
    else if (what === 'logout') directory.roster.act(name, (s, now) => s.logout(rest, now));
    else if (what === 'reset') directory.roster.act(name, (s, now) => void s.resetInSession(now));
    else if (what === 'news')
      directory.roster.act(name, (s, now) => s.speaker.news('Maintenance', rest, now));
    else if (what === 'test') directory.roster.act(name, (s, now) => s.testRequest(now));
    else if (what === 'trusts') directory.roster.act(name, (s, now) => s.trustClock(now));
    else if (what === 'sets') {
      const done = directory.roster.setNumbers(name, Number(words[0]), Number(words[1]));
      if (!done) throw new Error('the numbers cannot be set now');
    } else if (what === 'sees') {
      const seen = JSON.stringify(directory.roster.list()[0]);
      if (!seen.includes(rest)) throw new Error(`the operator sees ${seen}`);
    } else throw new Error(`unknown act of the operator: ${text}`);
  }

  #client(text: string): void {
    const line = this.#lineOf(1);
    line.isReading = text !== 'stops reading';
    if (!line.isReading) return;
    line.bufferedBytes = 0;
    line.listener?.drained();
  }

  /** The process dies and starts again: connections are gone, the store is there. */
  async #restart(): Promise<void> {
    for (const line of this.#lines.values()) line.listener = undefined;
    this.#lines.clear();
    this.#directory = undefined;
    this.#ends = [];
    await this.#start();
  }

  async #start(): Promise<void> {
    if (this.#directory !== undefined) return;
    const { users, signers, offered, certificates, limits, shows: _, ...given } = this.#line;
    const settings = sessionSettings({
      identity: { senderCompId: this.names.server, targetCompId: this.names.client },
      role: 'acceptor',
      numberTag: 9101,
      closeWaitMs: 0,
      ...given,
      ...(offered && { offered: new Set(offered) }),
      ...(certificates && { certificates: new Set(certificates) }),
    });
    const authenticate = users ? passwords(users) : signers && signatureAuthenticator(signers);
    const directory = new SessionDirectory({
      dictionary: fix44(),
      transactions: this.#transactions,
      clock: this.clock,
      limits: { ...defaultHostLimits, ...limits },
    });
    this.#directory = directory;
    this.#session = await directory.add({
      settings,
      application: this,
      ...(authenticate && { authenticate }),
    });
  }

  #name(): string {
    return this.#session?.name ?? '';
  }

  #lineOf(connection: number): Line {
    const line = this.#lines.get(connection);
    if (line === undefined) throw new Error(`no connection ${connection}`);
    return line;
  }
}

/** All that follows from what was done has happened: the store in memory answers without waiting for anything. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
