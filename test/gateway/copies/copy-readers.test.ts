/** Drop copies of a running bridge, over real sockets: days, filters, restarts, loss, orders of other channels. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { type DemoSession, demoSessions } from '../../../src/cli/demo-files.ts';
import { chained, hashedTags } from '../../../src/dropcopy/copy-totals.ts';
import { FixLog } from '../../../src/dropcopy/fix-log.ts';
import { Verifier } from '../../../src/dropcopy/verify.ts';
import { loadConfig } from '../../../src/gateway/config/config-file.ts';
import { Gateway } from '../../../src/gateway/gateway.ts';
import { hashSecret, lightCost } from '../../../src/gateway/passwords/secret-hash.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';
import { listOf } from '../../acceptance/parity/lanes.ts';
import { type Bridge, type BridgeOptions, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';
import { FixpPeer } from '../../support/fixp-peer.ts';

// Each case starts bridges, venues or relays, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let bridge: Bridge;
let others: Gateway[] = [];
let peers: (FixPeer | FixpPeer)[] = [];

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  for (const other of others) await other.stop();
  await bridge.stop();
  peers = [];
  others = [];
});

async function client(name: string, nextOut = 1, gateway = bridge.gateway): Promise<FixPeer> {
  const session = bridge.user(name);
  const peer = await FixPeer.connect(gateway.port, session);
  peers.push(peer);
  peer.nextOut = nextOut;
  expect(typeOf(await peer.logon(''))).toBe('A');
  return peer;
}

let count = 0;
function order(fields = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1'): string {
  count += 1;
  return `D|11=o${count}|${fields}|60=now`;
}

const isReport = (execType: string, clOrdId?: string) => (message: string) =>
  fieldOf(message, '150') === execType &&
  (clOrdId === undefined || fieldOf(message, '11') === clOrdId);

interface Written {
  dataDir: string;
  venue: { profile: string };
  signer: { configFile: string };
  sessions: {
    senderCompId: string;
    accounts: string[];
    copy?: object;
    markets?: string[];
    profile?: string;
  }[];
}

/** Another configuration file beside the bridge's own. */
function written(name: string, change: (config: Written) => void): string {
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as Written;
  change(config);
  const file = join(dirname(bridge.configFile), name);
  writeFileSync(file, stringify(config));
  return file;
}

function drop(change: (session: Written['sessions'][number]) => void) {
  return (config: Written) => {
    for (const session of config.sessions) if (session.senderCompId === 'DROP') change(session);
  };
}

function demoSession(name: string): DemoSession {
  const found = demoSessions(1).find(({ senderCompId }) => senderCompId === name);
  if (found === undefined) throw new Error(`no session ${name}`);
  return found;
}

async function start(options: BridgeOptions = {}): Promise<void> {
  bridge = await startBridge(options);
}

/** Peers that are gone need not be waited for. */
async function restart(): Promise<void> {
  for (const peer of peers) peer.hangUp();
  await bridge.restart();
}

/** A second bridge on the same accounts: whatever it sends is of another channel to the first. */
async function otherBridge(): Promise<Gateway> {
  const file = written('other.yaml', (config) => {
    config.dataDir = 'other';
    config.signer.configFile = 'other-signer.yaml';
  });
  const signer = readFileSync(join(dirname(file), 'signer.yaml'), 'utf8');
  writeFileSync(
    join(dirname(file), 'other-signer.yaml'),
    signer.replace('dataDir: signer', 'dataDir: other-signer'),
  );
  const gateway = await Gateway.open({
    loaded: loadConfig(file),
    alarm: () => {},
    notice: () => {},
    fatal(error) {
      throw error;
    },
  });
  others.push(gateway);
  return gateway;
}

