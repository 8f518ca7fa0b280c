/**
 * Raises alarms for what a bridge was refused: for each code one a minute, because a hostile bridge repeats itself. The
 * audit log has every request.
 */
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import type { SignResult } from './signer.ts';
import { alarmedRefusals, type RaiseSignerAlarm, type SignerAlarm } from './signer-alarm.ts';

export class RefusalAlarms {
  readonly #folded = new FoldedAlarms<SignerAlarm>();
  readonly #clock: Clock;
  readonly #alarm: RaiseSignerAlarm;

  constructor(clock: Clock, alarm: RaiseSignerAlarm) {
    this.#clock = clock;
    this.#alarm = alarm;
  }

  add(result: SignResult): void {
    if (result.kind === 'signed') return;
    const code = alarmedRefusals.find((one) => one === result.code);
    if (code === undefined) return;
    const text = this.#folded.add(code, `not signed: ${result.text}`, this.#clock.now().monoMs);
    if (text !== undefined) this.#alarm(text, code);
  }
}
