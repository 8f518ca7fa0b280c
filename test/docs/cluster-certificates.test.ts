/** The certificates that docs/CLUSTER.md tells operators to make open a relay port, and only to a node. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Dialer } from '../../src/cluster/dialer.ts';
import { RelayPort } from '../../src/cluster/relay-port.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { until } from '../support/waits.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/CLUSTER.md'), 'utf8');
const shown = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = '']) => code);
const folder = mkdtempSync(join(tmpdir(), 'cluster-certificates-'));
const read = (name: string) => readFileSync(join(folder, name));

beforeAll(() => {
  const run = (script: string) => {
    execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'pipe' });
  };
  const [authority = '', node = ''] = shown.filter((code) => code.includes('openssl'));
  run(authority);
  for (const name of ['n1', 'n2', 'guest']) run(node.replaceAll('n1', name));
});

afterAll(() => rmSync(folder, { recursive: true }));

const tlsOf = (name: string) => ({
  cert: read(`${name}.crt`),
  key: read(`${name}.key`),
  ca: read('cluster-ca.crt'),
});

test.each([
  ['n1', 'x'],
  ['guest', ''],
])('the certificate of %s gets the answer "%s" from the port of n2', async (name, answer) => {
  const port = new RelayPort({
    ...{ host: '127.0.0.1', port: 0, tls: tlsOf('n2'), clock: systemClock, holdMs: 0 },
    maxConnections: 10,
    local: { find: () => undefined, all: () => [] },
    owners: { isNode: (one) => ['n1', 'n2'].includes(one), nodes: [], whenChanged: () => () => {} },
    responds: async () => true,
    answer: (link, first) => {
      link.write(first);
      link.end();
    },
    notice: () => {},
  });
  const relay = `127.0.0.1:${await port.listen()}`;
  const socket = new Dialer(tlsOf(name)).dial({ node: 'n2', relay });
  let heard = '';
  socket?.on('data', (piece) => {
    heard += piece;
  });
  socket?.on('end', () => socket.end());
  socket?.write('x');
  await until(() => socket?.closed === true);
  expect(heard).toBe(answer);
  await port.close();
});
