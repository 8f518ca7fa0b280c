/**
 * `causeway dropcopy verify`: checks whether a reader has every copy, by its own log and the totals that it was sent.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { z } from 'zod';
import { FixLog, type LoggedMessage } from '../dropcopy/fix-log.ts';
import { type Verification, Verifier } from '../dropcopy/verify.ts';
import { shippedSchema } from '../mapping/sbe/shipped-schemas.ts';
import { parsedAs } from '../runtime/parsed-json.ts';
import { command } from './command.ts';
import { printableLines } from './fix-text.ts';
import { FixpLog } from './fixp-log.ts';
import { text } from './options.ts';
import { concluded, UsageError } from './verb.ts';

export const verb = command({
  summary: 'verify what a drop-copy reader received',
  forms: ['verify FILE…'],
  about: `Reads the FIX messages in a reader's log, works out counts, volumes and the running hash of each account from
the copies, and compares them with every CopyTotals(UT) in the log. The log begins where the reader's first day
began; times and directions around the messages do not matter, fields may be divided by SOH or by |. Several files are
one log. With --markets each holds the octets that a reader over FIXP received on one connection.`,
  actions: { verify: 'compare the copies in a log with the totals in it' },
  maxOperands: 1000,
  options: {
    markets: text(
      'LIST',
      "of a reader over FIXP: the venue's answer to GET /markets, for the symbols",
    ),
  },
  examples: [
    'causeway dropcopy verify reader.messages.log',
    'causeway dropcopy verify monday-*.fixp --markets markets.json',
  ],
  async run({ json, markets }, [, ...files]) {
    if (files.length === 0) throw new UsageError('name the log: causeway dropcopy verify FILE');
    const found = await verified(files, markets === undefined ? fixLog() : fixpLog(markets));
    const holds = isHeld(found);
    return concluded(json, { ok: holds, ...found }, report(found), holds);
  },
});

interface Log {
  /** Called when another file starts. */
  connected?(): void;
  push(piece: Buffer): readonly LoggedMessage[];
  /** Returns what waited behind a message that was cut off. */
  end?(): readonly LoggedMessage[];
}

function fixLog(): Log {
  const log = new FixLog();
  return { push: (piece) => log.push(piece.toString('latin1')), end: () => log.push('', true) };
}

const marketList = z.object({
  markets: z.array(z.object({ marketId: z.union([z.int(), z.string()]), symbol: z.string() })),
});

function fixpLog(listFile: string): Log {
  const list = parsedAs(marketList, readFileSync(listFile, 'utf8'));
  if (list === undefined) throw new Error(`${listFile} is not the venue's list of markets`);
  const { markets } = list;
  const symbols = new Map(markets.map(({ marketId, symbol }) => [String(marketId), symbol]));
  return new FixpLog(shippedSchema('orders.xml'), (marketId, book) => {
    const symbol = symbols.get(marketId);
    if (symbol === undefined) throw new Error(`${listFile} has no market ${marketId}`);
    return book === null ? symbol : `${symbol}:${book}`;
  });
}

async function verified(files: readonly string[], log: Log): Promise<Verification> {
  const verifier = new Verifier();
  for (const file of files) {
    log.connected?.();
    for await (const piece of createReadStream(file)) {
      for (const message of log.push(piece as Buffer)) verifier.take(message);
    }
  }
  for (const message of log.end?.() ?? []) verifier.take(message);
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
  for (const execId of doubled)
    lines.push(`FAILS: ${execId} was received twice, both times unmarked`);
  return printableLines([...lines, `${copies} copies, ${repeated} marked repeats`]);
}
