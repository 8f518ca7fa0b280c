/** Every negative control of the certification: each defect fails exactly the scenarios that it breaks. */
import { isDeepStrictEqual } from 'node:util';
import { openCertifyBridge } from '../../src/cli/certify-bridge.ts';
import { BrokenPeer, type Defect } from '../certify/broken-peer.ts';
import {
  bridgeBreaks,
  bridgeIds,
  certifyPeer,
  engineBreaks,
  notPassed,
} from '../certify/controls.ts';

/** They mostly wait, so many run beside each other; too many, and a busy machine looks like a broken client. */
const atOnce = 18;

export async function run(): Promise<string> {
  const wrong: string[] = [];
  const hold = (defect: string, wanted: readonly string[], failed: readonly string[]) => {
    if (isDeepStrictEqual([...failed], [...wanted])) return;
    wrong.push(`${defect}: wanted ${wanted.join(' ')}, failed ${failed.join(' ')}`);
  };
  const waiting: (readonly [string, readonly string[]])[] = [
    ['', []],
    ...Object.entries(engineBreaks),
  ];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [defect, wanted] = next;
      const given = defect === '' ? [] : [defect as Defect];
      hold(defect, wanted, notPassed(await certifyPeer({ defects: given })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const bridge = await openCertifyBridge({ ...BrokenPeer.names, role: 'order-entry' });
  try {
    const traded: (readonly [string, readonly string[]])[] = [
      ['', []],
      ...Object.entries(bridgeBreaks),
    ];
    for (const [defect, wanted] of traded) {
      const given = defect === '' ? [] : [defect as Defect];
      hold(
        defect,
        wanted,
        notPassed(await certifyPeer({ defects: given, ids: bridgeIds, bridge })),
      );
    }
  } finally {
    await bridge.stop();
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const count = Object.keys(engineBreaks).length + Object.keys(bridgeBreaks).length;
  return `${count} defects, each failed exactly what it breaks`;
}
