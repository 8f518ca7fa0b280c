/**
 * What a scenario does to the bridge, on real files and a bridge that is only a record of what it was told: the real one
 * is tested in bridge.slow.test.ts.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { BridgeActs, changeConfig } from '../../../src/cli/certify/bridge-acts.ts';

const base = mkdtempSync(join(tmpdir(), 'causeway-bridge-acts-'));
afterAll(() => rmSync(base, { recursive: true }));
afterEach(() => void vi.useRealTimers());

const backupPort = 9_999;
const config = {
  users: [{ name: 'peer' }],
  sessions: [
    { senderCompId: 'PEER', markets: ['BTC-USDC'], accounts: ['desk-a'] },
    { senderCompId: 'BRAVO', accounts: ['desk-b'] },
  ],
  fix: { listen: { host: '127.0.0.1', port: 9_990 }, logonTimeoutMs: 1_000 },
  fixp: {},
};
const segments = { '0000.log': Buffer.alloc(200, 'a'), '0001.log': Buffer.alloc(10, 'b') };
let folders = 0;

function opened() {
  folders += 1;
  const folder = join(base, String(folders));
  const log = join(folder, 'gateway', 'gateway-log');
  mkdirSync(log, { recursive: true });
  for (const [name, bytes] of Object.entries(segments)) writeFileSync(join(log, name), bytes);
  const configFile = join(folder, 'demo.yaml');
  writeFileSync(configFile, stringify(config), { mode: 0o600 });
  const isWhole = () =>
    Object.entries(segments).every(([name, bytes]) => readFileSync(join(log, name)).equals(bytes));
  const told: unknown[] = [];
  let refusal: Error | undefined;
  const bridge = {
    isRunning: true,
    async start() {
      told.push('start');
      if (bridge.isRunning) throw new Error('the data directory is held');
      if (!isWhole()) throw new Error('the store is damaged');
      bridge.isRunning = true;
    },
    async end(signal: string) {
      told.push(signal);
      bridge.isRunning = false;
    },
    async failOver(file?: string) {
      told.push(['fail over', file]);
      bridge.isRunning = false;
      await bridge.start();
    },
    async ask(asked: object) {
      told.push(asked);
      if (!bridge.isRunning) throw new Error('the bridge is not running');
      if (refusal !== undefined) throw refusal;
    },
  };
  const signer = {
    isOn: true,
    async start() {
      signer.isOn = true;
    },
    async stop() {
      signer.isOn = false;
    },
  };
  const names = { senderCompId: 'PEER', session: 'FIX.4.4:CAUSEWAY/->PEER/' };
  const acts = new BridgeActs({ bridge, signer, configFile, backupPort, ...names });
  const refuse = (error: Error | undefined) => {
    refusal = error;
  };
  const configured = (file = configFile) => parse(readFileSync(file, 'utf8'));
  return { acts, bridge, signer, told, folder, log, configFile, configured, isWhole, refuse };
}

test.each([
  ['kill', ['SIGKILL']],
  ['stop', ['SIGTERM']],
  ['fail over', [['fail over', undefined], 'start']],
  ['bust {"execId": "e-1"}', [{ kind: 'bust', execId: 'e-1' }]],
  [
    'numbers {"nextIn": "7", "nextOut": 9}',
    [{ kind: 'numbers', session: 'FIX.4.4:CAUSEWAY/->PEER/', nextIn: 7, nextOut: 9 }],
  ],
])('%s is told to the bridge', async (text, expected) => {
  const { acts, told } = opened();
  await acts.act(text);
  expect(told).toEqual(expected);
});

test('the signer is stopped, and started at the latest when the scenario is over', async () => {
  const { acts, signer, told } = opened();
  await acts.act('signer off');
  expect(signer.isOn).toBe(false);
  await acts.act('signer on');
  expect(signer.isOn).toBe(true);
  await acts.act('signer off');
  await acts.undo();
  expect([signer.isOn, told]).toEqual([true, []]);
});

test('keys are set of the one session, and reloaded; the file stays private', async () => {
  const { acts, configured, configFile, told } = opened();
  await acts.act('set {"markets": ["ETH-USDC"], "role": "market-data"}');
  const [own, other] = config.sessions;
  expect(configured()).toEqual({
    ...config,
    sessions: [{ ...own, markets: ['ETH-USDC'], role: 'market-data' }, other],
  });
  expect(told).toEqual([{ kind: 'reload' }]);
  expect(statSync(configFile).mode & 0o777).toBe(0o600);
  await acts.act('set {"profile": {"restateOrders": true}}');
  const { profiles, sessions } = configured();
  expect(profiles).toEqual({ certified: { restateOrders: true } });
  expect(sessions[0]).toMatchObject({ role: 'market-data', profile: 'certified' });
});

test.each([
  ['2026-03-01T10:00:00.900Z', { end: '10:00:08', start: '10:00:10' }],
  ['2026-03-01T23:59:51.000Z', { end: '23:59:59', start: '00:00:01' }],
])('at %s the hours of a session end and start again around that time', async (now, hours) => {
  const { acts, configured } = opened();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  await acts.act('hours {"endInS": 8, "startInS": 10}');
  expect(configured().sessions[0].engine.schedule).toEqual(hours);
});

test('at the backup site the bridge has the same configuration with another port', async () => {
  const { acts, told, folder, configured } = opened();
  await acts.act('lose site');
  const file = join(folder, 'backup.yaml');
  expect(told[0]).toEqual(['fail over', file]);
  const { fix } = config;
  const listen = { ...fix.listen, port: backupPort };
  expect(configured(file)).toEqual({ ...config, fix: { ...fix, listen } });
  expect(configured()).toEqual(config);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  told.length = 0;
  await acts.undo();
  expect(told).toEqual(['SIGKILL', 'start']);
});

test('a damaged log keeps its size and its header, and a segment that is not begun keeps all', async () => {
  const { acts, log, isWhole } = opened();
  await acts.act('kill');
  await acts.act('damage');
  const damaged = readFileSync(join(log, '0000.log'));
  const intact = segments['0000.log'].subarray(0, 64);
  expect(damaged).toEqual(Buffer.concat([intact, Buffer.alloc(136, 0xa5)]));
  expect(readFileSync(join(log, '0001.log'))).toEqual(segments['0001.log']);
  await acts.act('start in vain');
  await acts.act('repair');
  expect(isWhole()).toBe(true);
});

test('a start in vain is one that the store prevents', async () => {
  const { acts, bridge } = opened();
  await expect(acts.act('start in vain')).rejects.toThrow('the bridge is running');
  await acts.act('stop');
  await expect(acts.act('start in vain')).rejects.toThrow('has started on a damaged store');
  expect(bridge.isRunning).toBe(true);
});

test('only a damaged store is repaired, and it is damaged once, because there is one copy', async () => {
  const { acts, isWhole, folder } = opened();
  await expect(acts.act('repair')).rejects.toThrow('the store is not damaged');
  expect(isWhole()).toBe(true);
  await acts.act('damage');
  await expect(acts.act('damage')).rejects.toThrow('the store is damaged already');
  await acts.act('repair');
  expect([isWhole(), readdirSync(folder).includes('gateway.kept')]).toEqual([true, false]);
});

test('a store that could not be copied is not damaged', async () => {
  const { acts, folder, isWhole, bridge } = opened();
  writeFileSync(join(folder, 'gateway.kept'), 'in the way');
  await expect(acts.act('damage')).rejects.toThrow();
  expect(isWhole()).toBe(true);
  await acts.undo();
  expect([isWhole(), bridge.isRunning]).toEqual([true, true]);
});

test('a change that the bridge refuses is undone as well', async () => {
  const { acts, configured, told, refuse } = opened();
  refuse(new Error('markets: not a list'));
  await expect(acts.act('set {"markets": 1}')).rejects.toThrow('not a list');
  refuse(undefined);
  told.length = 0;
  await acts.undo();
  expect([configured(), told]).toEqual([config, [{ kind: 'reload' }]]);
});

test('what is no act is refused, and does nothing', async () => {
  const { acts, told } = opened();
  await expect(acts.act('explode')).rejects.toThrow('is not an operation on a bridge');
  await expect(acts.act('hours {}')).rejects.toThrow();
  expect(told).toEqual([]);
});

const everyAct = [
  ...['kill', 'stop', 'start', 'fail over', 'lose site', 'start in vain', 'damage', 'repair'],
  ...['signer off', 'signer on', 'set {"role": "market-data"}', 'set {"profile": {}}'],
];

test('whatever a scenario did, in any order, the bridge is as before in the end', async () => {
  const scenarios = fc.array(fc.constantFrom(...everyAct), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(scenarios, scenarios, async (first, second) => {
      const { acts, bridge, signer, configured, isWhole, folder, told } = opened();
      for (const scenario of [first, second]) {
        // An act that is impossible ends a scenario.
        for (const text of scenario) await acts.act(text).catch(() => {});
        await acts.undo();
        expect([bridge.isRunning, signer.isOn, isWhole(), configured()]).toEqual([
          ...[true, true, true],
          config,
        ]);
        expect(existsSync(join(folder, 'gateway.kept'))).toBe(false);
      }
      told.length = 0;
      await acts.undo();
      expect(told).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('a change of the configuration keeps what it does not name', () => {
  const { configFile, configured } = opened();
  changeConfig(configFile, ({ users }) => ({ users: [...users, { name: 'other' }] }));
  expect(configured()).toEqual({ ...config, users: [{ name: 'peer' }, { name: 'other' }] });
});
