/** A demo that cannot listen: what it has started by then ends with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a demo whose port is in use reports that and exits', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const main = join(import.meta.dirname, '../../src/main.ts');
  const ports = ['--port', String(port), '--fixp-port', '0', '--console', '0'];
  const words = ['demo', '--no-makers', ...ports];
  const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(told).toContain(`address already in use 127.0.0.1:${port}\nAnother program listens there`);
  taken.close();
});
