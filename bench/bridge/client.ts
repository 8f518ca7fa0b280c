/** FIX clients of the bench, on sockets of this process: they send orders and count the reports of their fills. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { Framer } from '../../src/fix/framer.ts';

const execType = Buffer.from('\x01150=');
const filledKind = 'F'.charCodeAt(0);
const refusedKind = '8'.charCodeAt(0);

export class BenchClient {
  filled = 0;
  refused = 0;
  onFill = () => {};
  readonly #socket: Socket;
  readonly #framer: Framer;
  readonly #body = new FieldWriter();
  readonly #name: string;
  #seq = 1;
  #sent = 0;
  #tail = Buffer.alloc(0);

  static async logon(port: number, compId: string, password: string): Promise<BenchClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client = new BenchClient(socket, compId);
    const username = compId.toLowerCase();
    const fields = client.#body.clear().int(98, 0).int(108, 60).bool(141, true);
    client.#say('A', fields.text(553, username).text(554, password));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    if (!answer.includes('\x0135=A\x01')) throw new Error(`no logon: ${answer.toString('latin1')}`);
    socket.on('data', (piece) => client.#heard(piece));
    return client;
  }

  private constructor(socket: Socket, compId: string) {
    this.#socket = socket;
    this.#name = `${compId}-${process.pid}-${Date.now().toString(36)}`;
    this.#framer = new Framer({
      senderCompId: compId,
      targetCompId: 'CAUSEWAY',
    });
  }

  order(): void {
    this.#sent += 1;
    const body = this.#body.clear().text(11, `${this.#name}-${this.#sent}`).text(55, 'BTC-USDC');
    body.char(54, '1').decimal(38, 1_000_000n, 8).char(40, '2').decimal(44, 50_000_000_000n, 6);
    this.#say('D', body.char(59, '1').utc(60, Date.now()));
  }

  /** A Heartbeat(0), for a client that only listens. */
  beat(): void {
    this.#say('0', this.#body.clear());
  }

  close(): void {
    this.#socket.destroy();
  }

  #say(msgType: string, body: FieldWriter): void {
    this.#socket.write(this.#framer.frame(msgType, this.#seq++, Date.now(), body.bytes).slice());
    this.#framer.clear();
  }

  /** A field may come in two pieces, so the end of the last piece is looked at again. */
  #heard(piece: Buffer): void {
    const bytes = Buffer.concat([this.#tail, piece]);
    let last = 0;
    for (let at = bytes.indexOf(execType); at >= 0; at = bytes.indexOf(execType, at + 1)) {
      last = at + execType.length + 1;
      if (last > bytes.length) break;
      const kind = bytes[last - 1];
      if (kind === filledKind) {
        this.filled += 1;
        this.onFill();
      } else if (kind === refusedKind) this.refused += 1;
    }
    this.#tail = bytes.subarray(
      last > bytes.length
        ? last - execType.length - 1
        : Math.max(last, bytes.length - execType.length),
    );
  }
}
