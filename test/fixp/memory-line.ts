/** A client and a server session, each with its host and store, joined by a line in memory; time is manual. */
import type {
  FixpAlarm,
  FixpApplication,
  FixpAppSession,
  FixpSessionEnd,
} from '../../src/fixp/application.ts';
import type { FixpClientSession } from '../../src/fixp/client-session.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import type { FixpServerSession } from '../../src/fixp/server-session.ts';
import type { SeqRange } from '../../src/fixp/session-ids.ts';
import { type FixpSettings, fixpSettings } from '../../src/fixp/settings.ts';
import { type Clock, type Instant, ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { application, applicationMessage, applicationText } from '../acceptance/fixp/script.ts';
import { MemoryStore } from '../support/memory-store.ts';

class HalfLink implements Link {
  readonly peer = { address: '192.0.2.1' };
  readonly bufferedBytes = 0;
  /** Bytes of the other half; given on when it is listened to. */
  #bytes: Uint8Array[] = [];
  #listener: LinkListener | undefined;
  #isGone = false;
  other: HalfLink | undefined;
  /** What it writes does not arrive. */
  isMute = false;

  listen(listener: LinkListener): void {
    this.#listener = listener;
    for (const bytes of this.#bytes.splice(0)) listener.data(bytes);
  }

  write(bytes: Uint8Array): void {
    const { other } = this;
    if (other === undefined || other.#isGone || this.isMute) return;
    if (other.#listener === undefined) other.#bytes.push(bytes);
    else queueMicrotask(() => other.#listener?.data(bytes));
  }

  takeFirst(): Uint8Array {
    return Buffer.concat(this.#bytes.splice(0));
  }

  pause(): void {}
  resume(): void {}

  end(): void {
    queueMicrotask(() => this.destroy());
  }

  destroy(): void {
    for (const half of [this, this.other]) {
      if (half === undefined || half.#isGone) continue;
      half.#isGone = true;
      queueMicrotask(() => half.#listener?.closed());
    }
  }
}

/** Notes all that it is told. */
class Listener implements FixpApplication {
  readonly peerText: string[] = [];

  onEstablished(): void {
    this.peerText.push('established');
  }

  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void {
    const text = applicationText(message);
    if (text === 'GARBLED') session.giveUp('not a message', now);
    else this.peerText.push(`${seq} ${text}`);
  }

  onApplied({ fromSeq, toSeq }: SeqRange): void {
    this.peerText.push(`applied ${fromSeq}-${toSeq}`);
  }

  onNotApplied({ fromSeq, toSeq }: SeqRange): void {
    this.peerText.push(`not applied ${fromSeq}-${toSeq}`);
  }

  onDisconnect(_session: FixpAppSession, end: FixpSessionEnd): void {
    this.peerText.push(end.graceful ? 'ended gracefully' : 'ended abruptly');
  }

  onAlarm(_session: FixpAppSession, alarm: FixpAlarm): void {
    this.peerText.push(`alarm ${alarm.kind}`);
  }

  /** What it was told since the last time. */
  heard(): string[] {
    return this.peerText.splice(0);
  }
}

interface LineSettings {
  readonly server?: Partial<FixpSettings>;
  readonly client?: Partial<FixpSettings>;
}

const common = { principal: 'alice', applicationSchemas: new Set([application.schema]) };

export class MemoryLine {
  readonly clock = new ManualClock();
  /** How far the client's wall clock is ahead of that of the server. */
  clientAheadMs = 0;
  readonly #clientClock: Clock = {
    now: () => ({ ...this.clock.now(), wallMs: this.clock.now().wallMs + this.clientAheadMs }),
    at: (monoMs, callback) => this.clock.at(monoMs, callback),
  };
  readonly serverStore = new MemoryStore();
  readonly atServer = new Listener();
  readonly atClient = new Listener();
  readonly #settings: LineSettings;
  #process = transactionsOn(this.serverStore);
  #directory = new FixpDirectory({ transactions: this.#process, clock: this.clock });
  readonly #clientDirectory = new FixpDirectory({
    transactions: transactionsOn(new MemoryStore()),
    clock: this.#clientClock,
  });
  #server: FixpServerSession | undefined;
  #client: FixpClientSession | undefined;
  #half: HalfLink | undefined;

  static async open(settings: LineSettings = {}): Promise<MemoryLine> {
    const line = new MemoryLine(settings);
    await line.#openServer();
    line.#client = await line.#clientDirectory.addClient({
      settings: fixpSettings({ ...common, role: 'initiator', ...settings.client }),
      application: line.atClient,
    });
    return line;
  }

  private constructor(settings: LineSettings) {
    this.#settings = settings;
  }

  get server(): FixpServerSession {
    if (this.#server === undefined) throw new Error('the line is not open');
    return this.#server;
  }

  get client(): FixpClientSession {
    if (this.#client === undefined) throw new Error('the line is not open');
    return this.#client;
  }

  /** The client connects, and all that follows from it has happened. */
  async connect(): Promise<void> {
    const [ours, theirs] = [new HalfLink(), new HalfLink()];
    ours.other = theirs;
    theirs.other = ours;
    this.#half = ours;
    this.#clientDirectory.attach(this.client, ours, Buffer.alloc(0));
    await settled();
    const first = theirs.takeFirst();
    const admission = this.#directory.admit(first, theirs.peer, this.clock.now());
    if (admission.kind === 'admit') this.#directory.attach(admission.session, theirs, first);
    else {
      if (admission.kind === 'refuse' && admission.answer) theirs.write(admission.answer);
      theirs.end();
    }
    await settled();
  }

  async cut(): Promise<void> {
    this.#half?.destroy();
    await settled();
  }

  /** The server's process is killed, and another one continues on its store. */
  async crash(): Promise<void> {
    this.#process.close();
    await this.cut();
    this.#process = transactionsOn(this.serverStore);
    this.#directory = new FixpDirectory({ transactions: this.#process, clock: this.clock });
    await this.#openServer();
  }

  /** From here on the client hears nothing, though the connection stands. */
  muteServer(): void {
    if (this.#half?.other) this.#half.other.isMute = true;
  }

  async wait(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  async serverSends(...texts: string[]): Promise<void> {
    this.#directory.roster.act(this.server.name, (_, now) => {
      for (const text of texts) this.server.send(applicationMessage(text), now);
    });
    await settled();
  }

  async clientDoes(call: (client: FixpClientSession) => void): Promise<void> {
    this.#clientDirectory.roster.act(this.client.name, () => call(this.client));
    await settled();
  }

  async clientSends(...texts: string[]): Promise<void> {
    await this.clientDoes((client) => {
      for (const text of texts) client.send(applicationMessage(text), this.clock.now());
    });
  }

  async operator(call: (directory: FixpDirectory) => void): Promise<void> {
    call(this.#directory);
    await settled();
  }

  async #openServer(): Promise<void> {
    this.#server = await this.#directory.add({
      settings: fixpSettings({ ...common, role: 'acceptor', ...this.#settings.server }),
      application: this.atServer,
    });
  }
}

function transactionsOn(store: MemoryStore): Transactions {
  return new Transactions(store, (error) => {
    throw error;
  });
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
