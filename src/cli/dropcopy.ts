/** `causeway dropcopy verify`: whether a reader has every copy, by its own log and the totals that it was sent. */
import { createReadStream } from 'node:fs';
import { FixLog } from '../dropcopy/fix-log.ts';
import { type Verification, Verifier } from '../dropcopy/verify.ts';
import { command } from './command.ts';
import { exitCodes, UsageError } from './verb.ts';

export const verb = command({
  name: 'dropcopy',
  summary: 'verify what a drop-copy reader received',
  forms: ['verify FILE'],
  about: `Reads the FIX messages in a reader's log, works out counts, volumes and the running hash of each account from
the copies, and compares them with every CopyTotals(UT) in the log. The log begins where the reader's first day
began; times and directions around the messages do not matter, fields may be divided by SOH or by |.`,
  actions: { verify: 'compare the copies in a log with the totals in it' },
  maxOperands: 2,
  options: {},
  examples: ['causeway dropcopy verify reader.messages.log'],
  async run({ json }, [, file]) {
    if (file === undefined) throw new UsageError('name the log: causeway dropcopy verify FILE');
    const found = await verified(file);
    const holds = isHeld(found);
    console.log(json ? JSON.stringify({ ok: holds, ...found }) : report(found));
    return holds ? exitCodes.done : exitCodes.failed;
  },
});

async function verified(file: string): Promise<Verification> {
  const log = new FixLog();
  const verifier = new Verifier();
  for await (const piece of createReadStream(file, { encoding: 'latin1' })) {
    for (const message of log.push(String(piece))) verifier.take(message);
  }
  return verifier.finish();
}

function isHeld({ checked, doubled }: Verification): boolean {
  return (
    checked.length > 0 && doubled.length === 0 && checked.every(({ faults }) => faults.length === 0)
  );
}

function report({ checked, copies, doubled, repeated }: Verification): string {
  const lines = checked.map(({ account, count, day, faults, hash }) => {
    const verdict = faults.length === 0 ? 'holds' : `FAILS: ${faults.join('; ')}`;
    return `${account} ${day ?? 'on request'}: ${count} copies, hash ${hash}: ${verdict}`;
  });
  if (checked.length === 0) lines.push('FAILS: there are no totals in this log');
  for (const execId of doubled) lines.push(`FAILS: ${execId} came twice, neither time marked`);
  return [...lines, `${copies} copies; ${repeated} came again and were marked`].join('\n');
}