test('R72: orders of another channel are on the drop copy with the right sums, and on no order-entry session but one that wants them', async () => {
  await start({
    config: { profiles: { curious: { reportOtherChannels: true } } },
  });
  const changed = written(basename(bridge.configFile), (config) => {
    for (const session of config.sessions) {
      if (session.senderCompId === 'CHARLIE') session.profile = 'curious';
    }
  });
  await bridge.gateway.reload(loadConfig(changed));
  const alpha = await client('ALPHA');
  const charlie = await client('CHARLIE');
  const reader = await client('DROP');
  const elsewhere = await otherBridge();
  const away = await client('ALPHA', 1, elsewhere);
  const bravo = await client('BRAVO');
  away.say(order('55=BTC-USDC|54=1|38=0.03|40=2|44=50000|59=1'));
  const copy = await reader.next(isReport('0'));
  expect(fieldOf(copy, '453')).toBeUndefined();
  expect(fieldOf(copy, '59')).toBeUndefined();
  bravo.say(order('55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=1'));
  const traded = await reader.next(
    (message) => isReport('F')(message) && fieldOf(message, '1') === 'desk-a',
  );
  expect(['14', '151', '6', '39', '797'].map((tag) => fieldOf(traded, tag))).toEqual([
    '0.01',
    '0.02',
    '50000',
    '1',
    'Y',
  ]);
  expect(fieldOf(traded, '17')).toBe(fieldOf(await away.next(isReport('F')), '17'));
  // On a busy machine the venue's gate may close and open meanwhile, which is told too.
  const reports = (peer: FixPeer) => peer.unasked().filter((message) => typeOf(message) === '8');
  expect(reports(alpha)).toEqual([]);
  expect(reports(charlie).map((message) => fieldOf(message, '150'))).toEqual(['0', 'F']);
  expect(bridge.gateway.accounts[0]?.bound.runner.orders.openCount).toBe(0);
  await restart();
  const again = await client('DROP', reader.nextOut);
  const back = await client('ALPHA', away.nextOut, elsewhere);
  back.say('q|11=all|530=7|60=now');
  const ended = await again.next(isReport('4'));
  expect(['14', '151'].map((tag) => fieldOf(ended, tag))).toEqual(['0.01', '0']);
  // Nothing comes twice after a restart, and what came while it was away is not lost.
  const later = await client('CHARLIE', charlie.nextOut);
  await later.next(isReport('4'));
  expect(reports(later)).toEqual([]);
});

test('many orders of another channel write one line a minute, not one each', async () => {
  await start();
  const reader = await client('DROP');
  const away = await client('ALPHA', 1, await otherBridge());
  for (let i = 0; i < 5; i += 1) away.say(order('55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1'));
  for (let i = 0; i < 5; i += 1) await reader.next(isReport('0'));
  const lines = bridge.lines.filter(({ event }) => event === 'other_channel');
  expect(lines).toMatchObject([{ account: 'desk-a' }]);
});

test('R72: an order of another channel on a market that was not listed is copied from its first event on', async () => {
  await start();
  const profile = (parse(readFileSync(bridge.configFile, 'utf8')) as Written).venue.profile;
  const unread = {
    kind: 'fail_before',
    status: 500,
    path: '/markets',
    perMille: 1000,
    times: null,
  };
  // Only what the profile says is known, because the venue's list cannot be read.
  await bridge.restart(async () => {
    await bridge.admin('POST', '/faults', unread);
    const whole = parse(readFileSync(profile, 'utf8')) as { markets: { symbol: string }[] };
    const markets = whole.markets.filter(({ symbol }) => symbol !== 'SOL-USDC');
    writeFileSync(profile, stringify({ ...whole, markets }));
  });
  expect(bridge.gateway.symbols).not.toContain('SOL-USDC');
  await bridge.admin('DELETE', '/faults');
  const reader = await client('DROP');
  const away = await client('ALPHA', 1, await otherBridge());
  away.say(order('55=SOL-USDC|54=1|38=1|40=2|44=100|59=1'));
  const copy = await reader.next(isReport('0'));
  expect(['55', '38', '151'].map((tag) => fieldOf(copy, tag))).toEqual(['SOL-USDC', '1', '1']);
  expect(bridge.alarms.filter((text) => text.includes('has no market'))).toEqual([]);
});

