/** Every negative control of the certification: each defect fails exactly the scenarios that it breaks. */
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../src/certify/record.ts';
import { openCertifyBridge } from '../../src/cli/certify-bridge.ts';
import type { FixpDefect } from '../certify/broken-fixp-peer.ts';
import { BrokenPeer, type Defect } from '../certify/broken-peer.ts';
import {
  bridgeBreaks,
  bridgeIds,
  certifyPeer,
  engineBreaks,
  notPassed,
} from '../certify/controls.ts';
import { certifyFixpPeer, fixpBreaks } from '../certify/fixp-controls.ts';

/** They mostly wait, so many run beside each other; too many, and a busy machine looks like a broken client. */
const atOnce = 30;

type Control = readonly [defect: string, wanted: readonly string[]];
type Hold = (defect: string, wanted: readonly string[], failed: readonly string[]) => void;
type Certify = (defect: string) => Promise<RunRecord>;

export async function run(): Promise<string> {
  const wrong: string[] = [];
  const hold: Hold = (defect, wanted, failed) => {
    if (isDeepStrictEqual([...failed], [...wanted])) return;
    wrong.push(`${defect}: wanted ${wanted.join(' ')}, failed ${failed.join(' ')}`);
  };
  const waiting: (readonly [...Control, Certify])[] = [
    ...controlsOf(engineBreaks).map((one) => [...one, certifyFix] as const),
    ...controlsOf(fixpBreaks).map((one) => [...one, certifyFixp] as const),
  ];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [defect, wanted, certify] = next;
      hold(defect, wanted, notPassed(await certify(defect)));
    }
  };
  const workers = Array.from({ length: atOnce }, worker);
  await Promise.all([...workers, holdTraders(hold)]);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const tables = [engineBreaks, bridgeBreaks, fixpBreaks];
  const count = tables.flatMap((table) => Object.keys(table)).length;
  return `${count} defects, each failed exactly what it breaks`;
}

/** Those that trade share a bridge, so they come one after the other. */
async function holdTraders(hold: Hold): Promise<void> {
  const bridge = await openCertifyBridge({ ...BrokenPeer.names, role: 'order-entry' });
  try {
    for (const [defect, wanted] of controlsOf(bridgeBreaks)) {
      const defects = defect === '' ? [] : [defect as Defect];
      hold(defect, wanted, notPassed(await certifyPeer({ defects, ids: bridgeIds, bridge })));
    }
  } finally {
    await bridge.stop();
  }
}

/** The client without a defect comes first. */
function controlsOf(breaks: Readonly<Record<string, readonly string[]>>): readonly Control[] {
  return [['', []], ...Object.entries(breaks)];
}

const certifyFix: Certify = (defect) =>
  certifyPeer({ defects: defect === '' ? [] : [defect as Defect] });
const certifyFixp: Certify = (defect) =>
  certifyFixpPeer(defect === '' ? [] : [defect as FixpDefect]);
