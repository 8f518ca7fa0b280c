/**
 * Takes the pictures of docs/images that show the console, from a demo with some traffic:
 * causeway demo --port 0 --info demo.json, then node test/browser/pictures.ts demo.json. The picture of the nodes comes from
 * nodes.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { demoOperator, demoSessions } from '../../src/cli/demo-files.ts';
import { visitConsole } from '../support/console-desk.ts';
import { FixPeer } from '../support/fix-peer.ts';

const [infoFile = 'demo.json', seconds = '40'] = process.argv.slice(2);
const { console: page, fix } = JSON.parse(readFileSync(infoFile, 'utf8'));
const images = join(import.meta.dirname, '../../docs/images');
const laptop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function client(name: string): Promise<FixPeer> {
  const session = demoSessions(1).find(({ senderCompId }) => senderCompId === name);
  if (session === undefined) throw new Error(`no session ${name}`);
  const peer = await FixPeer.connect(fix.port, session);
  await peer.logon();
  return peer;
}

/** Orders that rest, trade, are canceled, and are refused by the bridge and by the venue. */
async function trade(peers: readonly FixPeer[], forMs: number): Promise<void> {
  for (let at = 1; at * 150 < forMs; at += 1) {
    const peer = peers[at % peers.length];
    const id = `${Date.now().toString(36)}-${at}`;
    const [symbol, qty, bid, offer] =
      at % 2 === 0 ? ['BTC-USDC', '0.01', 48_000, 52_000] : ['ETH-USDC', '0.2', 2_400, 2_600];
    const side = 1 + (at % 3 === 0 ? 1 : 0);
    const names = `11=${id}|55=${symbol}|54=${side}|60=now`;
    const limit = `44=${side === 1 ? bid : offer}|40=2|59=1`;
    if (at % 16 === 0) peer?.say(`D|${names}|38=90000|${limit}`);
    else if (at % 24 === 7) peer?.say(`D|${names.replace(symbol, 'XAU-USDC')}|38=1|${limit}`);
    else if (at % 4 === 1) peer?.say(`D|${names}|38=${qty}|40=1|59=3`);
    else peer?.say(`D|${names}|38=${qty}|${limit}`);
    await setTimeout(150);
    if (at % 3 === 0) peer?.say(`F|11=${id}c|41=${id}|55=${symbol}|54=${side}|60=now`);
  }
}

const peers = [await client('ALPHA'), await client('BRAVO')];
const charlie = await client('CHARLIE');
const visitor = await visitConsole(page.url);
const target = { kind: 'session', name: 'FIX.4.4:CAUSEWAY/->BRAVO/' };
const none = { maxNotional: '', priceCollarBps: '', maxDuplicatesPerSecond: '' };
const limits = { ...none, maxOrderQty: '100', maxOpenOrders: '200', ordersPerSecond: '50' };
await visitor.act({ act: 'set_limits', target, ...limits, why: 'the client asked for it' });
await trade(peers, Number(seconds) * 1_000);
charlie.hangUp();
const scope = { kind: 'account', name: 'desk-b' };
await visitor.act({ act: 'kill', scope, why: 'runaway algorithm', confirm: 'KILL' });
await visitor.act({ act: 'release', scope, why: 'the client has stopped it' });
await trade(peers, 6_000);

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
async function picture(name: string, path: string, options: BrowserContextOptions): Promise<void> {
  const context = await browser.newContext(options);
  const shown = await context.newPage();
  const { name: operator, token } = demoOperator(1);
  await shown.goto(page.url);
  await shown.getByLabel('Name').fill(operator);
  await shown.getByLabel('Token').fill(token);
  await shown.getByRole('button', { name: 'Log in' }).click();
  await shown.getByRole('navigation').waitFor();
  await shown.goto(`${page.url}/#/${path}`);
  await shown.locator('main h2').first().waitFor();
  await setTimeout(1_500);
  await shown.screenshot({ path: join(images, `console-${name}.png`) });
  await context.close();
}
for (const name of ['overview', 'orders', 'risk', 'sessions', 'latency']) {
  const path = name === 'overview' || name === 'latency' ? `${name}?range=12m` : name;
  const colorScheme = name === 'latency' ? 'dark' : 'light';
  await picture(name, path, { ...laptop, colorScheme });
}
await picture('phone', 'orders', { ...phone, colorScheme: 'light' });
await browser.close();
for (const peer of peers) peer.hangUp();