test('D-11: a day ends with totals that the reader can work out, and a new one begins', async () => {
  await start();
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  const reader = await client('DROP');
  const verifier = new Verifier();
  const log = new FixLog();
  const hears = async (isWanted: (message: string) => boolean) => {
    for (;;) {
      const message = await reader.next(() => true);
      for (const each of log.push(message)) verifier.take(each);
      if (isWanted(message)) return message;
    }
  };
  bravo.say(order('55=BTC-USDC|54=2|38=0.02|40=2|44=50000.5|59=1'));
  await bravo.next(isReport('0'));
  alpha.say(order('55=BTC-USDC|54=1|38=0.02|40=2|44=50000.5|59=1'));
  await alpha.next(isReport('F'));
  await bravo.next(isReport('F'));
  bridge.gateway.copies.relay.endDay('20261120');
  const totals = await hears((message) => typeOf(message) === 'UT');
  expect(['9138', '9143', '9132', '9139'].map((tag) => fieldOf(totals, tag))).toEqual([
    '20261120',
    'Y',
    '1',
    '0',
  ]);
  expect(totals).toContain('|9133=1|55=BTC-USDC|');
  await hears((message) => typeOf(message) === 'UT');
  alpha.say(order());
  await hears(isReport('0', `o${count}`));
  reader.say('UR|9120=now|9121=6|1=desk-a');
  expect(fieldOf(await hears((message) => typeOf(message) === 'UT'), '9130')).toBe('2');
  const { checked, doubled } = verifier.finish();
  expect(checked.map(({ day, faults }) => [day, faults])).toEqual([
    ['20261120', []],
    ['20261120', []],
    [null, []],
  ]);
  expect(doubled).toEqual([]);
  const { bound, link } = bridge.gateway.accounts[0] ?? expect.fail('no account');
  expect(await link.reads.lastSeq(bound.runner.account)).toBe(bound.runner.orders.lastSeq);
});

test('a reader that was disconnected during a restart gets the copies that it missed, once', async () => {
  await start();
  const reader = await client('DROP');
  const first = await client('ALPHA');
  first.say(order());
  await reader.next(isReport('0'));
  const { nextOut } = reader;
  reader.hangUp();
  first.say(order());
  await first.next(isReport('0', `o${count}`));
  await restart();
  const again = await client('DROP', nextOut);
  const missed = await again.next(isReport('0'));
  expect([fieldOf(missed, '11'), fieldOf(missed, '97'), fieldOf(missed, '43')]).toEqual([
    `o${count}`,
    undefined,
    undefined,
  ]);
  again.say('1|112=last');
  await again.next((message) => fieldOf(message, '112') === 'last');
  expect(again.unasked()).toEqual([]);
});

test('D-08: what a reader sees is changed while it is logged on', async () => {
  await start();
  const reader = await client('DROP');
  const alpha = await client('ALPHA');
  const bravo = await client('BRAVO');
  const loaded = (change: (session: Written['sessions'][number]) => void) =>
    loadConfig(written('changed.yaml', drop(change)));
  const reload = (change: (session: Written['sessions'][number]) => void) =>
    bridge.gateway.reload(loaded(change));
  await reload((session) => {
    session.accounts = ['desk-b'];
  });
  alpha.say(order());
  await alpha.next(isReport('0', `o${count}`));
  bravo.say(order('55=ETH-USDC|54=1|38=0.1|40=2|44=1000|59=1'));
  expect(fieldOf(await reader.heard(), '11')).toBe(`o${count}`);
  await reader.next(isReport('0'));
  await reload((session) => {
    session.markets = ['ETH-USDC'];
  });
  alpha.say(order());
  await alpha.next(isReport('0', `o${count}`));
  alpha.say(order('55=ETH-USDC|54=1|38=0.1|40=2|44=1000|59=1'));
  expect(fieldOf(await reader.heard(), '11')).toBe(`o${count}`);
  await reader.next(isReport('0'));
  await reload((session) => {
    session.copy = { sessions: ['BRAVO'] };
  });
  alpha.say(order());
  await alpha.next(isReport('0', `o${count}`));
  bravo.say(order());
  expect(fieldOf(await reader.heard(), '448')).toBe('BRAVO');
  await reader.next(isReport('0'));
});

