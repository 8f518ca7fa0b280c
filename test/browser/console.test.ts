/**
 * The console as an operator has it: in a browser, on a laptop and a phone, light and dark. With
 * CAUSEWAY_SCREENSHOTS=DIR each page is also photographed there, to be looked at.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';
import { faintTexts } from './faint-texts.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const { CAUSEWAY_SCREENSHOTS: pictures } = process.env;
const hostile = '<img src=x onerror="document.title=666"><script>document.title=666</script>';
const laptop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const pages = [
  'overview',
  'orders',
  'sessions',
  'messages',
  'venue',
  'risk',
  'copies',
  'makers',
  'latency',
  'certification',
  'alarms',
  'audit',
  'config',
];

let desk: ConsoleDesk;
let browser: Browser;
let page: Page;
let alpha: FixPeer;
/** What the browser complained about: errors, and everything that the policy stopped. */
const complaints: string[] = [];

beforeAll(async () => {
  if (executablePath === undefined) throw new Error('Debian package chromium is needed');
  desk = await startConsoleDesk();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  alpha = await client('ALPHA');
  page = await opened({ ...laptop, colorScheme: 'light' });
});

afterAll(async () => {
  await browser.close();
  alpha.hangUp();
  await desk.stop();
});

function sessionOf(name: string): DemoSession {
  const session = desk.sessions.find(({ senderCompId }) => senderCompId === name);
  if (session === undefined) throw new Error(`no session ${name}`);
  return session;
}

async function client(name: string): Promise<FixPeer> {
  const session = sessionOf(name);
  const peer = await FixPeer.connect(desk.bridge.gateway.port, session);
  await peer.logon();
  return peer;
}

async function opened(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  const made = await context.newPage();
  made.on('pageerror', (error) => complaints.push(String(error)));
  made.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await made.goto(desk.url);
  await made.getByLabel('Name').fill(desk.operator.name);
  await made.getByLabel('Token').fill(desk.operator.token);
  await made.getByRole('button', { name: 'Log in' }).click();
  await made.getByRole('navigation').waitFor();
  return made;
}

async function go(name: string): Promise<void> {
  await page.goto(`${desk.url}/#/${name}`);
}

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

async function confirmed(why: string, button: string, word?: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/Reason/).fill(why);
  if (word !== undefined) await dialog.getByLabel(/confirm/).fill(word);
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('a wrong token is refused with a message, the right one logs in, and a page reload stays logged in', async () => {
  const context = await browser.newContext(laptop);
  const other = await context.newPage();
  await other.goto(desk.url);
  await other.getByLabel('Name').fill('demo');
  await other.getByLabel('Token').fill('wrong');
  await other.getByRole('button', { name: 'Log in' }).click();
  expect(await other.getByRole('alert').textContent()).toMatch(/name or the token/);
  await other.getByLabel('Token').fill(desk.operator.token);
  await other.keyboard.press('Enter');
  await other.getByText('Everything is OK').waitFor();
  await other.reload();
  await other.getByText('Everything is OK').waitFor();
  await other.getByRole('button', { name: 'Log out' }).click();
  await other.getByRole('button', { name: 'Log in' }).waitFor();
  await context.close();
});

test('the first page answers whether everything is OK, and an alarm is acknowledged there', async () => {
  await go('overview?range=12m');
  await page.getByText('Everything is OK').waitFor();
  await page.getByRole('img', { name: /Order flow, per minute: commands/ }).waitFor();
  const charlie = await client('CHARLIE');
  await page.getByRole('cell', { name: /CHARLIE\/: logged on/ }).waitFor();
  charlie.hangUp();
  await page.getByRole('heading', { name: 'Sessions that should be up' }).waitFor();
  await page.getByRole('link', { name: 'CHARLIE', exact: true }).waitFor();
  const visitor = await desk.login();
  const scope = { kind: 'account', name: 'desk-b' };
  await visitor.act({ act: 'kill', scope, why: 'an alarm', confirm: 'KILL' });
  await visitor.act({ act: 'release', scope, why: 'an alarm' });
  const alarm = page.getByRole('row', { name: /kill switch on: account desk-b/ });
  await alarm.getByRole('button', { name: 'Acknowledge' }).click();
  await confirmed('it was a test', 'Acknowledge');
  await page.getByRole('heading', { name: 'Alarms to acknowledge' }).waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: /alarm acknowledge: .*it was a test/ }).waitFor();
  const back = await client('CHARLIE');
  await page.getByText('Everything is OK').waitFor();
  await visitor.act({
    act: 'stop',
    session: 'FIX.4.4:CAUSEWAY/->CHARLIE/',
    why: 'end of the test',
  });
  back.hangUp();
});

