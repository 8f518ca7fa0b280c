/** QuickFIX C++ as a reader of drop copies on `causeway demo`: each copy and answer is held against CAUSEWAY44.xml. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasQuickFix } from './line-peer.ts';
import { compileTrader, Demo, Trader } from './quickfix-traders.ts';

const order = '55=BTC-USDC|40=2|59=1';

describe.skipIf(!hasQuickFix)('QuickFIX C++ as a reader of drop copies', () => {
  let folder: string;
  let demo: Demo;
  let alpha: Trader;
  let bravo: Trader;
  let drop: Trader;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-reader-'));
    compileTrader(folder);
    demo = await Demo.start(folder);
    alpha = await Trader.logon(folder, demo, 'ALPHA');
    bravo = await Trader.logon(folder, demo, 'BRAVO');
    drop = await Trader.logon(folder, demo, 'DROP');
  });

  afterAll(async () => {
    const refusals = [alpha, bravo, drop].flatMap((peer) => peer.refusals);
    for (const peer of [alpha, bravo, drop]) await peer.quit();
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(refusals).toEqual([]);
  });

  test('copies of both sides of a trade, with who sent them', async () => {
    alpha.send(`D|11=rest|${order}|54=1|38=0.03|44=50000`);
    await drop.hears('11=rest', '150=0', '797=Y', '448=ALPHA', '452=13');
    bravo.send('D|11=hit|55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=3');
    await drop.hears('11=rest', '150=F', '14=0.01', '797=Y');
  });

  test('a replay, the open orders and the totals on request', async () => {
    drop.send('UR|9120=past|9121=2|1=desk-a|9124=20260101-00:00:00');
    await drop.hears('35=UA', '9120=past', '9128=0');
    await drop.hears('11=rest', '150=F', '97=Y', '9120=past');
    await drop.hears('35=UA', '9120=past', '9128=1');
    drop.send('UR|9120=open|9121=5');
    await drop.hears('11=rest', '150=I', '9120=open');
    await drop.hears('35=UA', '9120=open', '9128=1');
    drop.send('UR|9120=sum|9121=6|1=desk-a');
    await drop.hears('35=UT', '9120=sum', '9132=1', '9133=1', '9134=0.01', '9143=N');
  });

  test('trades by TradeCaptureReportRequest', async () => {
    drop.send('AD|568=t|569=0|263=0');
    await drop.hears('35=AQ', '568=t', '750=0');
    await drop.hears('35=AE', '568=t', '32=0.01', '31=50000', '552=1');
    await drop.hears('35=AE', '568=t', '912=Y');
    await drop.hears('35=AQ', '568=t', '748=2', '750=1');
  });

  test('what happens while it is away comes after its reconnect, and old copies on request', async () => {
    await drop.kill();
    alpha.send('F|11=gone|41=rest|55=BTC-USDC|54=1|38=0.03');
    await alpha.hears('11=gone', '150=4');
    const { refusals } = drop;
    drop = await Trader.logon(folder, demo, 'DROP');
    await drop.hears('11=gone', '41=rest', '150=4', '797=Y');
    await drop.tell('forget 2');
    alpha.send(`D|11=last|${order}|54=1|38=0.01|44=40000`);
    await drop.hears('11=gone', '150=4', '43=Y');
    await drop.hears('11=last', '150=0', '797=Y');
    expect(refusals).toEqual([]);
  });
});