test('a loss by retention is reported, and nothing else is lost', async () => {
  await start({ config: { dropCopy: { retainCopies: 2 } } });
  const reader = await client('DROP');
  reader.hangUp();
  const alpha = await client('ALPHA');
  for (let i = 0; i < 4; i += 1) {
    alpha.say(order());
    await alpha.next(isReport('0', `o${count}`));
  }
  await bridge.gateway.copies.relay.retain();
  await restart();
  const again = await client('DROP', 2);
  const news = await again.heard();
  expect([typeOf(news), fieldOf(news, '148')]).toEqual(['B', 'Drop copies lost']);
  expect(fieldOf(news, '58')).toBe(
    'desk-a: copies 1 to 6 (6) are no longer kept and were not acknowledged',
  );
  expect(fieldOf(await again.heard(), '150')).toBe('A');
  expect(fieldOf(await again.heard(), '11')).toBe(`o${count}`);
});

test('D-04: a late reader gets the open orders once', async () => {
  await start({ session: { copy: { openOrders: true } } });
  const alpha = await client('ALPHA');
  alpha.say(order());
  await alpha.next(isReport('0'));
  await bridge.gateway.reload(
    loadConfig(
      written('changed.yaml', (config) => {
        const like = config.sessions.find(({ senderCompId }) => senderCompId === 'DROP');
        if (like !== undefined) config.sessions.push({ ...like, senderCompId: 'LATE' });
      }),
    ),
  );
  const session = bridge.user('DROP');
  const late = await FixPeer.connect(bridge.gateway.port, { ...session, senderCompId: 'LATE' });
  peers.push(late);
  await late.logon('');
  const state = await late.heard();
  expect(['150', '39', '797', '11'].map((tag) => fieldOf(state, tag))).toEqual([
    'I',
    '0',
    'Y',
    `o${count}`,
  ]);
  late.say('1|112=last');
  await late.next((message) => fieldOf(message, '112') === 'last');
  expect(late.unasked()).toEqual([]);
});

function factsOf(copy: string): string {
  const fields = hashedTags.map((tag) => [tag, fieldOf(copy, String(tag))] as const);
  return fields
    .flatMap(([tag, value]) => (value === undefined ? [] : `${tag}=${value}\x01`))
    .join('');
}

test('D-09: many readers, of both protocols, have the same copies in the same order', async () => {
  const names = ['R1', 'R2', 'R3', 'R4'];
  const reader = { role: 'drop-copy', accounts: ['desk-a', 'desk-b'], users: ['drop'] };
  const [drop, alpha] = [demoSession('DROP'), demoSession('ALPHA')];
  const { username, password: _, ...trader } = alpha;
  await start({
    config: {
      fixp: { listen: { port: 0 } },
      sessions: [
        { ...trader, users: [username] },
        ...names.map((senderCompId) => ({ ...reader, senderCompId, targetCompId: 'CAUSEWAY' })),
        { ...reader, protocol: 'fixp', senderCompId: 'R5' },
      ],
    },
  });
  const readers: (FixPeer | FixpPeer)[] = [];
  for (const senderCompId of names) {
    const peer = await FixPeer.connect(bridge.gateway.port, { ...drop, senderCompId });
    readers.push(peer);
    await peer.logon('');
  }
  const fixp = await FixpPeer.connect(bridge.gateway.fixpPort, drop, listOf(bridge.gateway));
  await fixp.logon();
  readers.push(fixp);
  peers.push(...readers);
  const sender = await client('ALPHA');
  for (let i = 0; i < 10; i += 1) sender.say(order());
  const told = await Promise.all(
    readers.map(async (each) => {
      const copies: string[] = [];
      while (copies.length < 20) copies.push(await each.heard());
      return copies;
    }),
  );
  const execIds = told.map((copies) => copies.map((copy) => fieldOf(copy, '17')));
  expect(new Set(execIds[0]).size).toBe(20);
  for (const ids of execIds) expect(ids).toEqual(execIds[0]);
  // Also over FIXP the hash can be worked out, from the text that FIX has for the same fields.
  const hash = (told.at(-1) ?? []).reduce(
    (before, copy) => chained(before, Buffer.from(factsOf(copy))),
    '0'.repeat(64),
  );
  fixp.say('UR|9120=sum|9121=6|1=desk-a');
  expect(fieldOf(await fixp.heard(), '58')).toMatch(new RegExp(`;count=20;.*;hash=${hash};`));
});

