/**
 * The latest alarms and notices. Alarms have their own list, because strangers can cause notices as often as they like
 * and must not push out an alarm. Lines that repeat are one row with a count. An operator acknowledges an alarm and may
 * assign it; when the alarm is raised again, it needs a new acknowledgement.
 */
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import { type LineEvent, type LineFacts, lineEvents } from '../runtime/operator-line.ts';
import { redactText } from '../runtime/redact.ts';

export const alarmRow = z.object({
  /** Constant while the row exists. */
  id: z.int(),
  /** The number of the last line; the highest number is the latest. */
  number: z.int(),
  firstMs: z.int(),
  atMs: z.int(),
  times: z.int().min(1),
  level: z.enum(['alarm', 'notice']),
  text: z.string(),
  // An event that has been renamed since is displayed like one of the console itself.
  event: z.enum(Object.keys(lineEvents) as [LineEvent, ...LineEvent[]]).catch('console'),
  /** The reason of an alarm that has a row for each in the runbook. */
  code: z.string().nullable().default(null),
  session: z.string().nullable(),
  acknowledged: z.object({ who: z.string(), why: z.string(), atMs: z.int() }).nullable(),
  assignee: z.string().nullable(),
});
export type AlarmRow = Readonly<z.output<typeof alarmRow>>;

/** The key by which an alarm's lines are combined, and its row, as stored in the file. */
export type KeptAlarm = readonly [about: string, row: AlarmRow];

const most = 1_000;

export class AlarmList {
  readonly #clock: Clock;
  /** By the key that combines lines, latest last. */
  readonly #lists: Readonly<Record<AlarmRow['level'], Map<string, AlarmRow>>> = {
    alarm: new Map(),
    notice: new Map(),
  };
  readonly #changed: () => void;
  #count = 0;
  #alarms = 0;
  #changes = 0;

  /** `changed` is called when an alarm was raised or handled. */
  constructor(clock: Clock, changed: () => void = () => {}) {
    this.#clock = clock;
    this.#changed = changed;
  }

  /** Changes with each change of the list. */
  get mark(): number {
    return this.#changes;
  }

  /** The number of alarms raised since the start. */
  get alarms(): number {
    return this.#alarms;
  }

  get unacknowledged(): number {
    const rows = [...this.#lists.alarm.values()];
    return rows.filter(({ acknowledged }) => acknowledged === null).length;
  }

  /** `facts.about` is common to lines of the same kind and source; without it only identical texts are combined. */
  add(
    level: AlarmRow['level'],
    text: string,
    { about = text, code, event, session }: LineFacts,
  ): void {
    const list = this.#lists[level];
    this.#count += 1;
    this.#changes += 1;
    if (level === 'alarm') this.#alarms += 1;
    const atMs = this.#clock.now().wallMs;
    const known = list.get(about);
    list.delete(about);
    list.set(about, {
      id: known?.id ?? this.#count,
      number: this.#count,
      firstMs: known?.firstMs ?? atMs,
      atMs,
      times: (known?.times ?? 0) + 1,
      level,
      text: redactText(text),
      event,
      code: code ?? null,
      session: session ?? null,
      acknowledged: null,
      assignee: known?.assignee ?? null,
    });
    if (list.size > most) dropOne(list);
    if (level === 'alarm') this.#changed();
  }

  alarm(id: number): AlarmRow | undefined {
    return this.#find(id)?.[1];
  }

  acknowledge(id: number, by: { readonly who: string; readonly why: string }): void {
    this.#change(id, { acknowledged: { ...by, atMs: this.#clock.now().wallMs } });
  }

  assign(id: number, assignee: string | null): void {
    this.#change(id, { assignee });
  }

  /** Latest first. */
  list(level?: AlarmRow['level']): readonly AlarmRow[] {
    const lists = level === undefined ? Object.values(this.#lists) : [this.#lists[level]];
    return lists.flatMap((list) => [...list.values()]).sort((a, b) => b.number - a.number);
  }

  get kept(): readonly KeptAlarm[] {
    return [...this.#lists.alarm];
  }

  /** Inserts the previous process's alarms before those of this one. */
  restore(kept: readonly KeptAlarm[]): void {
    const list = this.#lists.alarm;
    const own = [...list];
    list.clear();
    const before = kept.slice(-most);
    for (const [index, [about, row]] of before.entries()) {
      list.set(about, { ...row, id: index + 1, number: index + 1 });
    }
    for (const [about, row] of own) {
      const known = list.get(about);
      list.delete(about);
      const [firstMs, times] = [known?.firstMs ?? row.firstMs, row.times + (known?.times ?? 0)];
      const number = row.number + before.length;
      const { assignee = null } = known ?? {};
      list.set(about, { ...row, id: known?.id ?? number, number, firstMs, times, assignee });
    }
    this.#count += before.length;
    this.#changes += 1;
    while (list.size > most) dropOne(list);
  }

  #find(id: number): KeptAlarm | undefined {
    return this.kept.find(([, row]) => row.id === id);
  }

  #change(id: number, change: Partial<AlarmRow>): void {
    const [about, row] = this.#find(id) ?? [];
    if (about === undefined || row === undefined) return;
    this.#lists.alarm.set(about, { ...row, ...change });
    this.#changes += 1;
    this.#changed();
  }
}

/** The oldest acknowledged alarm, or the oldest row if there is none. */
function dropOne(list: Map<string, AlarmRow>): void {
  let dropped: string | undefined;
  for (const [about, { acknowledged, level }] of list) {
    dropped ??= about;
    if (level === 'notice') break;
    if (acknowledged === null) continue;
    dropped = about;
    break;
  }
  if (dropped !== undefined) list.delete(dropped);
}
