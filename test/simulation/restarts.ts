/** How a process of the bridge ends and the next one begins: in good order, killed, without power, or on a failing disk. */
import { StoreFailed } from '../../src/store/store.ts';
import type { Habit } from './cast.ts';
import type { Dice } from './dice.ts';
import type { Trader } from './fix-trader.ts';
import type { SimulatedDisk } from './simulated-disk.ts';
import { reserveBytes } from './simulated-log.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { WholeBridge } from './whole-bridge.ts';

const dayMs = 86_400_000;
const nightMs = dayMs / 3;

export interface RestartParts<Client> {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly habits: ReadonlySet<Habit>;
  readonly bridge: WholeBridge;
  readonly power: SimulatedDisk | undefined;
  readonly clients: readonly Client[];
  /** Readers too. */
  readonly all: () => readonly Client[];
  readonly burst: (client: Client) => void;
  readonly command: (client: Client) => void;
  readonly note: (text: string) => void;
  readonly wrong: (text: string) => void;
}

export class Restarts<Client extends { readonly trader: Trader }> {
  readonly #parts: RestartParts<Client>;

  constructor(parts: RestartParts<Client>) {
    this.#parts = parts;
  }

  /** The process dies, or goes down in good order; the next one may find another time. False if it has survived. */
  async restart(): Promise<boolean> {
    const { all, bridge, burst, clients, dice, habits, note, power, time } = this.#parts;
    // In the middle of work, of which some is on its way to the disk.
    if (habits.has('disk') && dice.hits(600)) {
      for (const client of clients) if (dice.hits(500)) burst(client);
      await time.pass(dice.below(8));
    }
    if (power !== undefined && habits.has('takeovers') && dice.hits(500)) {
      await this.#takeOver();
      return true;
    }
    if (power !== undefined && habits.has('space') && dice.hits(600)) return this.#fillDisk(power);
    const isOrderly = dice.hits(300);
    note(`the bridge ${isOrderly ? 'goes down' : 'dies'}`);
    if (isOrderly) await bridge.stop();
    else if (!(await this.#diskFails())) bridge.crash(power?.dice.hits(600));
    for (const { trader } of all()) trader.lost();
    if (habits.has('jumps') && dice.hits(500))
      bridge.wall.offMs = dice.pick([100_000, 80_000, 20_000, -20_000, -80_000]);
    // What waits at the venue or for it is a night older then.
    const isNight = habits.has('weekends') && dice.hits(300);
    await time.pass(isNight ? nightMs : dice.below(3_000));
    await bridge.start();
    note(`the bridge is back, its clock off by ${bridge.wall.offMs}`);
    return true;
  }

  /** At rest, now and then: the bridge is down for a day or two, in which only the venue goes on. */
  async weekend(dice: Dice): Promise<void> {
    if (!dice.hits(300)) return;
    const { all, bridge, note, time } = this.#parts;
    // Less than copies are kept: a reader may not have the last ones, which a stop in good order makes, too.
    const downMs = dayMs + dice.below(0.9 * dayMs);
    note(`the bridge is down for ${downMs} ms`);
    if (dice.hits(400)) await bridge.stop();
    else bridge.crash();
    for (const { trader } of all()) trader.lost();
    await time.pass(downMs);
    await bridge.start();
  }

  /** The next process begins while this one goes on; its clients command until they come to the other. */
  async #takeOver(): Promise<void> {
    const { all, bridge, clients, command, dice, note, time } = this.#parts;
    note('another process takes over');
    for (let i = 0; i < 12; i += 1) time.after(dice.below(60), () => command(dice.pick(clients)));
    await bridge.takeOver();
    note('the other process is up');
    await time.pass(dice.below(50));
    for (const { trader } of all()) trader.lost();
  }

  /** The disk is all but full for a while; where the reserve does not suffice either, the bridge must end of itself. */
  async #fillDisk(power: SimulatedDisk): Promise<boolean> {
    const { all, bridge, clients, command, dice, note, time, wrong } = this.#parts;
    power.capacity = power.usedBytes + power.dice.below(2 * reserveBytes);
    note('the disk is all but full');
    for (let i = dice.below(60); i > 0 && bridge.fatal === undefined; i -= 1) {
      command(dice.pick(clients));
      await time.pass(dice.below(dice.hits(900) ? 60 : 3_000));
    }
    power.capacity = Number.POSITIVE_INFINITY;
    // The last write may have failed just before, which the bridge tells a moment later.
    await time.pass(10);
    const { fatal } = bridge;
    note(fatal === undefined ? 'the disk has space again' : `the bridge ends: ${fatal}`);
    if (fatal === undefined) return false;
    if (!(fatal instanceof StoreFailed)) wrong(`without space the bridge ends with ${fatal}`);
    bridge.fatal = undefined;
    bridge.crash(power.dice.hits(300));
    for (const { trader } of all()) trader.lost();
    await time.pass(dice.below(3_000));
    await bridge.start();
    return true;
  }

  /** The disk fails under the bridge, which must then end of itself; false where nothing of the kind happens. */
  async #diskFails(): Promise<boolean> {
    const { bridge, clients, command, dice, note, power, time, wrong } = this.#parts;
    const isAnybodyHere = clients.some(({ trader }) => trader.isUp);
    if (power === undefined || !power.dice.hits(300) || !isAnybodyHere) return false;
    const failing = power.dice.pick(['write', 'sync'] as const);
    power.fault = (operation) => (operation === failing ? 'EIO' : undefined);
    note(`each ${failing} of the disk fails`);
    for (let i = 0; i < 100 && bridge.fatal === undefined; i += 1) {
      command(dice.pick(clients));
      await time.pass(50);
    }
    if (bridge.fatal === undefined) wrong('it goes on without a disk');
    bridge.fatal = undefined;
    bridge.crash(power.dice.hits(500));
    power.fault = () => undefined;
    return true;
  }
}