test('an order is watched live, with a hostile Text(58) that stays text', async () => {
  await go('orders');
  await page.getByText('No orders yet.').waitFor();
  alpha.say(`D|11=live-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|58=${hostile}|60=now`);
  await alpha.next(isReport('0'));
  const row = page.getByRole('row', { name: /live-1/ });
  await row.getByText('new', { exact: true }).waitFor();
  alpha.say('F|11=live-2|41=live-1|55=BTC-USDC|54=1|60=now');
  await alpha.next(isReport('4'));
  await row.getByText('canceled').waitFor();
  await go('messages');
  await page
    .getByRole('row', { name: /onerror/ })
    .first()
    .waitFor();
  await page
    .getByRole('row', { name: /onerror/ })
    .first()
    .getByRole('link')
    .click();
  await page.getByRole('cell', { name: hostile, exact: true }).waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(await page.title()).toBe('Messages · Causeway');
});

test('an order is searched, and its story goes from the bytes to the report', async () => {
  alpha.say('D|11=other-1|55=ETH-USDC|54=1|38=0.01|40=2|44=2000|59=1|60=now');
  await alpha.next(isReport('0'));
  await go('orders');
  await page.getByLabel('ClOrdID, OrderID, account, symbol').fill('LIVE-1');
  await page.getByRole('row', { name: /other-1/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'live-1' }).click();
  await page.getByRole('heading', { name: 'Story' }).waitFor();
  const story = page.locator('.story li');
  const kinds = await story.evaluateAll((steps) => steps.map((step) => step.className));
  expect(kinds[0]).toBe('received');
  for (const kind of ['recorded', 'asked', 'answered', 'event', 'reported'])
    expect(kinds).toContain(kind);
  await page.getByText('signature', { exact: true }).first().waitFor();
  await page.getByText(hostile).first().waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
});

test.each(['order', 'session'])(
  'an address whose %s does not decode finds nothing',
  async (name) => {
    await page.goto(`${desk.url}/#/${name}/%`);
    await page.getByText('not found, or no longer kept').waitFor();
  },
);

test('a session is stopped, reset and started, each for a reason that the audit chain keeps', async () => {
  await go('sessions');
  await page.getByLabel('Name').fill('alpha');
  await page.getByText('1 of 1').waitFor();
  await page.getByRole('link', { name: 'ALPHA' }).click();
  const fact = (name: string) => page.locator('.facts div').filter({ hasText: name });
  await fact('State').getByText('active').waitFor();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await confirmed('end of day', 'Stop');
  await alpha.next((message) => fieldOf(message, '35') === '5');
  alpha.hangUp();
  await fact('State').getByText('stopped').waitFor();
  await page.getByRole('button', { name: 'Reset to 1…' }).click();
  await confirmed('agreed with the client', 'Reset to 1');
  await page.getByText('Done: reset').waitFor();
  expect(await fact('Next in').locator('dd').textContent()).toBe('1');
  await page.getByRole('button', { name: 'Start…' }).click();
  await confirmed('start of day', 'Start');
  await fact('State').getByText('down').waitFor();
  alpha = await client('ALPHA');
  await fact('State').getByText('active').waitFor();
  await go('audit');
  const first = page.getByRole('row').nth(1);
  expect(await first.textContent()).toContain('start of day');
  await page.getByRole('row', { name: /agreed with the client/ }).waitFor();
});

