/**
 * Raises an alarm while the store on this disk has only its reserve left, so that new orders are refused, and notices
 * that an operator has freed space. A database has its own alarm.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import type { Store } from '../../store/store.ts';

export interface RoomWatchParts extends OperatorLines {
  readonly store: Pick<Store, 'recheckRoom'>;
  readonly clock: Clock;
}

const lookMs = 1000;

/** It ends with its clock. */
export function watchRoom({ store, clock, alarm, notice }: RoomWatchParts): void {
  let isShort = false;
  const look = () => {
    const problem = store.recheckRoom?.();
    if (problem !== undefined && !isShort)
      alarm(`new orders are refused: ${problem}`, { event: 'space_low' });
    if (problem === undefined && isShort)
      notice('there is space again, and orders are accepted', { event: 'space_back' });
    isShort = problem !== undefined;
    clock.at(clock.now().monoMs + lookMs, look);
  };
  if (store.recheckRoom !== undefined) look();
}
