/** The loop of kill-bridge.long.ts with a client that speaks FIXP: nothing lost, nothing doubled, nothing falsely refused. */
import { FixpOrderPeer } from './fixp-order-peer.ts';
import { killBridge, Trader } from './kill-bridge.long.ts';
import type { LongRun } from './main.ts';

export function run(long: LongRun): Promise<string> {
  return killBridge(long, {
    trader: ({ fixp: { sessions } }, random) => {
      const [session] = sessions;
      if (session === undefined) throw new Error('the demo has no FIXP session');
      return new Trader(new FixpOrderPeer(session), random);
    },
    port: ({ fixp }) => fixp.port,
    check: async ({ peer }, { fixp }) => {
      if (peer instanceof FixpOrderPeer) await peer.checkFlowAgain(fixp.port);
    },
  });
}
