/** What the echoing acceptor adds to the FIX engine; test/acceptance/fix plays the cases of the suite against it. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startConformance, verb } from '../../src/cli/conformance.ts';
import { exitCodes } from '../../src/cli/verb.ts';
import { clientBytes, difference } from '../acceptance/fix/script.ts';
import { SocketWire } from '../acceptance/fix/socket-wire.ts';

const names = { client: 'TW44', server: 'ISLD' };
const order = '|21=3|38=100|40=1|54=1|55=INTC|60=20260105-12:00:00';
let running: Awaited<ReturnType<typeof startConformance>>;
let wire: SocketWire;

beforeEach(async () => {
  running = await startConformance(0);
  wire = new SocketWire(running.port, names);
});
afterEach(async () => {
  await wire.finish();
  await running.close();
});

const say = (connection: number, text: string) =>
  wire.send(connection, clientBytes(text, names, Date.now()));

async function hears(connection: number, text: string): Promise<void> {
  const said = await wire.next(connection);
  expect(difference(text, said ?? 'nothing'), `${said} is not ${text}`).toBeUndefined();
}

async function logon(connection: number): Promise<void> {
  await wire.connect(connection);
  await say(connection, 'A|34=1|98=0|108=30');
  await hears(connection, 'A|34=1|98=0|108=30');
}

test('the echo is the body alone: groups of the header and a signature stay out of it, one of the body is whole', async () => {
  await logon(1);
  const party = '|453=2|448=A|447=D|452=1|448=B|447=D|452=3|802=1|523=DESK|803=2';
  await say(1, `D|34=2|50=TRADER|627=2|628=HUB|630=7|628=HUB2|11=ID${party}${order}|93=3|89=SIG`);
  await hears(1, `D|34=2|11=ID${party}${order}`);
  await say(1, 'C|34=3|164=E|94=0|147=subject|33=1|58=line|95=3|96=a=b');
  await hears(1, 'C|34=3|164=E|94=0|147=subject|33=1|58=line|95=3|96=a=b');
});

test('an order that may be a resend is echoed once in each session, and one that says no such thing always', async () => {
  await logon(1);
  await say(1, `D|34=2|97=Y|11=A${order}`);
  await hears(1, `D|34=2|97=Y|11=A${order}`);
  await say(1, `D|34=3|97=Y|11=A${order}`);
  await say(1, `D|34=4|97=N|11=A${order}`);
  await hears(1, `D|34=3|11=A${order}`);
  await say(1, `D|34=5|97=Y|11=B${order}`);
  await hears(1, `D|34=4|97=Y|11=B${order}`);
  await say(1, 'd|34=6|97=Y|320=A|322=B|323=1');
  await hears(1, 'd|34=5|97=Y|320=A|322=B|323=1');
  await say(1, '5|34=7');
  await hears(1, '5|34=6');
  await logon(2);
  await say(2, `D|34=2|97=Y|11=A${order}`);
  await hears(2, `D|34=2|97=Y|11=A${order}`);
});

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('causeway-session-'));

test('a port that is in use is refused, and nothing stays of the attempt', async () => {
  const before = folders();
  await expect(startConformance(running.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(folders()).toEqual(before);
});

test.each([
  [[], /^listening on 127\.0\.0\.1:(\d+)$/],
  [['--json'], /^\{"host":"127\.0\.0\.1","port":(\d+)\}$/],
])(
  'with %j the verb says where it listens, and ends at a signal with the port and the folder free',
  async (args, said) => {
    const before = folders();
    const told = Promise.withResolvers<string>();
    using _ = vi.spyOn(console, 'log').mockImplementation(told.resolve);
    const ended = verb.run(['--port', '0', ...args]);
    const [, port] = said.exec(await told.promise) ?? [];
    expect(folders()).toHaveLength(before.length + 1);
    process.emit('SIGTERM');
    expect(await ended).toBe(exitCodes.done);
    process.removeAllListeners('SIGINT');
    expect(folders()).toEqual(before);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    other.close();
  },
);
