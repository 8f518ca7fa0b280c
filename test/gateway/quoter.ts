import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

/** A bridge with one client that is logged on and may quote. */
export async function startQuoter() {
  const bridge: Bridge = await startBridge({ session: { actions: ['order', 'quote'] } });
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  const stop = async () => {
    peer.hangUp();
    await bridge.stop();
  };
  return { bridge, peer, stop, runner: () => bridge.gateway.accounts[0]!.bound.runner };
}
