/** `causeway decode` reads what Wireshark reassembles from captures. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message } from '../support/fix-text.ts';
import { ethernetFrame, pcap } from './capture.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const order = Buffer.from(message('D', '11=a|55=BTC-USDC|54=1|60=20261121-10:00:00|38=1|40=1|'));
const beat = Buffer.from(message('0', ''));
let directory: string;
let file: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'decode-'));
  file = join(directory, 'line.pcap');
});

afterAll(() => rmSync(directory, { recursive: true }));

function decode(input: Buffer | string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'decode', '--json'], {
    input,
  });
  const lines = String(stdout).trim().split('\n');
  const names = lines.filter((line) => line !== '').map((line) => JSON.parse(line).name);
  return { status, names, stderr: String(stderr) };
}

/** Segments that wrap the sequence number, arrive swapped and repeated, with the other direction between them. */
function awkwardCapture(): Buffer {
  const client = (at: number, text: Buffer) =>
    ethernetFrame({ fromClient: true, seq: 2 ** 32 - 20 + at, text });
  return pcap([
    ethernetFrame({ fromClient: true, seq: 2 ** 32 - 21, text: '', syn: true }),
    ethernetFrame({ fromClient: false, seq: 0, text: '', syn: true }),
    client(0, order.subarray(0, 30)),
    client(60, order.subarray(60)),
    ethernetFrame({ fromClient: false, seq: 1, text: beat }),
    client(30, order.subarray(30, 60)),
    client(30, order.subarray(30, 60)),
    client(order.length, beat),
  ]);
}

test('a TCP stream that tshark reassembles is decoded in both directions', () => {
  writeFileSync(file, awkwardCapture());
  const stream = spawnSync('tshark', ['-r', file, '-q', '-z', 'follow,tcp,raw,0']).stdout;
  expect(decode(stream).names.sort()).toEqual(['Heartbeat', 'Heartbeat', 'NewOrderSingle']);
});

test('a packet capture is refused with the command that reassembles it', () => {
  const { status, names, stderr } = decode(awkwardCapture());
  expect([status, names]).toEqual([1, []]);
  expect(stderr).toContain('tshark -r FILE -q -z follow,tcp,raw,0 | causeway decode');
});
