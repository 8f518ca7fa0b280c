/**
 * Raises alarms for what a bridge was refused: for each code one a minute, because a hostile bridge repeats itself. The
 * audit log has every request.
 */
import type { Clock } from '../runtime/clock.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import type { SignResult } from './signer.ts';
import { alarmedRefusals, type RaiseSignerAlarm } from './signer-alarm.ts';

export class RefusalAlarms {
  readonly #byCode = alarmedRefusals.map((code) => ({ code, folded: new FoldedAlarm() }));
  readonly #clock: Clock;
  readonly #alarm: RaiseSignerAlarm;

  constructor(clock: Clock, alarm: RaiseSignerAlarm) {
    this.#clock = clock;
    this.#alarm = alarm;
  }

  add(result: SignResult): void {
    if (result.kind === 'signed') return;
    const known = this.#byCode.find(({ code }) => code === result.code);
    const text = known?.folded.add(`not signed: ${result.text}`, this.#clock.now().monoMs);
    if (known !== undefined && text !== undefined) this.#alarm(text, known.code);
  }
}