test('a search is in the address, so that it is restored after an order was opened', async () => {
  await go('orders');
  await page.getByLabel('ClOrdID, OrderID, account, symbol').fill('other-1');
  await page.getByRole('row', { name: /live-1/ }).waitFor({ state: 'detached' });
  await page.waitForURL(/text=other-1/);
  await page.getByRole('link', { name: 'other-1' }).click();
  await page.getByRole('heading', { name: 'Story' }).waitFor();
  await page.goBack();
  await page.getByRole('row', { name: /other-1/ }).waitFor();
  expect(await page.getByRole('row', { name: /live-1/ }).count()).toBe(0);
});

test('orders beyond the first page are a step away, and the latest are one step back', async () => {
  for (let at = 100; at <= 220; at += 1) {
    alpha.say(`D|11=many-${at}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=3|60=now`);
    await alpha.next(isReport('4'));
  }
  await go('orders?text=many-');
  await page.getByText('1–100 of 121').waitFor();
  await page.getByRole('row', { name: /many-220/ }).waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('101–121 of 121').waitFor();
  await page.getByRole('row', { name: /many-100/ }).waitFor();
  expect(await page.getByRole('row', { name: /many-1/ }).count()).toBe(21);
  expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
  await page.getByRole('button', { name: 'First page' }).click();
  await page.getByText('1–100 of 121').waitFor();
});

test('orders are sorted, shown without a column, exported as CSV and canceled', async () => {
  alpha.say('D|11==HYPERLINK|55=BTC-USDC|54=1|38=1.5|40=2|44=30000|59=1|60=now');
  await alpha.next(isReport('0'));
  alpha.say('D|11=too-much|55=BTC-USDC|54=1|38=90000|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('8'));
  await go('orders');
  await page.getByRole('button', { name: 'Quantity' }).click();
  const first = page.getByRole('row').nth(1);
  await first.getByText('too-much').waitFor();
  await first.getByText(/qty_exceeds_max/).waitFor();
  expect(await first.locator('.fig').first().textContent()).toBe('90000');
  await page.getByText('Columns', { exact: true }).click();
  await page.getByLabel('Reason', { exact: true }).uncheck();
  expect(await page.getByText(/qty_exceeds_max/).count()).toBe(0);
  await page.getByLabel('Reason', { exact: true }).check();
  await page.getByText('Columns', { exact: true }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv).toContain('too-much,rejected,Buy,90000,BTC-USDC,40000');
  expect(csv).toContain(`"'=HYPERLINK"`);
  await page.getByLabel('Select =HYPERLINK').check();
  await page.getByRole('button', { name: 'Cancel 1…' }).click();
  await confirmed('a test', 'Cancel the order');
  await page.getByText('1 order is being canceled.').waitFor();
  await alpha.next(isReport('4'));
});

test('an order that the bridge refused is in the blotter with its reason, on a page of its own, and in the file', async () => {
  alpha.say('D|11=refused-1|55=NOPE|54=1|38=1|40=2|44=1|59=1|60=now');
  await alpha.next(isReport('8'));
  await go('orders?state=rejected');
  const row = page.getByRole('row', { name: /refused-1/ });
  await row.getByText('rejected', { exact: true }).waitFor();
  await row.getByText('bridge.unknown_instrument: NOPE').waitFor();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await saved).path(), 'utf8');
  expect(csv).toContain('refused-1,rejected,Buy,1,NOPE,1,0,0,');
  await row.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Order refused-1' }).waitFor();
  await page.locator('.story li.reported').waitFor();
  const small = await opened({ ...phone, colorScheme: 'dark' });
  await small.goto(`${desk.url}/#/orders?text=refused-1`);
  const line = small.getByRole('row', { name: /refused-1/ });
  await line.getByText('rejected').waitFor();
  await line.getByRole('link').first().click();
  await small
    .locator('.facts')
    .getByText(/^bridge.unknown_instrument/)
    .first()
    .waitFor();
  await small.context().close();
});

