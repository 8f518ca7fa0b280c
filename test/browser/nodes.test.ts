/**
 * The page "Nodes" as an operator has it: two nodes with one database and its standby, and a kill switch that one shard has not
 * confirmed. With CAUSEWAY_SCREENSHOTS=DIR it is photographed there.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoOperator } from '../../src/cli/demo-files.ts';
import { Stand } from '../cluster/stand.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import type { RunProcess } from '../support/run-process.ts';
import { faintTexts } from './faint-texts.ts';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
const { CAUSEWAY_SCREENSHOTS: pictures } = process.env;
const laptop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
let primary: PostgresServer;
let standby: PostgresServer;
let stand: Stand;
let n1: RunProcess;
let n2: RunProcess;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
  if (executablePath === undefined) throw new Error('Debian package chromium is needed');
  primary = await PostgresServer.start({ fsync: 'off' });
  standby = await primary.standby({ fsync: 'off', cluster_name: 'db2' });
  const admin = await primary.admin();
  await admin.run(`grant pg_read_all_stats to ${bridgeRole}`);
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  await admin.close();
  const store = { postgres: { hosts: [`127.0.0.1:${primary.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store }));
  n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  n2 = stand.node('n2');
  await n2.says(/status on/);
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await stand.stop();
  await standby.stop();
  await primary.stop();
}, 120_000);

const ask = (action: string, ...more: readonly string[]) =>
  causeway('node', action, '--config', stand.clusterFile, '--name', 'n1', ...more);

async function opened(options: BrowserContextOptions): Promise<Page> {
  const { consoleUrl = '' } = await stand.shard('desk-a');
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const { name, token } = demoOperator(1);
  await page.goto(consoleUrl);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Nodes' }).click();
  return page;
}

test('the page shows nodes, shards with their owner and epoch, and the standby', async () => {
  const page = await opened(laptop);
  await page.getByText('all are served').waitFor();
  const shards = page.getByRole('region', { name: 'Shards' });
  await expect
    .poll(() => shards.getByRole('row', { name: /desk-b/ }).textContent())
    .toMatch(/desk-b\s*serving\s*n1\s*1\s*\d+/);
  expect(await shards.getByRole('link', { name: 'open' }).count()).toBe(2);
  const nodes = page.getByRole('region', { name: 'Nodes' });
  await nodes.getByRole('row', { name: /n1 this one alive/ }).waitFor();
  await nodes.getByRole('row', { name: /n2 alive .* none/ }).waitFor();
  await page.getByText('Commits wait for a standby.').waitFor();
  await page.getByText(/db2 (sync|quorum), [\d,]+ bytes behind/).waitFor();
  await page.context().close();
});

test('an act names the shards that have confirmed it, with node and time', async () => {
  const page = await opened(laptop);
  expect((await ask('halt', '--why', 'wrong prices')).status).toBe(0);
  const row = page.getByRole('row', { name: /kill switch on: everything .* wrong prices/ });
  await expect.poll(() => row.textContent()).toMatch(/desk-a n1, \d\d:\d\d.*desk-b n1, \d\d:/);
  await page.context().close();
});

test.each([
  ['laptop-light', { ...laptop, colorScheme: 'light' }],
  ['laptop-dark', { ...laptop, colorScheme: 'dark' }],
  ['phone-light', { ...phone, colorScheme: 'light' }],
  ['phone-dark', { ...phone, colorScheme: 'dark' }],
] as const)('it fits and is readable: %s', async (name, options) => {
  const page = await opened(options);
  await page.getByRole('region', { name: 'Acts for all shards' }).waitFor();
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
  expect(await faintTexts(page)).toEqual([]);
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}-nodes.png`), fullPage: true });
  }
  await page.context().close();
});

test('while the database is unreachable the page shows that, and which shards have not confirmed a kill switch', async () => {
  const page = await opened(laptop);
  const acts = page.getByRole('region', { name: 'Acts for all shards' });
  primary.pause();
  try {
    await page.getByText(/The database does not answer this node/).waitFor({ timeout: 20_000 });
    expect((await ask('halt', '--why', 'wrong prices')).status).toBe(1);
    for (const shard of ['desk-a', 'desk-b'])
      await acts.getByText(`${shard} NOT confirmed`).waitFor();
    await acts.getByText('not recorded').waitFor();
    if (pictures !== undefined) {
      await page.screenshot({ path: join(pictures, 'nodes-away.png'), fullPage: true });
    }
  } finally {
    primary.resume();
  }
  await page.getByText('Commits wait for a standby.').waitFor({ timeout: 20_000 });
  await acts.getByText('NOT confirmed').first().waitFor({ state: 'detached', timeout: 20_000 });
  expect(await acts.getByText(/n[12], /).count()).toBe(4);
  await page.context().close();
});

test('the browser had nothing to complain about', () => {
  expect(complaints.filter((text) => !/401/.test(text))).toEqual([]);
});
