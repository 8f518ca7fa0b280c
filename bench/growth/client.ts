/** A FIX client that keeps a number of orders open: it sends orders, cancels the oldest, and counts what is reported. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { Framer } from '../../src/fix/framer.ts';

const execType = Buffer.from('\x01150=');
const kinds = { entered: '0', canceled: '4', refused: '8' } as const;

export class GrowthClient {
  refused = 0;
  readonly #socket: Socket;
  readonly #framer: Framer;
  readonly #body = new FieldWriter();
  readonly #name: string;
  #seq = 1;
  #requests = 0;
  /** ClOrdIDs of open orders, the oldest first, from `#first` on. */
  #open: string[] = [];
  #first = 0;
  #underWay = 0;
  #tail = Buffer.alloc(0);
  #onAnswer = () => {};

  static async logon(port: number, compId: string, password: string): Promise<GrowthClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client = new GrowthClient(socket, compId);
    const fields = client.#body.clear().int(98, 0).int(108, 60).bool(141, true);
    client.#say('A', fields.text(553, compId.toLowerCase()).text(554, password));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (!answer.includes('\x0135=A\x01')) throw new Error(`no logon: ${answer.toString('latin1')}`);
    socket.on('data', (piece) => client.#heard(piece));
    return client;
  }

  private constructor(socket: Socket, compId: string) {
    this.#socket = socket;
    this.#name = `${process.pid}-${Date.now().toString(36)}`;
    this.#framer = new Framer({
      senderCompId: compId,
      targetCompId: 'CAUSEWAY',
    });
  }

  get open(): number {
    return this.#open.length - this.#first;
  }

  /** Sends orders until this many more are open. */
  enter(orders: number, inFlight: number): Promise<void> {
    return this.#all(orders, inFlight, () => this.#order());
  }

  /** Each order that is sent is followed by a cancel of the oldest one. */
  replaceOldest(orders: number, inFlight: number): Promise<void> {
    let isOrder = false;
    return this.#all(2 * orders, inFlight, () => {
      isOrder = !isOrder;
      if (isOrder) this.#order();
      else this.#cancelOldest();
    });
  }

  /** Cancels this many orders of its session with one request; resolves when the last one has been reported as canceled. */
  cancelAll(orders: number): Promise<void> {
    this.#underWay = orders;
    return new Promise((resolve) => {
      this.#onAnswer = () => {
        if (this.#underWay === 0) resolve();
      };
      const body = this.#body.clear().text(11, this.#newId()).char(530, '7');
      this.#say('q', body.utc(60, Date.now()));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #all(requests: number, inFlight: number, send: () => void): Promise<void> {
    let sent = 0;
    return new Promise((resolve) => {
      this.#onAnswer = () => {
        while (sent < requests && this.#underWay < inFlight) {
          sent += 1;
          this.#underWay += 1;
          send();
        }
        if (sent === requests && this.#underWay === 0) resolve();
      };
      this.#onAnswer();
    });
  }

  #order(): void {
    const id = this.#newId();
    this.#open.push(id);
    const body = this.#body.clear().text(11, id).text(55, 'BTC-USDC');
    body.char(54, '1').decimal(38, 1_000_000n, 8).char(40, '2').decimal(44, 50_000_000_000n, 6);
    this.#say('D', body.char(59, '1').utc(60, Date.now()));
  }

  #cancelOldest(): void {
    const oldest = this.#open[this.#first] ?? '';
    this.#first += 1;
    if (this.#first > 50_000) {
      this.#open = this.#open.slice(this.#first);
      this.#first = 0;
    }
    const body = this.#body.clear().text(41, oldest).text(11, this.#newId()).text(55, 'BTC-USDC');
    this.#say('F', body.char(54, '1').decimal(38, 1_000_000n, 8).utc(60, Date.now()));
  }

  #newId(): string {
    this.#requests += 1;
    return `${this.#name}-${this.#requests}`;
  }

  #say(msgType: string, body: FieldWriter): void {
    this.#socket.write(this.#framer.frame(msgType, this.#seq++, Date.now(), body.bytes).slice());
    this.#framer.clear();
  }

  /** A field may come in two pieces, so the end of the last piece is looked at again. */
  #heard(piece: Buffer): void {
    const bytes = Buffer.concat([this.#tail, piece]);
    let from = 0;
    for (let at = bytes.indexOf(execType); at >= 0; at = bytes.indexOf(execType, from)) {
      const end = at + execType.length + 1;
      if (end > bytes.length) break;
      from = end;
      this.#reported(String.fromCharCode(bytes[end - 1] ?? 0));
    }
    this.#tail = bytes.subarray(Math.max(from, bytes.length - execType.length));
  }

  #reported(kind: string): void {
    if (kind === kinds.refused) this.refused += 1;
    if (kind !== kinds.entered && kind !== kinds.canceled && kind !== kinds.refused) return;
    this.#underWay -= 1;
    this.#onAnswer();
  }
}
