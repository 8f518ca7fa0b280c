/**
 * Whose records count (docs/decisions/0200-a-standby-waits-for-a-lock.md). Each opening of a log has a number, and so have
 * its token, an empty file, and the segments that it writes. The next opening removes the token before it reads anything, and
 * an owner looks for it behind each write and before it tells anybody. So what an owner told was written before the token
 * went, and is read. How long either of them sleeps in between makes no difference.
 */
import { join } from 'node:path';
import { PositionConflict } from '../store.ts';
import type { Disk } from './disk.ts';

const tokenName = /^owner-(\d+)$/;
const segmentName = /^(\d+)-(\d+)\.(log|logz)$/;

export interface SegmentName {
  readonly segment: number;
  readonly opening: number;
  readonly isSealed: boolean;
  readonly name: string;
}

export class Owner {
  readonly opening: number;
  readonly #disk: Disk;
  readonly #token: string;

  constructor(disk: Disk, folder: string, opening: number) {
    this.opening = opening;
    this.#disk = disk;
    this.#token = tokenPath(folder, opening);
  }

  /** The error of an owner when another process has opened the log after it. */
  get conflict(): PositionConflict | undefined {
    if (this.#disk.has(this.#token)) return undefined;
    return new PositionConflict('openings of this store', this.opening, this.opening + 1);
  }

  giveUp(): void {
    this.#disk.remove(this.#token);
  }
}

/** Makes this process the owner. When this returns, no owner before it tells of anything more that it writes. */
export function takeOver(disk: Disk, folder: string): Owner {
  for (;;) {
    const names = disk.list(folder);
    const before = Math.max(0, ...openingsOf(names));
    const owner = new Owner(disk, folder, before + 1);
    try {
      disk.open(tokenPath(folder, before + 1), 'new').close();
    } catch (error) {
      // Another opening has this number.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    for (const name of disk.list(folder)) {
      const opening = Number(tokenName.exec(name)?.[1] ?? owner.opening);
      if (opening < owner.opening) disk.remove(join(folder, name));
    }
    return owner;
  }
}

/** The segments of a folder, those of later openings first, and of one opening the later ones first. */
export function segmentNames(names: readonly string[]): readonly SegmentName[] {
  return names
    .flatMap((name) => {
      const [, segment, opening, ending] = segmentName.exec(name) ?? [];
      if (segment === undefined) return [];
      const isSealed = ending === 'logz';
      return [{ segment: Number(segment), opening: Number(opening), isSealed, name }];
    })
    .sort((a, b) => b.opening - a.opening || b.segment - a.segment);
}

function openingsOf(names: readonly string[]): readonly number[] {
  const tokens = names.flatMap((name) => tokenName.exec(name)?.[1] ?? []);
  return [...tokens.map(Number), ...segmentNames(names).map(({ opening }) => opening)];
}

function tokenPath(folder: string, opening: number): string {
  return join(folder, `owner-${opening}`);
}
