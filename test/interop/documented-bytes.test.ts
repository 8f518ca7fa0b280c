/**
 * FIX-EXAMPLES.md and FIXP-EXAMPLES.md against a running bridge: this client sends the bytes of the documents, with its own
 * times, ids and password, and every byte that comes back must be the documented one, except those that differ each time.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Demo } from './quickfix-traders.ts';

interface Part {
  readonly at: number;
  readonly bytes: string;
  readonly name: string;
}

interface Documented {
  readonly title: string;
  readonly parts: readonly Part[];
}

/** The messages of a document: a table of parts below each heading. */
function messagesOf(file: string): readonly Documented[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs', file), 'utf8');
  return text
    .split(/^#{2,3} (?=\d+\. (?:Client|Bridge): )/m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      parts: [...section.matchAll(/^\| (\d+) \| `(.*?)` \| (.*?) \|/gm)].map(
        ([, at, bytes = '', name = '']) => ({ at: Number(at), bytes, name }),
      ),
    }));
}

/** A connection that cuts what it receives into messages. */
class Peer {
  readonly #socket: Socket;
  readonly #sizeOf: (bytes: Buffer) => number;
  #bytes = Buffer.alloc(0);
  #wake = () => {};

  constructor(port: number, sizeOf: (bytes: Buffer) => number) {
    this.#sizeOf = sizeOf;
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.on('data', (bytes) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      this.#wake();
    });
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  async next(): Promise<Buffer> {
    for (;;) {
      const size = this.#sizeOf(this.#bytes);
      if (size > 0 && this.#bytes.length >= size) {
        const message = this.#bytes.subarray(0, size);
        this.#bytes = this.#bytes.subarray(size);
        return message;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

const utc = () => new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, -1);

/** A message of these fields, with the header fields that depend on the time and on the length. */
function fixBytes(fields: readonly string[]): Buffer {
  const body = fields.map((field) => `${field.replace(/^(52|60)=.*/, `$1=${utc()}`)}\x01`).join('');
  const start = `8=FIX.4.4\x019=${body.length}\x01${body}`;
  const sum = Buffer.from(start, 'latin1').reduce((total, byte) => (total + byte) % 256, 0);
  return Buffer.from(`${start}10=${String(sum).padStart(3, '0')}\x01`, 'latin1');
}

function fixSize(bytes: Buffer): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SOH is what ends a field
  const header = /^8=FIX\.4\.4\x019=(\d+)\x01/.exec(bytes.toString('latin1', 0, 40));
  return header === null ? 0 : header[0].length + Number(header[1]) + 7;
}

const fixpSize = (bytes: Buffer) => (bytes.length < 4 ? 0 : bytes.readUInt32BE(0));

let folder: string;
let demo: Demo;
let seller: Peer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'documented-bytes-'));
  demo = await Demo.start(folder);
  seller = new Peer(demo.port, fixSize);
  const logon = [`553=bravo`, `554=${passwordOf('BRAVO')}`];
  seller.send(fixBytes([...headerOf('A', 1), '98=0', '108=30', '141=Y', ...logon]));
  await seller.next();
});

afterEach(async () => {
  seller.close();
  await demo.stop();
  rmSync(folder, { recursive: true });
});

const headerOf = (msgType: string, seq: number) => [
  `35=${msgType}`,
  `34=${seq}`,
  '49=BRAVO',
  '52=',
  '56=CAUSEWAY',
];

function passwordOf(compId: string): string {
  return demo.sessions.find(({ senderCompId }) => senderCompId === compId)?.password ?? '';
}

/** Trades with half of the documented order. */
function sellHalf(): void {
  const order = ['11=b-1', '1=desk-b', '55=BTC-USDC', '54=2', '60=', '38=0.005', '40=2'];
  seller.send(fixBytes([...headerOf('D', 2), ...order, '44=50000', '59=3']));
}

test('a FIX client gets the bytes of FIX-EXAMPLES.md', async () => {
  /** Of the time, of the length, of the venue: its id of the order, and the fee of a maker, none in the sandbox. */
  const differs = new Set(['9', '10', '37', '52', '60', '122', '137']);
  const client = new Peer(demo.port, fixSize);
  for (const { title, parts } of messagesOf('FIX-EXAMPLES.md')) {
    const fields = parts.map(({ bytes }) => bytes.replace('<SOH>', ''));
    if (title.includes('Client')) {
      const own = fields
        .slice(2, -1)
        .map((field) => field.replace('wonderland', passwordOf('ALPHA')));
      client.send(fixBytes(own));
      continue;
    }
    if (fields.includes('150=F')) sellHalf();
    const received = (await client.next()).toString('latin1').split('\x01').slice(0, -1);
    const same = (list: readonly string[]) =>
      list.map((field) => {
        const tag = field.slice(0, field.indexOf('='));
        return differs.has(tag) ? `${tag}=` : field;
      });
    expect(same(received), title).toEqual(same(fields));
  }
  client.close();
});

test('a FIXP client gets the bytes of FIXP-EXAMPLES.md', async () => {
  const sessionId = randomBytes(16);
  const differs = /^(SessionId|RequestTimestamp|State\.TransactTime|State\.OrderID|FeeMicro)$/;
  const client = new Peer(demo.fixpPort, fixpSize);
  const startNs = BigInt(Date.now()) * 1_000_000n;
  for (const [index, { title, parts }] of messagesOf('FIXP-EXAMPLES.md').entries()) {
    const documented = Buffer.from(parts.map(({ bytes }) => bytes).join(''), 'hex');
    if (title.includes('Client')) {
      const timestampNs = startNs + BigInt(index);
      const signed = `${title.split(': ')[1]}\x01${sessionId.toString('hex')}\x01${timestampNs}`;
      const signature = createHmac('sha256', demo.hmacSecret).update(signed).digest('base64');
      for (const { at, bytes, name } of parts) {
        if (name === 'SessionId') sessionId.copy(documented, at);
        if (name === 'Timestamp') documented.writeBigUInt64LE(timestampNs, at);
        if (name === 'TransactTime') documented.writeBigUInt64LE(BigInt(Date.now()), at);
        if (name === 'Credentials' && bytes !== '')
          documented.write(`96=${signature}\x01553=delta\x01`, at);
      }
      client.send(documented);
      continue;
    }
    if (title.includes('Trade')) sellHalf();
    const received = await client.next();
    const same = (message: Buffer) =>
      parts.map(({ at, bytes, name }) => {
        const hex = message.toString('hex', at, at + bytes.length / 2);
        return `${name} ${differs.test(name) ? '' : hex}`;
      });
    expect(same(received), title).toEqual(same(documented));
    expect(received.length, title).toBe(documented.length);
  }
  client.close();
});
