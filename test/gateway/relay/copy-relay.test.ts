/** A process that only relays, beside the bridge that trades, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigError, loadConfig } from '../../../src/gateway/config/config-file.ts';
import { realOutside } from '../../../src/gateway/outside.ts';
import { CopyRelay } from '../../../src/gateway/relay/copy-relay.ts';
import { realNetwork, type VenueNetwork } from '../../../src/venue/network.ts';
import { listOf } from '../../acceptance/parity/lanes.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';
import { FixpPeer } from '../../support/fixp-peer.ts';

// Each case starts bridges, venues or relays, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let bridge: Bridge;
let relay: CopyRelay;
let peers: (FixPeer | FixpPeer)[] = [];

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  peers = [];
  await relay.stop();
  await bridge.stop();
});

async function client(name: string, port: number, nextOut = 1): Promise<FixPeer> {
  const session = bridge.user(name);
  const peer = await FixPeer.connect(port, session);
  peers.push(peer);
  peer.nextOut = nextOut;
  expect(typeOf(await peer.logon(''))).toBe('A');
  return peer;
}

/** The bridge's configuration without the key and whoever trades. */
function relayFile(more: object = {}): string {
  const { signer: _, ...config } = parse(readFileSync(bridge.configFile, 'utf8'));
  const sessions = config.sessions.filter(({ role }: { role: string }) => role === 'drop-copy');
  const file = join(dirname(bridge.configFile), 'relay.yaml');
  const roles = ['drop-copy'];
  writeFileSync(file, stringify({ ...config, dataDir: 'relay', roles, sessions, ...more }));
  return file;
}

function open(
  more: object = {},
  alarm: (text: string) => void = () => {},
  network = realNetwork,
): Promise<CopyRelay> {
  return CopyRelay.open({
    loaded: loadConfig(relayFile(more)),
    alarm,
    notice: () => {},
    outside: { ...realOutside, network },
    fatal(error) {
      throw error;
    },
  });
}

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

test('it tells of the executions of its accounts with the ExecIDs of order entry, also after a restart', async () => {
  bridge = await startBridge();
  relay = await open();
  const reader = await client('DROP', relay.port);
  const alpha = await client('ALPHA', bridge.gateway.port);
  const order = '55=BTC-USDC|40=2|44=50000|59=1|60=now';
  alpha.say(`D|11=a|${order}|54=1|38=0.02`);
  const own = await alpha.next(isReport('0'));
  const copy = await reader.next(isReport('0'));
  expect(['17', '37', '38', '14', '151', '797'].map((tag) => fieldOf(copy, tag))).toEqual(
    ['17', '37', '38', '14', '151'].map((tag) => fieldOf(own, tag)).concat('Y'),
  );
  reader.say(`D|11=x|${order}|54=1|38=0.02`);
  expect(fieldOf(await reader.next((message) => typeOf(message) === 'j'), '380')).toBe('6');
  reader.hangUp();
  await relay.stop();
  const bravo = await client('BRAVO', bridge.gateway.port);
  bravo.say(`D|11=b|${order}|54=2|38=0.01`);
  const traded = await alpha.next(isReport('F'));
  relay = await open();
  const again = await client('DROP', relay.port, reader.nextOut);
  const missed = await again.next(
    (message) => isReport('F')(message) && fieldOf(message, '1') === 'desk-a',
  );
  expect(['17', '14', '6', '97'].map((tag) => fieldOf(missed, tag))).toEqual([
    fieldOf(traded, '17'),
    '0.01',
    '50000',
    undefined,
  ]);
});

test('it serves readers over FIXP too, and does nothing that they ask', async () => {
  bridge = await startBridge();
  const user = bridge.user('DROP');
  const session = { protocol: 'fixp', senderCompId: 'COPY', role: 'drop-copy', users: ['drop'] };
  const sessions = [{ ...session, accounts: ['desk-a'] }];
  relay = await open({ fixp: { listen: { port: 0 } }, sessions });
  const reader = await FixpPeer.connect(relay.fixpPort, user, listOf(bridge.gateway));
  peers.push(reader);
  expect(await reader.logon()).toBe('35=A|');
  const alpha = await client('ALPHA', bridge.gateway.port);
  alpha.say('D|11=a|55=BTC-USDC|54=1|38=0.02|40=2|44=50000|59=1|60=now');
  const own = await alpha.next(isReport('0'));
  const copy = await reader.next(isReport('0'));
  expect([fieldOf(copy, '797'), fieldOf(copy, '17')]).toEqual(['Y', fieldOf(own, '17')]);
  reader.say('D|11=x|1=desk-a|55=BTC-USDC|54=1|38=0.02|40=2|44=50000|59=1|60=now');
  const refused = await reader.next((line) => typeOf(line) === 'j');
  expect([fieldOf(refused, '380'), fieldOf(refused, '58')]).toEqual([
    '6',
    expect.stringContaining('only relays copies'),
  ]);
});

