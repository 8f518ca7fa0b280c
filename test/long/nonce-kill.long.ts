/** kill -9 of a process that gives out nonces and signs (contract R24): no nonce is sent twice, and none jams. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LongRun } from './main.ts';

export async function run({ short, seed }: LongRun): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'nonce-kill-'));
  const rounds = short ? 8 : 60;
  let state = seed >>> 0;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  try {
    let before = 0;
    for (let round = 0; round < rounds; round += 1) {
      await live(directory, round, 20 + random(300));
      const sent = sentLines(directory).length;
      if (sent === before) throw new Error(`round ${round} sent nothing: the account is jammed`);
      before = sent;
    }
    return `${rounds} lives, ${check(sentLines(directory))}`;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** One life: until its first action is out, then so many milliseconds of work, then kill -9. */
async function live(directory: string, round: number, workMs: number): Promise<void> {
  const owner = join(import.meta.dirname, 'nonce-owner.ts');
  const child = spawn(process.execPath, [owner, directory, String(round)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const atWork = new Promise((resolve) => child.stdout.once('data', resolve));
  await Promise.race([atWork, ended]);
  await new Promise((resolve) => setTimeout(resolve, workMs));
  child.kill('SIGKILL');
  if ((await ended) !== null) throw new Error(`the owner ended by itself: ${said}`);
}

function sentLines(directory: string): string[] {
  const text = readFileSync(join(directory, 'venue.log'), 'utf8');
  return text.split('\n').filter((line) => line.length > 0);
}

function check(lines: readonly string[]): string {
  const digests = new Map<string, string>();
  for (const line of lines) {
    const [nonce = '', digest = ''] = line.split(' ');
    if (digests.has(nonce)) throw new Error(`nonce ${nonce} was sent twice`);
    digests.set(nonce, digest);
  }
  if (new Set(digests.values()).size !== digests.size) throw new Error('one action was sent twice');
  const highest = Math.max(...[...digests.keys()].map(Number));
  return `${lines.length} actions sent, highest nonce ${highest}, none twice`;
}
