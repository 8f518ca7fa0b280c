/** QuickFIX C++ clients that trade on `causeway demo`, a process of its own, each message held against CAUSEWAY44.xml. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasQuickFix } from './line-peer.ts';
import { compileTrader, Demo, Trader } from './quickfix-traders.ts';

const order = '55=BTC-USDC|40=2|59=1';

describe.skipIf(!hasQuickFix)('QuickFIX C++ clients on the demo', () => {
  let folder: string;
  let demo: Demo;
  let alpha: Trader;
  let bravo: Trader;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-trades-'));
    compileTrader(folder);
    demo = await Demo.start(folder);
    alpha = await Trader.logon(folder, demo, 'ALPHA');
    bravo = await Trader.logon(folder, demo, 'BRAVO');
  });

  afterAll(async () => {
    const refusals = [alpha, bravo].flatMap((trader) => trader.refusals);
    await alpha.quit();
    await bravo.quit();
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
    expect(refusals).toEqual([]);
  });

  test('a new order is pending, then new', async () => {
    alpha.send(`D|11=new|${order}|54=1|38=0.01|44=40000`);
    await alpha.hears('35=8', '11=new', '150=A', '39=A');
    await alpha.hears('35=8', '11=new', '150=0', '39=0', '151=0.01');
  });

  test('a partial fill, then the rest', async () => {
    alpha.send(`D|11=rest|${order}|54=1|38=0.03|44=50000`);
    await alpha.hears('11=rest', '150=0');
    bravo.send('D|11=hit|55=BTC-USDC|54=2|38=0.01|40=2|44=50000|59=3');
    await bravo.hears('11=hit', '150=F', '39=2', '31=50000');
    await alpha.hears('11=rest', '150=F', '39=1', '32=0.01', '14=0.01', '151=0.02');
    bravo.send(`D|11=hit2|${order}|54=2|38=0.02|44=50000`);
    await alpha.hears('11=rest', '150=F', '39=2', '32=0.02', '14=0.03', '151=0', '6=50000');
  });

  test('a replace, then a cancel', async () => {
    alpha.send(`G|11=moved|41=new|${order}|54=1|38=0.02|44=41000`);
    await alpha.hears('11=moved', '41=new', '150=E');
    await alpha.hears('11=moved', '41=new', '150=5', '38=0.02', '44=41000');
    alpha.send('F|11=gone|41=moved|55=BTC-USDC|54=1|38=0.02');
    await alpha.hears('11=gone', '41=moved', '150=6');
    await alpha.hears('11=gone', '41=moved', '150=4', '39=4', '151=0');
    alpha.send('F|11=again|41=moved|55=BTC-USDC|54=1|38=0.02');
    await alpha.hears('35=9', '11=again', '434=1', '102=0', '39=4');
  });

  test('a refusal of the venue and one of the bridge', async () => {
    alpha.send(`D|11=tick|${order}|54=1|38=0.01|44=40000.001`);
    await alpha.hears('11=tick', '150=8', '103=99', '9102=price_not_aligned_to_tick');
    alpha.send('D|11=what|55=NO-SUCH|54=1|38=1|40=2|44=1|59=1');
    await alpha.hears('11=what', '37=NONE', '150=8', '103=1');
  });

  test('a mass quote of two sides trades, is cancelled, and a single quote is answered', async () => {
    alpha.send(
      'i|117=q1|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=49000|133=51000|134=0.02|135=0.02',
    );
    await alpha.hears('35=b', '117=q1', '297=0', '302=s', '299=e');
    bravo.send('D|11=take|55=BTC-USDC|54=1|38=0.01|40=2|44=51000|59=3');
    await bravo.hears('11=take', '150=F', '31=51000');
    await alpha.hears('11=q1.s.e.S', '150=F', '39=1', '32=0.01');
    alpha.send('Z|117=z1|298=4|301=2');
    await alpha.hears('35=b', '117=z1', '297=4');
    alpha.send('S|117=q2|301=2|55=BTC-USDC|132=40000|134=0.01');
    await alpha.hears('35=AI', '117=q2', '297=0');
  });

  test('status, lists, books and sessions are asked for and answered', async () => {
    alpha.send(`D|11=kept|${order}|54=1|38=0.01|44=39000`);
    await alpha.hears('11=kept', '150=0');
    alpha.send('H|11=kept|55=BTC-USDC|54=1');
    await alpha.hears('11=kept', '150=I', '39=0');
    alpha.send('AF|584=all|585=7');
    await alpha.hears('584=all', '150=I', '912=Y');
    alpha.send('x|320=list|559=4');
    await alpha.hears('35=y', '320=list', '55=BTC-USDC', '893=Y');
    alpha.send('e|324=state|55=BTC-USDC|263=0');
    await alpha.hears('35=f', '324=state');
    alpha.send('g|335=hours|263=0');
    await alpha.hears('35=h', '335=hours');
    alpha.send('V|262=book|263=0|264=0|267=2|269=0|269=1|146=1|55=BTC-USDC');
    await alpha.hears('35=W', '262=book', '55=BTC-USDC');
    alpha.send('q|11=all-out|530=7');
    await alpha.hears('35=r', '11=all-out', '530=7');
    await alpha.hears('150=4', '11=kept', '378=4');
  });

  test('reports that came while it was away are sent after a reconnect, and old ones on request', async () => {
    alpha.send(`D|11=away|${order}|54=1|38=0.02|44=48000`);
    await alpha.hears('11=away', '150=0');
    await alpha.kill();
    bravo.send('D|11=meanwhile|55=BTC-USDC|54=2|38=0.01|40=2|44=48000|59=3');
    await bravo.hears('11=meanwhile', '150=F', '39=2');
    const refusals = alpha.refusals;
    alpha = await Trader.logon(folder, demo, 'ALPHA');
    await alpha.hears('11=away', '150=F', '39=1', '32=0.01');
    await alpha.tell('forget 4');
    alpha.send('F|11=end|41=away|55=BTC-USDC|54=1|38=0.02');
    await alpha.hears('11=away', '150=F', '32=0.01', '43=Y');
    await alpha.hears('11=end', '41=away', '150=4', '14=0.01');
    expect(refusals).toEqual([]);
  });
});