test('D-15: the secret of a reader is changed while it is logged on, and holds from its next logon', async () => {
  await start();
  const reader = await client('DROP');
  const secrets = join(dirname(bridge.configFile), 'secrets');
  writeFileSync(join(secrets, 'drop.hash'), hashSecret('another secret', lightCost));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  const alpha = await client('ALPHA');
  alpha.say(order());
  await reader.next(isReport('0'));
  reader.hangUp();
  const session = bridge.user('DROP');
  const logsOn = async (password: string) => {
    const peer = await FixPeer.connect(bridge.gateway.port, { ...session, password });
    peers.push(peer);
    peer.nextOut = reader.nextOut;
    return typeOf(await peer.logon(''));
  };
  expect(await logsOn(session.password)).toBe('5');
  expect(await logsOn('another secret')).toBe('A');
});

test('requests over FIXP are copied as well, to readers of the market', async () => {
  const [alpha, drop] = [demoSession('ALPHA'), demoSession('DROP')];
  const { username, password: _, ...reader } = drop;
  const copy = { requests: true, reports: false };
  await start({
    config: {
      fixp: { listen: { port: 0 } },
      sessions: [
        {
          protocol: 'fixp',
          senderCompId: 'ALPHA',
          role: 'order-entry',
          users: [alpha.username],
          accounts: ['desk-a'],
        },
        { ...reader, users: [username], copy, markets: ['RATE-CUT-2027'] },
      ],
    },
  });
  const watcher = await client('DROP');
  const asks = await FixpPeer.connect(bridge.gateway.fixpPort, alpha, listOf(bridge.gateway));
  peers.push(asks);
  await asks.logon();
  asks.say(order());
  asks.say(order('55=RATE-CUT-2027:NO|54=1|38=1|40=2|44=0.3|59=1'));
  const copied = await watcher.heard();
  expect(['35', '1', '55', '9142', '448', '797'].map((tag) => fieldOf(copied, tag))).toEqual([
    'UO',
    'desk-a',
    'RATE-CUT-2027:NO',
    'D',
    'ALPHA',
    'Y',
  ]);
  const [, length = '', rest = ''] = /\|95=(\d+)\|96=(.*)$/s.exec(copied) ?? [];
  const sbe = Buffer.from(rest.slice(0, Number(length)), 'latin1');
  expect(decodeMessage(orders, sbe)).toMatchObject({ message: 'NewOrderSingle' });
});

test('a request of nearly 64 KiB over FIX is copied to a reader over FIXP', async () => {
  const [alpha, drop] = [demoSession('ALPHA'), demoSession('DROP')];
  const { username, password: _, targetCompId, ...reader } = drop;
  await start({
    config: {
      fixp: { listen: { port: 0 } },
      sessions: [
        {
          senderCompId: 'ALPHA',
          targetCompId,
          role: 'order-entry',
          users: [alpha.username],
          accounts: ['desk-a'],
        },
        { ...reader, protocol: 'fixp', users: [username], copy: { requests: true } },
      ],
    },
  });
  const asks = await client('ALPHA');
  const text = `|58=${'x'.repeat(65_380)}`;
  asks.say(order() + text);
  expect(fieldOf(await asks.heard(), '9102')).toBe('bridge.value_out_of_range');
  const watcher = await FixpPeer.connect(bridge.gateway.fixpPort, drop, listOf(bridge.gateway));
  peers.push(watcher);
  await watcher.logon();
  const copied = await watcher.heard();
  expect(copied.replaceAll('\x01', '|').includes(`${text}|10=`)).toBe(true);
  expect(['35', '448', '9142'].map((tag) => fieldOf(copied, tag))).toEqual(['UO', 'ALPHA', 'D']);
});
