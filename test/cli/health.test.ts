import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verb } from '../../src/cli/health.ts';
import { copyShipped } from '../../src/runtime/shipped.ts';
import { developmentAccounts } from '../../src/sandbox/development-accounts.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { sandboxProfile, shippedProfile } from '../../src/venue/profile.ts';
import { writeQuickFiles } from '../support/quick-files.ts';

const accounts = await developmentAccounts({ profile: shippedProfile(), seed: 1 }, nobleEcdsa(), 4);

let folder: string;
let server: Server;
let answer: { status: number; body: string };
let asked: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-health-'));
  answer = { status: 200, body: 'alive\n' };
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** As an operator would configure it; without a port there is no console. */
function configFile(consolePort: number | undefined): Promise<string> {
  return writeQuickFiles({
    directory: folder,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    ...(consolePort !== undefined && { consolePort }),
    venueUrl: 'http://127.0.0.1:1',
    profileFile: copyShipped(sandboxProfile, folder),
    accounts,
    cancelOnDisconnect: false,
  });
}

async function health(...words: string[]): Promise<readonly [code: number, text: string]> {
  const { port } = server.address() as AddressInfo;
  const file = await configFile(port);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const code = await verb.run(['--config', file, ...words]);
  return [code, String(log.mock.calls.at(-1)?.[0])];
}

test('a bridge that answers is alive', async () => {
  expect(await health()).toEqual([0, 'alive']);
  expect(asked).toEqual(['/healthz']);
});

test('a bridge that is not ready says why, and the exit code is 1', async () => {
  answer = { status: 503, body: 'the venue is unreachable\n' };
  expect(await health('--ready')).toEqual([1, 'the venue is unreachable']);
  expect(asked).toEqual(['/readyz']);
  expect(await health('--ready', '--json')).toEqual([
    1,
    '{"ok":false,"answer":"the venue is unreachable"}',
  ]);
});

test('a bridge that does not answer in time is not alive', async () => {
  server.removeAllListeners('request');
  const [code, text] = await health('--timeout', '20');
  expect([code, text]).toEqual([1, expect.stringMatching(/^no answer from 127\.0\.0\.1:\d+: /)]);
});

test('without a console there is nobody to ask, and the error says what to add', async () => {
  await expect(verb.run(['--config', await configFile(undefined)])).rejects.toThrow('no console');
});
