/**
 * Determines whose records are valid (docs/decisions/0200-owner-of-a-data-directory.md). Each opening of a log has a
 * number, which is part of the name of its token (an empty file) and of its segments. The next opening removes the
 * token before it reads anything. An owner checks for its token after each write, before it reports the write to
 * anyone. So everything that an owner reported was written before the token was removed, and the next owner reads it,
 * however long either process was suspended in between.
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

/** Makes this process the owner. Once this returns, previous owners report nothing more as written. */
export function takeOver(disk: Disk, folder: string): Owner {
  for (;;) {
    const names = disk.list(folder);
    const before = Math.max(0, ...openingsOf(names));
    const owner = new Owner(disk, folder, before + 1);
    try {
      disk.open(tokenPath(folder, before + 1), 'new').close();
    } catch (error) {
      // Another opening has taken this number.
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

/** Later openings first, and within an opening later segments; of a segment in both forms the compressed one last. */
export function segmentNames(names: readonly string[]): readonly SegmentName[] {
  return names
    .flatMap((name) => {
      const [, segment, opening, ending] = segmentName.exec(name) ?? [];
      if (segment === undefined) return [];
      const isSealed = ending === 'logz';
      return [{ segment: Number(segment), opening: Number(opening), isSealed, name }];
    })
    .sort((a, b) => b.opening - a.opening || b.segment - a.segment || +a.isSealed - +b.isSealed);
}

/** A folder without a segment is no empty store: its records are missing, or it is something else. */
export function hasSegments(disk: Disk, folder: string): boolean {
  return disk.list(folder).some((name) => segmentName.test(name));
}

function openingsOf(names: readonly string[]): readonly number[] {
  const tokens = names.flatMap((name) => tokenName.exec(name)?.[1] ?? []);
  return [...tokens.map(Number), ...segmentNames(names).map(({ opening }) => opening)];
}

function tokenPath(folder: string, opening: number): string {
  return join(folder, `owner-${opening}`);
}
