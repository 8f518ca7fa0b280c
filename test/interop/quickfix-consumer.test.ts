/** The bridge connects out to QuickFIX C++ that listens for drop copies; the log that it writes is then verified. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { hasQuickFix, LinePeer } from './line-peer.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 30_000;

describe.skipIf(!hasQuickFix)('QuickFIX C++ as a consumer that listens', () => {
  const folder = hasQuickFix ? mkdtempSync(join(tmpdir(), 'causeway-consumer-')) : '';
  let bridge: Bridge;
  let alpha: FixPeer;
  let port: number;
  let consumer: LinePeer;
  let from = 0;
  let count = 0;

  beforeAll(async () => {
    const source = join(import.meta.dirname, 'quickfix-consumer.cpp');
    const flags = ['-std=c++11', '-w', source, '-o', join(folder, 'consumer')];
    execFileSync('g++', [...flags, '-lquickfix', '-lpthread'], { stdio: 'inherit' });
    port = await freePort({ host: '127.0.0.1', port: 0 });
    bridge = await startBridge();
    connectOut();
    await bridge.gateway.reload(loadConfig(bridge.configFile));
    alpha = await logon();
  });

  afterAll(async () => {
    alpha.hangUp();
    await bridge.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** DROP is brought to the consumer instead of waiting for it. */
  function connectOut(): void {
    const config = parse(readFileSync(bridge.configFile, 'utf8'));
    for (const session of config.sessions) {
      if (session.senderCompId !== 'DROP') continue;
      const passwordFile = 'secrets/consumer.password';
      session.connect = { host: '127.0.0.1', port, username: 'bridge', passwordFile };
    }
    const secret = join(dirname(bridge.configFile), 'secrets/consumer.password');
    writeFileSync(secret, 'open sesame\n', { mode: 0o600 });
    writeFileSync(bridge.configFile, stringify(config));
  }

  async function logon(nextOut = 1): Promise<FixPeer> {
    const session = bridge.user('ALPHA');
    const peer = await FixPeer.connect(bridge.gateway.port, session);
    peer.nextOut = nextOut;
    await peer.logon('');
    return peer;
  }

  async function listen(): Promise<void> {
    const dictionary = join(root, 'dictionaries/CAUSEWAY44.xml');
    const store = join(folder, 'store');
    const words = [String(port), dictionary, store, 'DROP', 'CAUSEWAY', 'bridge', 'open sesame'];
    consumer = new LinePeer(
      spawn(join(folder, 'consumer'), words, { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    from = 0;
    await consumer.says('logon');
  }

  /** Looks on from the last find, so that the order of the messages is held too. */
  async function hears(...fields: readonly string[]): Promise<void> {
    const isIt = (line: string) => fields.every((field) => line.includes(`|${field}|`));
    const endMs = Date.now() + patienceMs;
    for (;;) {
      const at = consumer.lines.findIndex((line, i) => i >= from && isIt(line));
      if (at >= 0) {
        from = at + 1;
        return;
      }
      if (Date.now() > endMs) {
        throw new Error(`no ${fields.join('|')}, but\n${consumer.lines.slice(from).join('\n')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function placed(peer: FixPeer): Promise<string> {
    count += 1;
    const id = `c${count}`;
    peer.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
    await peer.next((message) => fieldOf(message, '11') === id && fieldOf(message, '150') === '0');
    return id;
  }

  const refusals = () => consumer.lines.filter((line) => /^(refuses|refused|failed)/.test(line));

  test('a consumer that comes late has what happened before, and may ask', async () => {
    const id = await placed(alpha);
    await listen();
    await hears(`11=${id}`, '150=0', '797=Y', '448=ALPHA');
    consumer.tell('UR|9120=past|9121=2|1=desk-a|9124=20260101-00:00:00');
    await hears('35=UA', '9120=past', '9128=0');
    await hears(`11=${id}`, '150=0', '97=Y', '9120=past');
    await hears('35=UA', '9120=past', '9128=1');
    expect(refusals()).toEqual([]);
  });

  test('a consumer that is killed is connected to again and has what it missed', async () => {
    await consumer.kill();
    const id = await placed(alpha);
    await listen();
    await hears(`11=${id}`, '150=0', '797=Y');
    expect(refusals()).toEqual([]);
  });

  test('a bridge that restarts connects by itself and continues with its sequence numbers', async () => {
    alpha.hangUp();
    const { nextOut } = alpha;
    const logons = consumer.count('logon');
    await bridge.restart();
    alpha = await logon(nextOut);
    const id = await placed(alpha);
    await hears(`11=${id}`, '150=0', '797=Y');
    expect(consumer.count('logon')).toBe(logons + 1);
    expect(refusals()).toEqual([]);
  });

  test('the reports in its own log add up to the totals', async () => {
    consumer.tell('UR|9120=sum|9121=6|1=desk-a');
    await hears('35=UT', '9120=sum', '9139=0');
    await hears('35=UA', '9120=sum', '9128=1');
    await consumer.quit();
    const store = join(folder, 'store');
    const log = readdirSync(store).find((name) => name.includes('messages'));
    const words = ['src/main.ts', 'dropcopy', 'verify', join(store, log ?? 'no log')];
    const said = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    expect(said).toMatch(/^desk-a on request: 6 copies, hash [0-9a-f]{64}: holds\n/);
    expect(said).toMatch(/^6 copies, \d+ marked repeats$/m);
  });
});
