/** A bridge and its venue for a test of its own: with the habits of one seed, but for those that would get in its way. */
import { Cast } from './cast.ts';
import { Dice } from './dice.ts';
import { SimulatedVenue } from './simulated-venue.ts';
import { VirtualTime } from './virtual-time.ts';
import { type BridgePlan, WholeBridge } from './whole-bridge.ts';

const inTheWay = ['limits', 'risk', 'batches', 'signer', 'days', 'wants', 'rules'];

/** Neither is open yet. */
export function plainBridge(changesOf: (cast: Cast) => Partial<BridgePlan> = () => ({})) {
  const [time, dice] = [new VirtualTime(), new Dice(1)];
  const venue = new SimulatedVenue(time, dice);
  const cast = new Cast(dice, inTheWay);
  const bridge = new WholeBridge(time, dice, venue, { ...cast, ...changesOf(cast) });
  return { bridge, cast, dice, time, venue };
}
