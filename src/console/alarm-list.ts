/**
 * The latest alarms and notices. Alarms have their own list, because strangers can cause notices as often as they like and
 * must not push out an alarm. Lines that repeat are one row with a count. An operator acknowledges an alarm and may assign
 * it; when the alarm is raised again, it needs a new acknowledgement.
 */
import type { Clock } from '../runtime/clock.ts';
import type { LineEvent, LineFacts } from '../runtime/operator-line.ts';
import { redactText } from '../runtime/redact.ts';

export interface Acknowledgement {
  readonly who: string;
  readonly why: string;
  readonly atMs: number;
}

export interface AlarmRow {
  /** Stays the same while the row exists. */
  readonly id: number;
  /** The number of the last line; the highest is the latest. */
  readonly number: number;
  readonly firstMs: number;
  readonly atMs: number;
  readonly times: number;
  readonly level: 'alarm' | 'notice';
  readonly text: string;
  readonly event: LineEvent;
  readonly session: string | null;
  readonly acknowledged: Acknowledgement | null;
  readonly assignee: string | null;
}

/** The key by which an alarm is folded, and its row, as the file keeps them. */
export type KeptAlarm = readonly [about: string, row: AlarmRow];

const most = 1_000;

export class AlarmList {
  readonly #clock: Clock;
  /** By what rows are folded by, the latest last. */
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

  /** Another number after each change of the list. */
  get mark(): number {
    return this.#changes;
  }

  /** How many alarms were raised since the start. */
  get alarms(): number {
    return this.#alarms;
  }

  get unacknowledged(): number {
    let count = 0;
    for (const { acknowledged } of this.#lists.alarm.values()) count += Number(!acknowledged);
    return count;
  }

  /** `facts.about` is what lines of the same kind and source have in common; without it only the same text is one row. */
  add(level: AlarmRow['level'], text: string, { about = text, event, session }: LineFacts): void {
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
      session: session ?? null,
      acknowledged: null,
      assignee: known?.assignee ?? null,
    });
    if (list.size > most) dropOne(list);
    if (level === 'alarm') this.#changed();
  }

  /** The alarm with this id, or undefined. */
  alarm(id: number): AlarmRow | undefined {
    return this.#find(id)?.[1];
  }

  acknowledge(id: number, by: { readonly who: string; readonly why: string }): void {
    this.#change(id, { acknowledged: { ...by, atMs: this.#clock.now().wallMs } });
  }

  assign(id: number, assignee: string | null): void {
    this.#change(id, { assignee });
  }

  /** The latest first. */
  list(level?: AlarmRow['level']): readonly AlarmRow[] {
    const lists = level === undefined ? Object.values(this.#lists) : [this.#lists[level]];
    return lists.flatMap((list) => [...list.values()]).sort((a, b) => b.number - a.number);
  }

  get kept(): readonly KeptAlarm[] {
    return [...this.#lists.alarm];
  }

  /** Puts the alarms of the previous process before those of this one. */
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

/** The oldest alarm that somebody has acknowledged, or else the oldest row. */
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
