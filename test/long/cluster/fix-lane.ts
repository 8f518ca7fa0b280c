/** FIX 4.4 in the words of the run's history. */
import { type Fields, fieldOf, lasting, PlainFixPeer } from '../plain-fix-peer.ts';
import type { Report } from './history.ts';
import { isSoon, type Lane, type LaneEvents, type Request } from './lane.ts';

export interface FixIdentity {
  readonly senderCompId: string;
  readonly username: string;
  readonly password: string;
}

const symbol = 'BTC-USDC';
const msgTypes = { new: 'D', replace: 'G', cancel: 'F' } as const;

export class FixLane implements Lane {
  readonly #peer: PlainFixPeer;
  readonly #events: LaneEvents;
  #pings = 0;

  constructor({ password, senderCompId, username }: FixIdentity, events: LaneEvents) {
    this.#peer = new PlainFixPeer({
      senderCompId,
      targetCompId: 'CAUSEWAY',
      isRefusable: true,
      heartBtInt: 5,
      logon: [
        [553, username],
        [554, password],
      ],
    });
    this.#events = events;
    this.#peer.onNumbered = (seq, message, isRepeated) => {
      const report = reportOf(message);
      const content = lasting(message);
      events.heard({ seq, isRepeated, content, ...(report && { report }) });
    };
  }

  get isOpen(): boolean {
    return this.#peer.isLoggedOn;
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
    return this.#peer.logout;
  }

  async open(port: number, withinMs: number): Promise<boolean> {
    await this.close();
    const connected = this.#peer.connect(port, (message) => {
      const report = reportOf(message);
      if (report !== undefined) this.#events.report(report);
    });
    const isConnected = await connected.then(
      () => true,
      () => false,
    );
    const isOver = () => this.#peer.isLoggedOn || this.#peer.isCut;
    return isConnected && (await isSoon(isOver, withinMs)) && this.isOpen;
  }

  send(request: Request): void {
    const { id, kind, origId, price, qty, side } = request;
    const terms: Fields = [
      [38, decimal(qty, 8)],
      [40, '2'],
      [44, decimal(price, 6)],
      [59, '1'],
    ];
    this.#events.sent(request);
    this.#peer.send(msgTypes[kind], [
      [11, id],
      ...(origId === undefined ? [] : ([[41, origId]] as const)),
      [55, symbol],
      [54, side === 'buy' ? '1' : '2'],
      [60, new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21)],
      ...(kind === 'cancel' ? [] : terms),
    ]);
  }

  ping(): void {
    this.#pings += 1;
    this.#peer.send('1', [[112, `ping ${this.#pings}`]]);
  }

  close(): Promise<void> {
    return this.#peer.cut();
  }
}

function reportOf(message: string): Report | undefined {
  const msgType = fieldOf(message, 35) ?? '';
  if (!['8', '9', 'j'].includes(msgType)) return undefined;
  const text = (tag: number) => fieldOf(message, tag) ?? '';
  const [lastQty, lastPx] = [fieldOf(message, 32), fieldOf(message, 31)];
  const type = msgType === '8' ? text(150) : msgType;
  return {
    type,
    id: msgType === 'j' ? text(379) : text(11),
    origId: text(41),
    orderId: text(37),
    execId: text(17),
    status: text(39),
    cumQty: whole(text(14), 8),
    ...(type === 'F' && { lastQty: whole(lastQty ?? '', 8), lastPx: whole(lastPx ?? '', 6) }),
    text: text(58),
  };
}

/** A decimal in units of 10^-places, exactly. */
export function whole(text: string, places: number): number {
  const [units = '0', part = ''] = text.split('.');
  return Number(units + part.padEnd(places, '0'));
}

export function decimal(value: number, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
