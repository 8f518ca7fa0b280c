/** A client of a process that only relays: every request is refused (docs/DROPCOPY.md). */
import type { Command } from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Instant } from '../../runtime/clock.ts';
import type { LaneClient } from '../clients/client-lane.ts';
import type { Refused } from '../clients/order-entry.ts';
import type { SessionConfig } from '../config/config.ts';

export class RelayClient implements LaneClient {
  readonly principal = { cancelOnDisconnect: { when: 'off', graceMs: 0 } } as const;
  readonly #compId: string;
  #refusals = 0;

  constructor({ senderCompId }: SessionConfig) {
    this.#compId = senderCompId;
  }

  arrived(): void {}

  left(): void {}

  execute(asked: Command | Denial): Refused {
    if (isDenial(asked)) return { denial: asked };
    return { denial: deny('bridge.not_authorized', 'this process only relays copies') };
  }

  /** ExecID(17) of a refusal, as a gateway forms it. */
  refused(_denial: Denial, _sent: unknown, now: Instant): string {
    this.#refusals += 1;
    return `${this.#compId}-${now.wallMs}-r${this.#refusals}`;
  }
}
