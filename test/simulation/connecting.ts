/** How clients of a random run come to their connections: whoever has none gets one after a while. */
import type { Dice } from './dice.ts';
import type { Trader } from './fix-trader.ts';
import type { VirtualTime } from './virtual-time.ts';
import type { WholeBridge } from './whole-bridge.ts';

interface Connected {
  readonly plan: { readonly compId: string; readonly protocol: 'fix' | 'fixp' };
  readonly trader: Trader;
  isComing: boolean;
}

export interface ConnectingParts<Client> {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly bridge: WholeBridge;
  readonly clients: () => readonly Client[];
  readonly wrong: (text: string) => void;
}

/** The bridge has so long to let everybody in. */
const allWithinS = 180;

export class Connecting<Client extends Connected> {
  readonly #parts: ConnectingParts<Client>;

  constructor(parts: ConnectingParts<Client>) {
    this.#parts = parts;
  }

  comeBack(): void {
    const { bridge, clients, dice, time } = this.#parts;
    for (const client of clients()) {
      if (client.trader.isUp || client.isComing) continue;
      client.isComing = true;
      time.after(dice.pick([1, 5, 30, 300, 2_500]), () => {
        client.isComing = false;
        const door = bridge.door(client.plan.protocol);
        if (door !== undefined && !client.trader.isUp) client.trader.connect(door);
      });
    }
  }

  async all(): Promise<void> {
    const { clients, time, wrong } = this.#parts;
    const all = clients();
    for (let i = 0; i < allWithinS && all.some(({ trader }) => !trader.isUp); i += 1) {
      this.comeBack();
      await time.pass(1_000);
    }
    for (const { plan, trader } of all) {
      if (!trader.isUp) wrong(`${plan.compId} cannot log on`);
    }
  }
}
