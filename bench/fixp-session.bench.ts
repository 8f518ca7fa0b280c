/**
 * The FIXP lane against the FIX lane, sessions and codecs only: an acceptor that answers each NewOrderSingle with an
 * ExecutionReport of the same facts, on the same store, loaded in the same way and in the same run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row } from './main.ts';
import { type Load, type Measured, measure } from './session/measure.ts';

const loads: Record<string, Load> = {
  'one session, 256 in flight': { sessions: 1, inFlight: 256, total: 100_000 },
  '50 sessions, 256 in flight': { sessions: 50, inFlight: 256, total: 200_000 },
};
const single: Load = { sessions: 1, inFlight: 1, total: 10_000 };
const node = process.execPath;
const fixAcceptor = join(import.meta.dirname, 'session/engine-acceptor.ts');
const fixLoad = [node, join(import.meta.dirname, 'session/node-load.ts')];
const fixpAcceptor = join(import.meta.dirname, 'fixp-session/fixp-acceptor.ts');
const fixpLoad = [node, join(import.meta.dirname, 'fixp-session/load.ts')];

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-fixp-bench-'));
  const both = async (store: string, load: Load): Promise<readonly [Measured, Measured]> => {
    const words = () => [store, mkdtempSync(join(folder, 'store-')), String(load.sessions)];
    const [fixp, fix] = await measure(load, [
      [[node, fixpAcceptor, ...words()], fixpLoad],
      [[node, fixAcceptor, ...words()], fixLoad],
    ]);
    if (fixp === undefined || fix === undefined) throw new Error('two servers were measured');
    return [fixp, fix];
  };
  try {
    const rows: Row[] = [];
    for (const [name, load] of Object.entries(loads)) {
      for (const store of ['memory', 'power']) {
        const [fixp, fix] = await both(store, load);
        const value = `${Math.round(fixp.perSecond)}/s to ${Math.round(fix.perSecond)}`;
        const ratio = fixp.perSecond / fix.perSecond;
        rows.push({ name: `${name}, ${store} store, FIXP to FIX`, value, ratio, demand: 1 });
        rows.push(less(`${name}, ${store} store, server CPU`, fixp.cpuUs, fix.cpuUs));
      }
    }
    const [fixp, fix] = await both('memory', single);
    return [...rows, less('one in flight, p50', fixp.p50Us, fix.p50Us)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function less(name: string, fixpUs: number, fixUs: number): Row {
  const value = `${fixpUs.toFixed(2)} µs to ${fixUs.toFixed(2)}`;
  return { name: `${name}, FIXP to FIX`, value, ratio: fixpUs / fixUs, demand: 1, atLeast: false };
}