test('events that the venue no longer has are reported in their place, and open orders continue from the receipts', async () => {
  bridge = await startBridge({ retention: { eventsPerAccount: 4 } });
  relay = await open();
  const reader = await client('DROP', relay.port);
  const [alpha, bravo] = [
    await client('ALPHA', bridge.gateway.port),
    await client('BRAVO', bridge.gateway.port),
  ];
  alpha.say('D|11=open|55=BTC-USDC|54=1|38=0.02|40=2|44=50000|59=1|60=now');
  const orderId = fieldOf(await reader.next(isReport('0')), '37');
  reader.hangUp();
  await relay.stop();
  bravo.say('D|11=hit|55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=1|60=now');
  await alpha.next(isReport('F'));
  for (const id of ['1', '2', '3']) {
    alpha.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=3|60=now`);
    await alpha.next(isReport('4'));
  }
  relay = await open();
  const again = await client('DROP', relay.port, reader.nextOut);
  const traded = await again.next((message) => fieldOf(message, '1') === 'desk-a');
  expect(['150', '37', '14', '151'].map((tag) => fieldOf(traded, tag))).toEqual([
    'F',
    orderId,
    '0.01',
    '0.01',
  ]);
  const news = await again.next((message) => typeOf(message) === 'B');
  expect([fieldOf(news, '148'), fieldOf(news, '58')]).toEqual([
    'Executions lost',
    expect.stringMatching(/^desk-a: Executions 2 to \d+ of the venue are lost/),
  ]);
  bravo.say('D|11=rest|55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=1|60=now');
  const filled = await again.next(
    (message) => isReport('F')(message) && fieldOf(message, '1') === 'desk-a',
  );
  expect(['37', '14', '151'].map((tag) => fieldOf(filled, tag))).toEqual([orderId, '0.02', '0']);
});

test('while the market list cannot be read, that is one alarm, and readers are told once which orders they do not get', async () => {
  bridge = await startBridge();
  const { venue } = parse(readFileSync(bridge.configFile, 'utf8'));
  const whole = parse(readFileSync(resolve(dirname(bridge.configFile), venue.profile), 'utf8'));
  // The venue has listed this market since the profile was written.
  const markets = whole.markets.filter(({ symbol }: { symbol: string }) => symbol !== 'BTC-USDC');
  writeFileSync(join(dirname(bridge.configFile), 'old.yaml'), stringify({ ...whole, markets }));
  const unread = { kind: 'fail_before', path: '/api/v1/markets', times: null };
  await bridge.admin('POST', '/faults', unread);
  const alarms: string[] = [];
  relay = await open({ venue: { ...venue, profile: 'old.yaml' } }, (text) => alarms.push(text));
  const reader = await client('DROP', relay.port);
  const alpha = await client('ALPHA', bridge.gateway.port);
  const bravo = await client('BRAVO', bridge.gateway.port);
  const order = '55=BTC-USDC|40=2|44=50000|59=1|60=now';
  alpha.say(`D|11=a|${order}|54=1|38=0.03`);
  await alpha.next(isReport('0'));
  bravo.say(`D|11=b|${order}|54=2|38=0.01`);
  await alpha.next(isReport('F'));
  const unlisted = () => alarms.filter((text) => text.includes('has no market 1'));
  const texts = ['desk-a', 'desk-b'].map((account) =>
    expect.stringMatching(
      new RegExp(`^${account}: the venue's list has no market 1: from event \\d+ on, orders`),
    ),
  );
  await expect.poll(unlisted, { timeout: 10_000 }).toEqual(expect.arrayContaining(texts));
  for (const text of unlisted()) expect(text).toContain('; ask the venue to list it');
  const isNews = (message: string) => typeOf(message) === 'B';
  const news = [await reader.next(isNews), await reader.next(isNews)];
  expect(news.map((message) => fieldOf(message, '58'))).toEqual(expect.arrayContaining(texts));
  const unreadable = () => alarms.filter((text) => text.includes('markets cannot be read'));
  expect(unreadable()).toHaveLength(1);
  await bridge.admin('DELETE', '/faults');
  // A market that was missing is requested once a second.
  await expect
    .poll(
      async () => {
        bravo.say(`D|11=${Date.now()}|${order}|54=2|38=0.001`);
        await alpha.next(isReport('F'));
        return reader.unasked().filter(isReport('F')).length;
      },
      { interval: 1_000, timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  expect(unlisted()).toHaveLength(2);
});

test('a relay whose port is taken lets go of the venue and of its files', async () => {
  bridge = await startBridge();
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap');
  const before = sockets().length;
  await expect(open({ fix: { listen: { port: bridge.gateway.port } } })).rejects.toThrow(
    'EADDRINUSE',
  );
  await expect.poll(() => sockets().length).toBeLessThanOrEqual(before);
  relay = await open();
  await client('DROP', relay.port);
});

test('another configuration changes the readers, and not what only a restart can change', async () => {
  bridge = await startBridge();
  relay = await open();
  const readers = () => relay.copies.relay.readers.map(({ name }) => name);
  expect(readers()).toEqual(['FIX.4.4:CAUSEWAY/->DROP/']);
  const moved = loadConfig(relayFile({ dataDir: 'elsewhere' }));
  await expect(relay.reload(moved)).rejects.toThrow('only a restart can change dataDir');
  const { sessions } = parse(readFileSync(relayFile(), 'utf8'));
  const renamed = [{ ...sessions[0], senderCompId: 'OTHER' }];
  await relay.reload(loadConfig(relayFile({ sessions: renamed })));
  expect(readers()).toEqual(['FIX.4.4:CAUSEWAY/->OTHER/']);
});

test('a process that only relays takes no key and no sessions that trade', async () => {
  bridge = await startBridge();
  relay = await open();
  const signer = { mode: 'inline', configFile: 'signer.yaml' };
  expect(() => loadConfig(relayFile({ signer }))).toThrow(ConfigError);
  const { sessions } = parse(readFileSync(bridge.configFile, 'utf8'));
  expect(() => loadConfig(relayFile({ sessions }))).toThrow(/only relays copies/);
});

test('a market that the venue lists with other decimals than an open order has is an alarm at the start', async () => {
  bridge = await startBridge();
  relay = await open();
  const reader = await client('DROP', relay.port);
  const alpha = await client('ALPHA', bridge.gateway.port);
  alpha.say('D|11=a|55=BTC-USDC|54=1|38=0.03|40=2|44=50000|59=1|60=now');
  await reader.next(isReport('0'));
  await relay.stop();
  const pool: VenueNetwork['pool'] = (origin, options) => {
    const real = realNetwork.pool(origin, options);
    return {
      destroy: () => real.destroy(),
      dispatch(request, handler) {
        const told = handler.onResponseData?.bind(handler);
        handler.onResponseData = (controller, chunk) =>
          told?.(
            controller,
            Buffer.from(chunk.toString().replace(/"qtyScale":\d/, '"qtyScale":5')),
          );
        return real.dispatch(request, handler);
      },
    };
  };
  const alarms: string[] = [];
  relay = await open({}, (text) => alarms.push(text), { ...realNetwork, pool });
  expect(alarms).toEqual([expect.stringMatching(/^1 markets .*: BTC-USDC has .* 5 of the qu/)]);
});

test('the list of markets does not depend on the credential of an account', async () => {
  bridge = await startBridge();
  const asked: string[] = [];
  const pool: VenueNetwork['pool'] = (origin, options) => {
    const real = realNetwork.pool(origin, options);
    return {
      destroy: () => real.destroy(),
      dispatch(request, handler) {
        if (request.path.endsWith('/markets')) asked.push(JSON.stringify(request.headers));
        return real.dispatch(request, handler);
      },
    };
  };
  relay = await open({}, () => {}, { ...realNetwork, pool });
  expect(asked).toEqual(['[]']);
});
