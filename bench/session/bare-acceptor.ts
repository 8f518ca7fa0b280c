/** The floor of the acceptor bench: a socket loop that answers each message from a template, and checks nothing. */
import { createServer } from 'node:net';
import { template, writeDigits } from './template.ts';

const trailer = Buffer.from('\x0110=');

const server = createServer({ noDelay: true }, (socket) => {
  const report = template('8', 'SERVER', 'CLIENT', [
    [37, '00000001'],
    [17, '00000001'],
    [150, '0'],
    [39, '0'],
    [54, '1'],
    [151, '10'],
    [14, '0'],
    [6, '0'],
    [11, '00000000'],
    [55, 'BTC-USDC'],
    [38, '10'],
  ]);
  const idAt = report.bytes.indexOf('\x0111=') + 4;
  let seq = 0;
  socket.on('data', (piece) => {
    const out = Buffer.allocUnsafe(Math.ceil(piece.length / 100) * report.bytes.length);
    let length = 0;
    for (let at = piece.indexOf(trailer); at >= 0; at = piece.indexOf(trailer, at + 7)) {
      seq += 1;
      report.bytes.copy(out, length);
      writeDigits(out, length + report.seqAt, seq, report);
      // The client of the bench gives an order its number as ClOrdID(11), and does not look at CheckSum(10).
      out.copyWithin(length + idAt, length + report.seqAt, length + report.seqAt + 8);
      length += report.bytes.length;
    }
    socket.write(out.subarray(0, length));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' && address?.port}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
