/** Real bytes of this session: framed as the bridge frames them, so that a client can compare its own. */
import { FieldWriter } from '../../fix/field-writer.ts';
import { Framer } from '../../fix/framer.ts';
import type { FixSessionConfig } from '../../gateway/config.ts';

export interface Example {
  readonly title: string;
  readonly bytes: Buffer;
}

/** The moment of every example, so that the same configuration gives the same document. */
const atMs = Date.UTC(2026, 0, 15, 10, 30);

/** Each example is the next message of this side. */
function exampleBy(framer: Framer) {
  let seq = 0;
  return (title: string, msgType: string, write: (out: FieldWriter) => void): Example => {
    const out = new FieldWriter();
    write(out);
    seq += 1;
    return { title, bytes: Buffer.from(framer.frame(msgType, seq, atMs, out.bytes)) };
  };
}

export function examplesOf(session: FixSessionConfig, symbol: string): readonly Example[] {
  const { senderCompId, targetCompId, users, accounts, role } = session;
  const beginString = 'FIX.4.4';
  const back = { senderCompId: targetCompId, targetCompId: senderCompId };
  const ask = exampleBy(new Framer({ beginString, senderCompId, targetCompId }));
  const answer = exampleBy(new Framer({ beginString, ...back }));
  const logon = ask('Logon, from the client', 'A', (out) => {
    out
      .int(98, 0)
      .int(108, 30)
      .text(553, users[0] ?? '')
      .text(554, 'PASSWORD');
  });
  const examples = [logon, answer('Logon, the answer', 'A', (out) => out.int(98, 0).int(108, 30))];
  const account = accounts[0] ?? '';
  if (role === 'order-entry') {
    const order = (out: FieldWriter) => out.text(1, account).text(55, symbol).char(54, '1');
    const orderId = `0x${'5'.repeat(64)}`;
    const report = (out: FieldWriter, execType: string, ordStatus: string) =>
      out
        .char(150, execType)
        .char(39, ordStatus)
        .text(1, account)
        .text(55, symbol)
        .char(54, '1')
        .text(38, '1')
        .char(40, '2')
        .text(44, '100')
        .char(59, '1');
    examples.push(
      ask('A limit order', 'D', (out) => {
        order(out.text(11, 'my-1')).utc(60, atMs).text(38, '1').char(40, '2').text(44, '100');
        out.char(59, '1');
      }),
      ask('Its change', 'G', (out) => {
        order(out.text(41, 'my-1').text(11, 'my-2')).utc(60, atMs).text(38, '2').char(40, '2');
        out.text(44, '101').char(59, '1');
      }),
      ask('Its cancel', 'F', (out) => {
        order(out.text(41, 'my-2').text(11, 'my-3')).utc(60, atMs);
      }),
      answer('The limit order is accepted (New)', '8', (out) => {
        report(out.text(37, orderId).text(11, 'my-1').text(17, `${account}-1-0`), '0', '0');
        out.int(151, 1).int(14, 0).int(6, 0).utc(60, atMs);
      }),
      answer('A part of it trades (Fill)', '8', (out) => {
        report(out.text(37, orderId).text(11, 'my-1').text(17, `${account}-2-0`), 'F', '1');
        out.text(32, '0.4').int(31, 100).text(151, '0.6').text(14, '0.4').int(6, 100);
        out.utc(60, atMs);
      }),
      answer('A reject with 9101 and 9102', '8', (out) => {
        out.text(37, 'NONE').text(11, 'my-4').text(17, `${account}-0-1`).char(150, '8');
        out.char(39, '8').int(103, 99).text(55, symbol).char(54, '1').text(38, '1');
        out.int(151, 0).int(14, 0).int(6, 0).utc(60, atMs);
        out.text(58, 'rate_limited: slow down').int(9101, 101).text(9102, 'rate_limited');
      }),
    );
  } else if (role === 'market-data') {
    examples.push(
      ask('An order book as it changes', 'V', (out) => {
        out.text(262, 'book-1').char(263, '1').int(264, 5).int(265, 0);
        out.int(267, 2).char(269, '0').char(269, '1').int(146, 1).text(55, symbol);
      }),
    );
  }
  examples.push(ask('Logout', '5', (out) => out.text(58, 'end of day')));
  return examples;
}
