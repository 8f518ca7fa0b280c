/** A bridge of one session on a real port for peers that nobody here wrote: answers each order with a report. */
import type { Application, AppSession, SessionEnd } from '../../src/fix/application.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import type { Message } from '../../src/fix/message.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { type Instant, systemClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Acceptor, type ServerTls } from '../../src/transport/acceptor.ts';
import { MemoryStore } from '../support/memory-store.ts';

export class Bridge implements Application {
  readonly directory: SessionDirectory;
  readonly orders: string[] = [];
  readonly ends: SessionEnd[] = [];
  readonly alarms: string[] = [];
  #acceptor: Acceptor | undefined;
  #name = '';
  #reports = 0;
  #wake = () => {};

  constructor() {
    const transactions = new Transactions(new MemoryStore(), (error) => {
      throw error;
    });
    this.directory = new SessionDirectory({
      dictionary: causeway44(),
      transactions,
      clock: systemClock,
    });
  }

  static async open(client: string, tls?: ServerTls): Promise<{ bridge: Bridge; port: number }> {
    const bridge = new Bridge();
    const settings = sessionSettings({
      identity: { senderCompId: 'CAUSEWAY', targetCompId: client },
      role: 'acceptor',
      allowsReset: true,
    });
    const { directory } = bridge;
    bridge.#name = (await directory.add({ settings, application: bridge })).name;
    const acceptor = new Acceptor({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      reception: directory,
      attach: (session, link, first) => directory.attach(session, link, first),
      ...(tls && { tls }),
    });
    bridge.#acceptor = acceptor;
    return { bridge, port: await acceptor.listen() };
  }

  get status() {
    return this.directory.roster.list()[0]!;
  }

  onLogon(): void {
    this.#wake();
  }

  onMessage(message: Message, session: AppSession, now: Instant): void {
    const clOrdId = message.text(11) ?? '';
    this.orders.push(clOrdId);
    session.send('8', this.#report(clOrdId, message.text(55) ?? ''), now);
    this.#wake();
  }

  onDisconnect(_session: AppSession, end: SessionEnd): void {
    this.ends.push(end);
    this.#wake();
  }

  onAlarm(_session: AppSession, { kind }: { readonly kind: string }): void {
    this.alarms.push(kind);
  }

  /** A report that no message asked for. */
  report(clOrdId: string): void {
    this.directory.roster.act(this.#name, (session, now) => {
      session.send('8', this.#report(clOrdId, 'BTC-USDC'), now);
    });
  }

  act(call: Parameters<SessionDirectory['roster']['act']>[1]): void {
    this.directory.roster.act(this.#name, call);
  }

  /** Waits until it is so; something must happen to the session for it to become so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<void> {
    const closed = this.#acceptor?.close();
    this.directory.close();
    await closed;
  }

  #report(clOrdId: string, symbol: string): Uint8Array {
    this.#reports += 1;
    return new FieldWriter()
      .decimal(6, 0n, 0)
      .text(11, clOrdId)
      .int(14, 0)
      .text(17, `E${this.#reports}`)
      .text(37, `O-${clOrdId}`)
      .int(38, 2)
      .char(39, '0')
      .char(54, '1')
      .text(55, symbol)
      .char(150, '0')
      .int(151, 2).bytes;
  }
}
