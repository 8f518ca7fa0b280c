/**
 * What strangers send, in a process of its own, so that whoever measures does not wait for it: connections that say
 * nothing, wrong logons from as many addresses, and a console whose connections are all taken by one address.
 */
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { clientBytes } from '../acceptance/fix/script.ts';

interface Load {
  readonly fixPort: number;
  readonly consolePort: number;
  readonly halfOpen: number;
  readonly logons: number;
  readonly seconds: number;
  /** Of the addresses of wrong logons: another one is of networks that have not guessed yet. */
  readonly block: number;
}

const load = JSON.parse(process.argv[2] ?? '') as Load;
const consoleHolders = 300;
const scrapers = 4;
const stepMs = 20;
const endMs = Date.now() + load.seconds * 1_000;
const done = { halfOpen: 0, logons: 0, console: 0, scrapes: 0 };
const open = new Set<Socket>();

function dial(port: number, localAddress: string): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  open.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => open.delete(socket));
  socket.resume();
  return socket;
}

/** Half of them stop in the middle of a message. */
function sayNothing(index: number): void {
  const socket = dial(load.fixPort, `127.20.${(index >> 7) % 250}.${1 + (index % 128)}`);
  if (index % 2 === 0) socket.write('8=FIX.4.4\x019=100\x0135=A\x01');
  done.halfOpen += 1;
}

/** Each from an address of its own. */
function guess(index: number): void {
  const client = ['BRAVO', 'ALPHA', 'NOBODY'][index % 3] ?? '';
  const socket = dial(
    load.fixPort,
    `127.${load.block}.${Math.floor(index / 250)}.${1 + (index % 250)}`,
  );
  const logon = `A|34=1|98=0|108=30|553=${client.toLowerCase()}|554=guess-${index}`;
  socket.write(clientBytes(logon, { client, server: 'CAUSEWAY' }, Date.now()));
  done.logons += 1;
}

/** A request whose headers never end, begun anew as soon as it is cut off. */
function hold(): void {
  if (Date.now() >= endMs) return;
  const socket = dial(load.consolePort, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${load.consolePort}\r\nX: `);
  socket.once('close', () => setTimeout(hold, 100));
  done.console += 1;
}

/** Asks for the metrics again and again. */
function scrape(): void {
  if (Date.now() >= endMs) return;
  const next = () => setTimeout(scrape, 10);
  const asked = request(
    { host: '127.0.0.1', port: load.consolePort, path: '/metrics' },
    (answer) => {
      answer.resume();
      answer.once('end', next);
      done.scrapes += 1;
    },
  );
  asked.once('error', next);
  asked.end();
}

/** `count` calls, evenly over the time. */
function spread(count: number, call: (index: number) => void): void {
  const startMs = Date.now();
  const lengthMs = (endMs - startMs) * 0.9;
  let made = 0;
  const timer = setInterval(() => {
    const due = Math.min(count, Math.ceil(((Date.now() - startMs) / lengthMs) * count));
    for (; made < due; made += 1) call(made);
    if (made === count) clearInterval(timer);
  }, stepMs);
}

spread(load.halfOpen, sayNothing);
spread(load.logons, guess);
for (let i = 0; i < consoleHolders; i += 1) hold();
for (let i = 0; i < scrapers; i += 1) scrape();
setTimeout(
  () => {
    for (const socket of open) socket.destroy();
    process.stdout.write(`${JSON.stringify(done)}\n`, () => process.exit(0));
  },
  Math.max(0, endMs - Date.now()),
);
