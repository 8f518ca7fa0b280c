/** The trades on the page of an order, in a browser. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';
import { fieldOf } from '../support/fix-peer.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
let desk: ConsoleDesk;
let browser: Browser;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  if (executablePath === undefined) throw new Error('Debian package chromium is needed');
  desk = await startConsoleDesk();
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(desk.url);
  await page.getByLabel('Name').fill(desk.operator.name);
  await page.getByLabel('Token').fill(desk.operator.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation').waitFor();
});

afterAll(async () => {
  await browser.close();
  await desk.stop();
});

const isReport = (execType: string) => (message: string) => fieldOf(message, '150') === execType;

test('a trade is corrected and then busted on the page of its order', async () => {
  const alpha = await desk.client('ALPHA');
  const bravo = await desk.client('BRAVO');
  alpha.say('D|11=traded-1|55=BTC-USDC|54=1|38=0.02|40=2|44=40000|59=1|60=now');
  await alpha.next(isReport('0'));
  bravo.say('D|11=seller|55=BTC-USDC|54=2|38=0.02|40=2|44=40000|59=3|60=now');
  const execId = fieldOf(await alpha.next(isReport('F')), '17') ?? '';
  await page.goto(`${desk.url}/#/orders?text=traded-1`);
  await page.getByRole('link', { name: 'traded-1' }).click();
  const trade = page.getByRole('row', { name: execId });
  await trade.getByRole('button', { name: 'Correct…' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Quantity').inputValue()).toBe('0.02');
  await dialog.getByLabel('Price').fill('39999.5');
  await dialog.getByLabel(/Reason/).fill('a wrong price');
  await dialog.getByRole('button', { name: 'Correct the trade' }).click();
  const corrected = await alpha.next(isReport('G'));
  expect(fieldOf(corrected, '31')).toBe('39999.5');
  await trade.getByText('corrected').waitFor();
  await trade.getByRole('button', { name: 'Bust…' }).click();
  await dialog.getByLabel(/Reason/).fill('agreed with the other side');
  expect(await dialog.getByRole('button', { name: 'Bust the trade' }).isEnabled()).toBe(false);
  await dialog.getByLabel(/confirm/).fill('BUST');
  await dialog.getByRole('button', { name: 'Bust the trade' }).click();
  expect(fieldOf(await alpha.next(isReport('H')), '19')).toBe(fieldOf(corrected, '17'));
  await trade.getByText('busted').waitFor();
  expect(await trade.getByRole('button').count()).toBe(0);
  expect(complaints).toEqual([]);
});
