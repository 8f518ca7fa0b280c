/**
 * The process that `kill-store.long.ts` kills: commits as fast as it can, and writes the position of each commit into a
 * file once it is told to be durable. A position's record says which life wrote it.
 */
import { openSync, writeSync } from 'node:fs';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { PositionConflict } from '../../src/store/store.ts';
import { conflictCode, recordOf, stream, writesOf } from './store-writes.ts';

const [path = '', told = '', life = '0'] = process.argv.slice(2);
/** So many commits are under way at once. */
const atOnce = 8;

const store = await openLogStore({ path, durability: 'process' });
let end = await store.end(stream);
const file = openSync(told, 'w');
process.stdout.write('open\n');
for (;;) {
  const group = Array.from({ length: atOnce }, async (_, i) => {
    const position = end + i + 1;
    await store.commit(writesOf(position, recordOf(Number(life), position)));
    writeSync(file, `${position}\n`);
  });
  const [refused] = (await Promise.allSettled(group)).filter(({ status }) => status === 'rejected');
  if (refused?.status === 'rejected') {
    process.exit(refused.reason instanceof PositionConflict ? conflictCode : 1);
  }
  end += atOnce;
}
