/**
 * The client of the FIXP session bench for the FIX lane: port, sessions, messages in flight a session, messages in all. Prints one line of
 * JSON: how long it took and, for one in flight, the latencies.
 */
import { connect } from 'node:net';
import { template, writeDigits } from './template.ts';

const [port = 0, sessions = 1, inFlight = 1, total = 1] = process.argv.slice(2).map(Number);
const report = Buffer.from('\x0135=8\x01');
const latenciesNs: number[] = [];

/** One session: logs on, then keeps `inFlight` orders unanswered until all are answered. */
function run(index: number, messages: number, onReady: (start: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => play(index, messages, onReady, resolve, reject));
}

function play(
  index: number,
  messages: number,
  onReady: (start: () => void) => void,
  resolve: () => void,
  reject: (error: Error) => void,
): void {
  const me = `CLIENT${index}`;
  const logon = template('A', me, 'SERVER', [
    [98, '0'],
    [108, '30'],
    [141, 'Y'],
  ]);
  const order = template('D', me, 'SERVER', [
    [11, 'ORD-20261121-000017'],
    [1, 'ACCOUNT-01'],
    [21, '1'],
    [55, 'BTC-USDC'],
    [54, '1'],
    [60, '20261121-10:38:16.123'],
    [38, '10'],
    [40, '2'],
    [44, '50000.10'],
    [59, '1'],
  ]);
  const buffer = Buffer.concat(new Array(inFlight).fill(order.bytes));
  let seq = 1;
  let answered = 0;
  let sentNs = 0n;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const send = (count: number) => {
    const out =
      count === 1
        ? Buffer.from(order.bytes)
        : Buffer.from(buffer.subarray(0, count * order.bytes.length));
    for (let i = 0; i < count; i += 1) {
      seq += 1;
      writeDigits(out, i * order.bytes.length + order.seqAt, seq, order);
    }
    if (inFlight === 1) sentNs = process.hrtime.bigint();
    socket.write(out);
  };
  const onReports = (piece: Buffer) => {
    let count = 0;
    for (let at = piece.indexOf(report); at >= 0; at = piece.indexOf(report, at + 5)) count += 1;
    if (inFlight === 1) latenciesNs.push(Number(process.hrtime.bigint() - sentNs));
    answered += count;
    if (answered === messages) {
      socket.destroy();
      resolve();
    } else if (seq - 1 < messages) send(Math.min(count, messages - (seq - 1)));
  };
  socket.on('connect', () => {
    const bytes = Buffer.from(logon.bytes);
    writeDigits(bytes, logon.seqAt, 1, logon);
    socket.write(bytes);
  });
  socket.once('data', (piece) => {
    if (!piece.includes('\x0135=A\x01') && !piece.includes(report))
      return reject(new Error(piece.toString('latin1').replaceAll('\x01', '|')));
    onReady(() => {
      socket.on('data', onReports);
      send(Math.min(inFlight, messages));
    });
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error(`${me}: closed after ${answered} of ${messages}`)));
}

const starts: (() => void)[] = [];
let startNs = 0n;
/** All sessions begin together, when the last has logged on. */
const onReady = (start: () => void) => {
  starts.push(start);
  if (starts.length < sessions) return;
  startNs = process.hrtime.bigint();
  for (const each of starts) each();
};
await Promise.all(
  Array.from({ length: sessions }, (_, index) => run(index, total / sessions, onReady)),
);
const tookNs = Number(process.hrtime.bigint() - startNs);
latenciesNs.sort((a, b) => a - b);
const at = (share: number) => (latenciesNs[Math.floor(latenciesNs.length * share)] ?? 0) / 1000;
process.stdout.write(`${JSON.stringify({ tookNs, p50Us: at(0.5), p99Us: at(0.99) })}\n`);
