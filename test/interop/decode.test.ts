/** Captures as Wireshark's own tools write and print them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ethernetFrame, pcap } from '../cli/decode/capture.ts';
import { message } from '../support/fix-text.ts';

const main = join(import.meta.dirname, '../../src/main.ts');
const order = Buffer.from(message('D', '11=a|55=BTC-USDC|54=1|60=20261121-10:00:00|38=1|40=1|'));
let directory: string;
let file: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'decode-'));
  file = join(directory, 'line.pcap');
  writeFileSync(
    file,
    pcap([
      ethernetFrame({ fromClient: true, seq: 1, text: order.subarray(0, 50) }),
      ethernetFrame({ fromClient: true, seq: 51, text: order.subarray(50) }),
    ]),
  );
});

afterAll(() => rmSync(directory, { recursive: true }));

function decode(input: Buffer): unknown[] {
  const { stdout } = spawnSync(process.execPath, [main, 'decode', '--json'], { input });
  return String(stdout)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const tshark = (...args: string[]) => spawnSync('tshark', ['-r', file, ...args]).stdout;

test.each([
  ['tshark -x', () => tshark('-x')],
  ['tshark -e tcp.payload', () => tshark('-T', 'fields', '-e', 'tcp.payload')],
  ['pcapng of tshark -w', () => tshark('-F', 'pcapng', '-w', '-')],
])('%s is read', (_, make) => {
  expect(decode(make())).toEqual([
    expect.objectContaining({ name: 'NewOrderSingle', faults: [], bytes: order.length }),
  ]);
});
