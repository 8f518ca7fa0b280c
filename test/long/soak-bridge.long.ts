/**
 * The bridge for ten minutes at 1,000 orders a second over 200 sessions, in a process of its own: none is lost, and
 * once it remembers as much as it ever will (docs/decisions/0250-the-account-names-its-orders.md), its memory is flat.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SinkVenue } from '../../bench/bridge/sink-venue.ts';
import { ask, logon, pace, startBridge, stop } from '../../bench/bridge.bench.ts';
import { median } from '../../bench/median.ts';
import type { LongRun } from './main.ts';

const sessions = 200;
const perSecond = 1_000;
/** Each stretch is sent, answered whole, and then the memory is looked at. */
const stretchS = 10;
/** By then 110,000 orders of each account have ended. */
const filledAfterS = 240;
const mebibyte = 1024 ** 2;
const maxShortMb = 400;

export async function run({ short, seed }: LongRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-soak-'));
  const venue = await SinkVenue.start(seed);
  const server = await startBridge(venue, folder, { sessions });
  try {
    const clients = [];
    for (let i = 0; i < sessions; i += 1) clients.push(await logon(server, `CLIENT${i}`));
    const heapsMb: number[] = [];
    let slowestS = 0;
    let sent = 0;
    let filled = 0;
    for (let sentS = 0; sentS < (short ? 20 : 600); sentS += stretchS) {
      const { orders, tookMs } = await pace(clients, perSecond, stretchS);
      slowestS = Math.max(slowestS, tookMs / 1000);
      sent += orders;
      filled = clients.reduce((sum, one) => sum + one.filled, 0);
      const refused = clients.reduce((sum, one) => sum + one.refused, 0);
      if (filled + refused !== sent)
        throw new Error(`of ${sent}, ${filled} filled, ${refused} refused`);
      heapsMb.push((await ask(server, 'collect and say')).heapBytes / mebibyte);
    }
    for (const client of clients) client.close();
    const told = `of ${sent} orders ${filled} filled, the others refused, none lost`;
    return `${told}; ${verdict(heapsMb, short)}; the slowest ${stretchS} s took ${slowestS.toFixed(1)} s`;
  } finally {
    await stop(server.child);
    await venue.stop();
    rmSync(folder, { recursive: true });
  }
}

function verdict(heapsMb: readonly number[], short: boolean): string {
  const last = heapsMb.at(-1) ?? 0;
  const told = `${last.toFixed(0)} MB in the end`;
  if (short) {
    if (last > maxShortMb) throw new Error(`${told}: more than ${maxShortMb} MB`);
    return told;
  }
  const full = heapsMb.slice(filledAfterS / stretchS);
  const half = full.length >> 1;
  const [before, after] = [median(full.slice(0, half)), median(full.slice(half))];
  const text = `${told}, ${before.toFixed(0)} MB and then ${after.toFixed(0)} MB before`;
  if (after > before * 1.05) throw new Error(`${text}: it grows`);
  return text;
}
