/** A session that connects out, as the lane of its protocol opens it: when is its consumer away? */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { SessionDirectory } from '../../../src/fix/session-directory.ts';
import type { LaneClient } from '../../../src/gateway/clients/client-lane.ts';
import { FixLane } from '../../../src/gateway/clients/fix-lane.ts';
import { nameOf } from '../../../src/gateway/config/client-names.ts';
import { configSchema, type FixSessionConfig } from '../../../src/gateway/config/config.ts';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';
import type { CopyReaders } from '../../../src/gateway/copies/copy-readers.ts';
import type { PasswordChecks } from '../../../src/gateway/passwords/password-checks.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import { Transactions } from '../../../src/store/transactions.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { sandboxProfile } from '../../support/quick-files.ts';
import { until } from '../../support/waits.ts';

const hourMs = 3_600_000;

function loadedFor(port: number): LoadedConfig {
  const account = `0x${'1'.repeat(40)}`;
  const config = configSchema.parse({
    environment: 'local',
    dataDir: 'data',
    fix: { listen: { port: 0 } },
    venue: { profile: 'venue.yaml' },
    roles: ['drop-copy'],
    accounts: [{ name: 'desk', account, apiKeyFile: 'k', apiSecretFile: 's', passphraseFile: 'p' }],
    users: [{ name: 'drop', secretHashFile: 'h' }],
    sessions: [
      {
        senderCompId: 'CLEARER',
        targetCompId: 'CAUSEWAY',
        role: 'drop-copy',
        users: ['drop'],
        accounts: ['desk'],
        connect: { host: '127.0.0.1', port },
        engine: { schedule: { start: '06:00', end: '11:00' } },
      },
    ],
  });
  const none = new Map();
  const path = (file: string) => file;
  return { config, path, users: none, connectPasswords: none } as unknown as LoadedConfig;
}

test('a consumer is not away outside of the hours of its session, nor while the session is stopped', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 12));
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new SessionDirectory({ dictionary: causeway44(), transactions, clock });
  const [codes, retries]: [unknown[], number[]] = [[], []];
  const lane = new FixLane({
    clock,
    directory,
    profile: sandboxProfile,
    copies: { inbound() {}, readerParts() {} } as unknown as CopyReaders,
    passwords: {} as PasswordChecks,
    alarm: (_, facts) => codes.push(facts?.code),
    notice(text) {
      const [, retryMs] = /next try is in (\d+) ms/.exec(text) ?? [];
      if (retryMs !== undefined) retries.push(Number(retryMs));
    },
  });
  let tries = 0;
  /** As many tries as take two minutes, the last of which has failed. */
  const fail = async () => {
    for (let passedMs = 0; passedMs < 120_000; tries += 1) {
      await until(() => retries.length > tries);
      passedMs += retries[tries] ?? 0;
      clock.advance(retries[tries] ?? 0);
    }
    await until(() => retries.length > tries);
  };
  const loaded = loadedFor(port);
  const session = loaded.config.sessions[0] as FixSessionConfig;
  const name = nameOf(session);
  const state = await directory.load(name);
  const makeClient = () => ({ arrived() {}, left() {} }) as unknown as LaneClient;
  lane.open({ name, session, loaded, state, makeClient });
  try {
    await fail();
    expect(codes).toEqual([]);
    clock.advance(18 * hourMs);
    directory.roster.stop(name);
    await fail();
    expect(codes).toEqual([]);
    directory.roster.start(name);
    await fail();
    expect(codes).toEqual(['consumer_away']);
  } finally {
    lane.stop();
    server.close();
  }
});
