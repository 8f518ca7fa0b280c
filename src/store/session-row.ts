/** The sequence numbers of a session, and how each write changes them. */
import type { Numbers, Write } from './store.ts';

export type SessionRow = { -readonly [name in keyof Numbers]: number } & { keptBytes: number };

export const newSession: Readonly<SessionRow> = {
  nextIn: 1,
  nextOut: 1,
  oldestKept: 1,
  keptBytes: 0,
  releasedTo: 0,
  heldTo: 0,
  periodStartMs: 0,
};

/** Applies a write to its session. Each store decides which messages it drops. */
export function changeSession(row: SessionRow, write: Write): void {
  switch (write.kind) {
    case 'reset':
      row.oldestKept = write.nextOut;
      row.keptBytes = 0;
      row.nextIn = write.nextIn;
      row.nextOut = write.nextOut;
      return;
    case 'messages':
      row.keptBytes += write.bytes.length;
      return;
    case 'numbers':
      row.nextIn = write.nextIn;
      row.nextOut = write.nextOut;
      return;
    case 'hold':
      row.heldTo = write.position;
      return;
    case 'mark':
      if (write.name === 'released') row.releasedTo = write.value;
      else row.periodStartMs = write.value;
      return;
    default:
      return;
  }
}

/** The row before its messages are written: they are counted then, and held ones follow those that were released. */
export function beforeMessages(row: SessionRow): SessionRow {
  return { ...row, keptBytes: 0, heldTo: Math.min(row.heldTo, row.releasedTo) };
}

/** The approximate size of a write without its content. */
export const recordOverhead = 64;

/** The approximate size of a write on the disk. */
export function sizeOf(write: Write): number {
  if ('payload' in write) return recordOverhead + write.payload.length;
  return recordOverhead + ('bytes' in write ? write.bytes.length : 0);
}
