/** A FIXP client of the bench, on a socket of this process: it sends orders and counts the reports of their fills. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { Deframer, framed, framingHeaderSize } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { Establish } from '../../src/fixp/generated/establish.ts';
import { EstablishmentAck } from '../../src/fixp/generated/establishment-ack.ts';
import { Negotiate } from '../../src/fixp/generated/negotiate.ts';
import { NegotiationResponse } from '../../src/fixp/generated/negotiation-response.ts';
import { OrdType, Side, TimeInForce } from '../../src/mapping/sbe/generated/codes.ts';
import { ExecutionReportRejected } from '../../src/mapping/sbe/generated/execution-report-rejected.ts';
import { ExecutionReportTrade } from '../../src/mapping/sbe/generated/execution-report-trade.ts';
import { NewOrderSingle } from '../../src/mapping/sbe/generated/new-order-single.ts';

const maxMessageBytes = 64 * 1024;

export class FixpBenchClient {
  filled = 0;
  refused = 0;
  onFill = () => {};
  readonly #socket: Socket;
  readonly #order = new NewOrderSingle();
  readonly #deframer = new Deframer('big', maxMessageBytes);
  readonly #name = `${process.pid}-${Date.now().toString(36)}`;
  #sent = 0;

  static async logon(port: number, username: string, password: string): Promise<FixpBenchClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client = new FixpBenchClient(socket);
    const sessionId = randomBytes(16);
    const nowNs = BigInt(Date.now()) * 1_000_000n;
    const out = Buffer.alloc(512);
    const credentials = writeCredentials({ username, password });
    const negotiate = new Negotiate().encode(out).setSessionId(sessionId).setTimestampBig(nowNs);
    client.#say(negotiate.setClientFlow(FlowType.Idempotent).setCredentials(credentials).bytes);
    await client.#answered(NegotiationResponse.templateId);
    const establish = new Establish().encode(out).setSessionId(sessionId).setNextSeqNo(1);
    establish.setTimestampBig(nowNs + 1n).setKeepaliveInterval(60_000);
    client.#say(establish.setCredentials(credentials).bytes);
    await client.#answered(EstablishmentAck.templateId);
    socket.on('data', (piece) => client.#heard(piece));
    return client;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  order(): void {
    this.#sent += 1;
    const message = this.#order
      .encode(Buffer.allocUnsafe(256))
      .setClOrdId(`${this.#name}-${this.#sent}`)
      .setTransactTime(Date.now())
      .setTermsSide(Side.Buy)
      .setTermsOrdType(OrdType.Limit)
      .setTermsTimeInForce(TimeInForce.GoodTillCancel)
      .setTermsPriceExponent(-6)
      .setTermsQtyExponent(-8)
      .setTermsOrderQty(1_000_000)
      .setTermsPrice(50_000_000_000)
      .setInstrumentMarketId(1);
    this.#say(message.bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #say(message: Uint8Array): void {
    this.#socket.write(framed(message, 'big'));
  }

  /** The template that the server answers with. */
  async #answered(templateId: number): Promise<void> {
    const [piece] = (await once(this.#socket, 'data')) as [Buffer];
    const told = piece.readUInt16LE(framingHeaderSize + 2);
    if (told !== templateId) throw new Error(`template ${told}: ${piece.toString('latin1')}`);
  }

  #heard(piece: Buffer): void {
    this.#deframer.push(piece);
    while (this.#deframer.next() === 'message') {
      const { message } = this.#deframer;
      const templateId = (message[2] ?? 0) + (message[3] ?? 0) * 256;
      if (templateId === ExecutionReportTrade.templateId) {
        this.filled += 1;
        this.onFill();
      } else if (templateId === ExecutionReportRejected.templateId) this.refused += 1;
    }
  }
}
