/** Every negative control of the certification: each defect fails exactly the scenarios that it breaks. */
import { isDeepStrictEqual } from 'node:util';
import type { RunRecord } from '../../src/certify/record.ts';
import { openCertifyBridge } from '../../src/cli/certify/bridge.ts';
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
type Certify = (defect: string) => Promise<RunRecord>;
type Played = readonly [...Control, Certify];

export async function run(): Promise<string> {
  const waiting: Played[] = [
    ...controlsOf(engineBreaks).map((one) => [...one, certifyFix] as const),
    ...controlsOf(fixpBreaks).map((one) => [...one, certifyFixp] as const),
  ];
  const doubtful: Played[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if ((await fault(next)) !== undefined) doubtful.push(next);
    }
  };
  const workers = Array.from({ length: atOnce }, worker);
  const [wrong] = await Promise.all([faultsOfTraders(), ...workers]);
  // What went wrong beside so many others may have lacked nothing but the processor.
  for (const one of doubtful) wrong.push(...((await fault(one)) ?? []));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const tables = [engineBreaks, bridgeBreaks, fixpBreaks];
  const count = tables.flatMap((table) => Object.keys(table)).length;
  return `${count} defects, each failed exactly what it breaks`;
}

/** What is wrong with the outcome of a control; undefined where nothing is. */
async function fault([defect, wanted, certify]: Played): Promise<[string] | undefined> {
  const failed = notPassed(await certify(defect));
  if (isDeepStrictEqual([...failed], [...wanted])) return undefined;
  return [`${defect}: wanted ${wanted.join(' ')}, failed ${failed.join(' ')}`];
}

/** Those that trade share a bridge, so they come one after the other. */
async function faultsOfTraders(): Promise<string[]> {
  const bridge = await openCertifyBridge({ ...BrokenPeer.names, role: 'order-entry' });
  try {
    const certify: Certify = (defect) =>
      certifyPeer({ defects: defect === '' ? [] : [defect as Defect], ids: bridgeIds, bridge });
    const wrong: string[] = [];
    const busy: Certify = () =>
      certifyPeer({
        ...{ defects: [], ids: bridgeIds, bridge },
        ...{ tradesAtLogon: true, features: ['ownTraffic'] },
      });
    wrong.push(...((await fault(['none, but traffic of its own', [], busy])) ?? []));
    for (const control of controlsOf(bridgeBreaks)) {
      wrong.push(...((await fault([...control, certify])) ?? []));
    }
    return wrong;
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
