/** A port with line sessions on a memory store, for tests of what is around sessions. */
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import {
  Acceptor,
  type AcceptorLimits,
  type AcceptorOptions,
  defaultAcceptorLimits,
} from '../../src/transport/acceptor.ts';
import {
  type HostLimits,
  type HostNotice,
  SessionHost,
  type Tap,
} from '../../src/transport/host.ts';
import type { Session } from '../../src/transport/session.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { LineSession, lineReception } from './line-session.ts';

export interface PortSetup extends Partial<Omit<AcceptorOptions, 'limits'>> {
  readonly limits?: Partial<AcceptorLimits>;
  readonly hostLimits?: HostLimits;
  readonly names?: readonly string[];
  readonly store?: Store;
  readonly tap?: Tap;
}

export class LinePort {
  readonly notices: string[] = [];
  readonly hosts = new Map<string, SessionHost>();
  readonly sessions = new Map<string, LineSession>();
  readonly transactions: Transactions;
  readonly acceptor: Acceptor;
  port = 0;
  #wake = () => {};

  constructor({ limits, hostLimits, names = ['A', 'B'], store, tap, ...options }: PortSetup) {
    const clock: Clock = options.clock ?? systemClock;
    this.transactions = new Transactions(store ?? new MemoryStore(), (error) => {
      throw error;
    });
    const byName = new Map<string, Session>();
    const bySession = new Map<Session, SessionHost>();
    for (const name of names) {
      const host = new SessionHost(
        {
          name,
          recorder: this.transactions,
          clock,
          ...(hostLimits && { limits: hostLimits }),
          ...(tap && { tap }),
          notice: (notice) => this.#note(said(notice)),
        },
        (effects) => {
          const session = new LineSession(effects);
          this.sessions.set(name, session);
          return session;
        },
      );
      byName.set(name, host.session);
      bySession.set(host.session, host);
      this.hosts.set(name, host);
    }
    this.acceptor = new Acceptor({
      host: '127.0.0.1',
      port: 0,
      clock,
      reception: lineReception(byName),
      attach: (session, link, first) => bySession.get(session)?.attach(link, first) ?? false,
      notice: (notice) =>
        this.#note(
          notice.kind === 'refused'
            ? `refused ${notice.address}: ${notice.reason}`
            : `blocked ${notice.address}`,
        ),
      ...options,
      limits: { ...defaultAcceptorLimits, ...limits },
    });
  }

  static async open(setup: PortSetup = {}): Promise<LinePort> {
    const port = new LinePort(setup);
    port.port = await port.acceptor.listen();
    return port;
  }

  /** Waits until an operator would have been told. */
  async noticed(text: string): Promise<void> {
    while (!this.notices.some((notice) => notice.includes(text))) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<void> {
    for (const host of this.hosts.values()) host.stop();
    await this.acceptor.close();
  }

  #note(text: string): void {
    this.notices.push(text);
    this.#wake();
  }
}

function said(notice: HostNotice): string {
  const { kind, session } = notice;
  if (kind === 'disconnected') return `${session} disconnected: ${notice.reason}`;
  return kind === 'alarm' ? `${session} ${notice.alarm}: ${notice.text}` : `${session} ${kind}`;
}