test('a search that finds nothing leads to the messages', async () => {
  await go('orders?text=refused-0');
  await page.getByRole('link', { name: /refused-0/ }).click();
  await page.getByText('No message matches').waitFor();
});

test('the kill switch needs a reason and its word, and shows on every page', async () => {
  alpha.say('D|11=kill-1|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('0'));
  await go('risk');
  await page.getByRole('button', { name: 'Kill switch…' }).click();
  const button = page.getByRole('dialog').getByRole('button', { name: 'Stop trading' });
  expect(await button.isDisabled()).toBe(true);
  await page
    .getByRole('dialog')
    .getByLabel(/Reason/)
    .fill('runaway');
  expect(await button.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Kill switch…' }).click();
  await confirmed('runaway', 'Stop trading', 'KILL');
  await alpha.next(isReport('4'));
  await page.getByRole('link', { name: 'kill switch', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Release' }).click();
  await confirmed('it is over', 'Release');
  await page.getByText('Orders are accepted from everybody.').waitFor();
  await page.getByRole('link', { name: 'kill switch', exact: true }).waitFor({ state: 'detached' });
});

test('a certification is started from the page, which says what the counterparty must do, and stopped', async () => {
  const visitor = await desk.login();
  const only = { act: 'certify', folder: 'example', only: ['O-01'], why: 'first try' };
  await go('certification');
  expect((await visitor.act(only)).status).toBe(200);
  const text = page.getByText(/waiting for 49=EXAMPLE/);
  await text.waitFor({ timeout: 90_000 });
  const port = Number(/127\.0\.0\.1:(\d+)/.exec((await text.textContent()) ?? '')?.[1]);
  const names = { ...sessionOf('ALPHA'), senderCompId: 'EXAMPLE' };
  // The desk answers once to see the numbers, then lets the bridge answer in its place.
  const first = await FixPeer.connect(port, names);
  first.say('A|98=0|108=30');
  await expect.poll(() => first.isClosed, { timeout: 60_000 }).toBe(true);
  const counterparty = await FixPeer.connect(port, names);
  counterparty.nextOut = 2;
  counterparty.say('A|98=0|108=30');
  await page.getByText('The counterparty must act').waitFor({ timeout: 60_000 });
  await page
    .locator('.prompt code')
    .getByText(/^D\|11=/)
    .waitFor();
  await page.getByRole('button', { name: 'Stop…' }).click();
  await confirmed('enough for today', 'Stop');
  await page.getByText('ended', { exact: true }).waitFor();
  counterparty.hangUp();
  await page.getByRole('heading', { name: 'Example Capital' }).waitFor();
  await page.getByRole('link', { name: 'Download the report' }).waitFor();
  await go('audit');
  await page.getByRole('row', { name: /first try/ }).waitFor();
});

test('what one operator does the other sees at once, and what is done already does no harm', async () => {
  const other = await opened({ ...laptop, colorScheme: 'dark' });
  await other.goto(`${desk.url}/#/risk`);
  await go('risk');
  await page.getByLabel('Scope').selectOption('account desk-b');
  await page.getByRole('button', { name: 'Kill switch…' }).click();
  await confirmed('a fat finger', 'Stop trading', 'KILL');
  await other.getByText(/account desk-b since .*: a fat finger/).waitFor();
  await other.getByRole('button', { name: 'Release' }).click();
  await other
    .getByRole('dialog')
    .getByLabel(/Reason/)
    .fill('it is over');
  await page.getByRole('button', { name: 'Release' }).click();
  await confirmed('it is over', 'Release');
  await other.getByText('Orders are accepted from everybody.').waitFor();
  await other.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await other.getByText('It was not on for this scope.').waitFor();
  await other.context().close();
});

test('a bridge that does not answer is not shown as ready, and one that does again is', async () => {
  await go('orders');
  const health = page.locator('.health');
  await health.getByText('ready', { exact: true }).waitFor();
  await page.route('**/api/overview', (route) => route.abort());
  await page.reload();
  await health.getByText(/the bridge does not answer/).waitFor();
  expect(await health.getByText('ready', { exact: true }).count()).toBe(0);
  await page.unroute('**/api/overview');
  await health.getByText('ready', { exact: true }).waitFor();
});

test('limits are changed with a reason, apply at once, and go back to the configuration', async () => {
  await go('risk');
  const row = page.getByRole('row', { name: /session ALPHA/ });
  await row.getByRole('button', { name: 'Change' }).click();
  await page.getByRole('dialog').getByLabel('Order quantity').fill('0.001');
  await confirmed('a test of limits', 'Change the limits');
  await row.getByText(/^by demo, /).waitFor();
  alpha.say('D|11=limited|55=BTC-USDC|54=1|38=0.01|40=2|44=30000|59=1|60=now');
  await alpha.next(isReport('8'));
  await page.getByRole('row', { name: /bridge.limit.*limited/ }).waitFor();
  await row.getByRole('button', { name: 'Reset' }).click();
  await confirmed('the test is over', 'Reset');
  await row.getByText(/^by demo, /).waitFor({ state: 'detached' });
});

test('the nonces of an account open from the list, which an address can name', async () => {
  await go('venue');
  await page.getByRole('link', { name: 'desk-a', exact: true }).click();
  await page.getByRole('heading', { name: 'Nonces of desk-a' }).waitFor();
  await page.waitForURL(/venue\?account=desk-a/);
});

test('pages and the search are a key away, and no key acts while somebody types', async () => {
  await go('overview');
  await page.getByText(/Ready since/).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  // Other pages have headings about orders as well; only this one has the field.
  await page.locator('main input[type=search]').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gs?');
  expect(await page.locator(':focus').inputValue()).toBe('gs?');
  await page.locator(':focus').fill('');
  await page.locator(':focus').blur();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
});

test('a phone shows ten orders at once, and paper shows the table without the menu', async () => {
  const shown = await opened({ ...phone, colorScheme: 'light' });
  await shown.goto(`${desk.url}/#/orders`);
  await shown.locator('tbody tr').nth(9).waitFor();
  const box = await shown.locator('tbody tr').nth(9).boundingBox();
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThan(844);
  await shown.emulateMedia({ media: 'print' });
  expect(await shown.getByRole('navigation').isVisible()).toBe(false);
  expect(await shown.locator('tbody tr').first().isVisible()).toBe(true);
  await shown.context().close();
});

test('everything is reached by the keyboard, and says what it is', async () => {
  await go('orders');
  await page.getByRole('heading', { name: 'Orders', level: 2, exact: true }).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('To the content');
  await page.keyboard.press('Enter');
  expect(await page.locator(':focus').getAttribute('id')).toBe('content');
  const unnamed = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, a, svg[role=img]')]
      .filter((element) => {
        const named = element.closest('label')?.textContent ?? element.getAttribute('aria-label');
        return (named ?? element.textContent ?? '').trim() === '';
      })
      .map((element) => element.outerHTML),
  );
  expect(unnamed).toEqual([]);
});

test.each([
  ['laptop-light', { ...laptop, colorScheme: 'light' }],
  ['laptop-dark', { ...laptop, colorScheme: 'dark' }],
  ['phone-light', { ...phone, colorScheme: 'light' }],
  ['phone-dark', { ...phone, colorScheme: 'dark' }],
] as const)('every page fits and is readable: %s', async (name, options) => {
  const shown = await opened(options);
  for (const each of pages) {
    await shown.goto(`${desk.url}/#/${each}`);
    await shown.locator('main h2').first().waitFor();
    const beyond = await shown.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([each, beyond <= 0]).toEqual([each, true]);
    expect([each, await faintTexts(shown)]).toEqual([each, []]);
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await shown.screenshot({ path: join(pictures, `${name}-${each}.png`) });
  }
  await shown.context().close();
});

test('the browser had nothing to complain about', () => {
  // A browser writes down the 401 for the wrong token, each 404, and the answer that was kept from it.
  expect(complaints.filter((text) => !/401|404|net::ERR_FAILED/.test(text))).toEqual([]);
});
