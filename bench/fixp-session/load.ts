/**
 * The client of the FIXP session bench: port, sessions, messages in flight a session, messages in all. Prints one line
 * of JSON: how long it took and, for one in flight, the latencies. Numbers are implicit, so each order is the same bytes.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed, framingHeaderSize } from '../../src/fixp/framing.ts';
import { type SessionMessage, writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { ExecutionReportNew } from '../../src/mapping/sbe/generated/execution-report-new.ts';
import { NewOrderSingle } from '../../src/mapping/sbe/generated/new-order-single.ts';

const [port = 0, sessions = 1, inFlight = 1, total = 1] = process.argv.slice(2).map(Number);
const latenciesNs: number[] = [];

function orderFrame(): Buffer {
  const order = new NewOrderSingle().encode(Buffer.alloc(1024));
  order.setClOrdId('ORD-20261121-000017').setTransactTime(1_795_257_496_123_000);
  order.setInstrumentMarketId(1).setTermsSide(1).setTermsOrdType(2).setTermsTimeInForce(1);
  order.setTermsOrderQty(10).setTermsPrice(5_000_010);
  order.setAccount('ACCOUNT-01');
  return framed(order.bytes, 'big');
}

const order = orderFrame();
const orders = Buffer.concat(new Array(inFlight).fill(order));

/** Counts the reports in a stream of frames, whatever the pieces. */
class ReportCounter {
  #rest: Buffer = Buffer.alloc(0);

  take(piece: Buffer): number {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    let count = 0;
    while (at + 10 <= bytes.length) {
      const end = at + bytes.readUInt32BE(at);
      if (end > bytes.length) break;
      if (bytes.readUInt16LE(at + framingHeaderSize + 2) === ExecutionReportNew.templateId)
        count += 1;
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return count;
  }
}

function play(
  index: number,
  messages: number,
  onReady: (start: () => void) => void,
  resolve: () => void,
  reject: (error: Error) => void,
): void {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const say = (message: SessionMessage) =>
    socket.write(framed(writeSessionMessage(message), 'big'));
  const credentials = writeCredentials({ username: `CLIENT${index}` });
  const sessionId = randomBytes(16).toString('hex');
  const counter = new ReportCounter();
  const ns = () => BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  let sent = 0;
  let answered = 0;
  let sentNs = 0n;
  const send = (count: number) => {
    sent += count;
    if (inFlight === 1) sentNs = process.hrtime.bigint();
    socket.write(orders.subarray(0, count * order.length));
  };
  const onReports = (piece: Buffer) => {
    const count = counter.take(piece);
    if (count === 0) return;
    if (inFlight === 1) latenciesNs.push(Number(process.hrtime.bigint() - sentNs));
    answered += count;
    if (answered === messages) {
      socket.destroy();
      resolve();
    } else if (sent < messages) send(Math.min(count, messages - sent));
  };
  const establish = () => {
    socket.once('data', () => {
      onReady(() => {
        socket.on('data', onReports);
        send(Math.min(inFlight, messages));
      });
    });
    const rest = { cancelOnDisconnectType: undefined, codTimeoutWindow: undefined } as const;
    const flow = { keepaliveInterval: 60_000, nextSeqNo: 1 } as const;
    say({ name: 'Establish', sessionId, timestamp: ns(), ...flow, ...rest, credentials });
  };
  socket.on('connect', () => {
    socket.once('data', establish);
    say({ name: 'Negotiate', sessionId, timestamp: ns(), clientFlow: 1, credentials });
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`closed after ${answered} of ${messages}`)));
}

const starts: (() => void)[] = [];
let startNs = 0n;
/** All sessions begin together, when the last is established. */
const onReady = (start: () => void) => {
  starts.push(start);
  if (starts.length < sessions) return;
  startNs = process.hrtime.bigint();
  for (const each of starts) each();
};
await Promise.all(
  Array.from(
    { length: sessions },
    (_, index) =>
      new Promise<void>((resolve, reject) =>
        play(index, total / sessions, onReady, resolve, reject),
      ),
  ),
);
const tookNs = Number(process.hrtime.bigint() - startNs);
latenciesNs.sort((a, b) => a - b);
const at = (share: number) => (latenciesNs[Math.floor(latenciesNs.length * share)] ?? 0) / 1000;
process.stdout.write(`${JSON.stringify({ tookNs, p50Us: at(0.5), p99Us: at(0.99) })}\n`);
