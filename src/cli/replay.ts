/**
 * `causeway replay`: applies the inputs of a journal again, and compares the effects with what was recorded and sent.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Account } from '../domain/units.ts';
import { configSchema } from '../gateway/config/config.ts';
import { ConfigError, configHeading } from '../gateway/config/config-file.ts';
import { type EngineSettings, settingsOf } from '../gateway/config/engine-settings.ts';
import { readYaml } from '../runtime/yaml.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { loadProfile } from '../venue/profile.ts';
import { Failure } from './advice.ts';
import { command } from './command.ts';
import { printable, printableLines } from './fix-text.ts';
import { dataPlaceOf } from './journal/data-place.ts';
import { JournalFile, type Span } from './journal/journal-file.ts';
import { integer, text } from './options.ts';
import {
  type CheckParts,
  type Counts,
  checkAccount,
  type Finding,
  type Step,
} from './replay/account-check.ts';
import { Elsewhere, sentReports } from './replay/elsewhere.ts';
import { OrderNames, OrderStory, type StoryStep } from './replay/order-story.ts';
import { concluded, exitCodes, UsageError } from './verb.ts';

const about = `DIR is the dataDir of a bridge, or a copy of it; not a byte of it is changed, and no key is needed. What a killed bridge left
is read in a copy below TMPDIR. Where a bridge runs on DIR, what it had recorded when the call began is replayed. Without DIR the data are where
--config FILE has them, in its dataDir or in its database, whose bridge is not disturbed.`;
const positions = { least: 1, most: Number.MAX_SAFE_INTEGER };

export const verb = command({
  summary: 'apply a journal again and compare every effect with what was recorded and sent',
  forms: [
    'DIR [--account A] [--from N] [--to N] [--order ID] [--ledger FILE] [--config FILE]',
    '--config FILE [--shard S] [--account A] [--from N] [--to N] [--order ID] [--ledger FILE]',
  ],
  about,
  maxOperands: 1,
  options: {
    account: text('A', 'only this account: its address, the beginning of it, or its name'),
    from: integer('N', 'compare from this record on', positions),
    to: integer('N', 'up to this one', positions),
    order: text('ID', 'print the history of the orders with this ClOrdID, venue id or key'),
    ledger: text('FILE', "the signer's ledger; signer.ledger in DIR where there is one"),
    config: text(
      'FILE',
      'the configuration, of a bridge or of a cluster; with DIR only for versions that did not record their settings',
    ),
    shard: text('S', 'without DIR: this shard of a cluster'),
  },
  notes: 'Exit code 0: it agrees; 1: it does not; 4: a record is damaged or missing.',
  examples: [
    'causeway replay data/gateway',
    'causeway replay /mnt/copy --order 7b31 --json',
    'causeway replay --config config/cluster.yaml --shard desk-1',
  ],
  async run(
    { account, from = 1, to = positions.most, order, ledger, config, shard, json },
    [path],
  ) {
    if (path === undefined && config === undefined) {
      throw new UsageError('give the DIR of a bridge, or --config FILE');
    }
    if (shard !== undefined && path !== undefined) {
      throw new UsageError('--shard is of the configuration, and takes no DIR');
    }
    if (from > to) throw new UsageError('--from is above --to');
    const { blake3 } = await fastestBlake3();
    const place = path === undefined ? dataPlaceOf(config ?? '', shard) : { directory: path };
    using file = await JournalFile.at(place);
    const settings = config === undefined || path === undefined ? undefined : settingsIn(config);
    const accounts = accountsIn(file, account, { from, to });
    const found = ledger ?? join(place.directory, 'signer.ledger');
    const signed = ledger !== undefined || existsSync(found) ? found : undefined;
    const sent = sentReports(file);
    const parts = accounts.map((one) => {
      const elsewhere = new Elsewhere(file, one, sent, signed);
      return { file, account: one, blake3, elsewhere, span: { from, to }, settings };
    });
    return await (order === undefined ? compare(parts, json) : showOrder(parts, order, json));
  },
});

function accountsIn(file: JournalFile, named: string | undefined, span: Span): readonly Account[] {
  const found = file.streams().flatMap(({ last, stream }) => {
    const [, account] = /^desk\/(0x[0-9a-f]{40})$/.exec(stream) ?? [];
    return account === undefined ? [] : [{ account: account as Account, last, stream }];
  });
  if (found.length === 0 && named === undefined) return [];
  const isNamed = ({ account, stream }: { account: Account; stream: string }) =>
    named === undefined ||
    account.startsWith(named.toLowerCase()) ||
    named === accountName(file, stream);
  const meant = found.filter(isNamed);
  if (meant.length === 0) {
    const all = found.map(({ account, stream }) => `${account} ${accountName(file, stream)}`);
    throw new UsageError(`no account ${printable(named ?? '')}: ${all.join(', ')}`);
  }
  const longest = Math.max(...meant.map(({ last }) => last));
  if (span.from > longest) {
    throw new UsageError(`--from ${span.from} is beyond the end: the last record is ${longest}`);
  }
  return meant.map(({ account }) => account);
}

/** Account(1) as the clients write it, from the first record or snapshot with an order. */
function accountName(file: JournalFile, stream: string): string {
  const nameIn = (payload: Uint8Array | undefined) =>
    /"accountName":"([^"]*)"/.exec(Buffer.from(payload ?? []).toString())?.[1];
  for (const { payload } of file.records(stream)) {
    const name = nameIn(payload);
    if (name !== undefined) return name;
  }
  return nameIn(file.snapshot(stream)?.payload) ?? '';
}

function settingsIn(path: string): EngineSettings {
  const read = readYaml(path, configSchema);
  if (read.kind === 'value') {
    const { value } = read;
    return settingsOf(value, loadProfile(resolve(dirname(path), value.venue.profile)));
  }
  throw new ConfigError(configHeading, read.faults);
}

async function compare(accounts: readonly CheckParts[], json: boolean): Promise<number> {
  const findings: Finding[] = [];
  for (const parts of accounts) findings.push(await checkAccount(parts));
  const isSame = findings.every(({ differenceCount }) => differenceCount === 0);
  const lines =
    findings.length === 0 ? ['No account has a record.'] : findings.flatMap(findingLines);
  return concluded(json, { ok: isSame, accounts: findings }, printableLines(lines), isSame);
}

const compared: Readonly<Record<keyof Counts, readonly [what: string, why: string]>> = {
  effects: ['effects with the sums in their records', 'records of earlier versions have none'],
  snapshots: ['snapshots with the whole state', ''],
  messages: ['reports with the messages that sessions keep', 'not recorded, or no longer kept'],
  copies: ['reports with the drop copies', 'not copied, or not kept any more'],
  digests: [
    "signed actions with the signer's ledger",
    'it does not have them, or --ledger is needed',
  ],
};

function findingLines(finding: Finding): string[] {
  const { account, counts, differenceCount, differences, first, last } = finding;
  const lines = [`${account}: records ${first} to ${last} were applied`];
  let isAll = true;
  for (const [name, [what, why]] of Object.entries(compared)) {
    const { compared: done, of } = counts[name as keyof Counts];
    isAll &&= done === of;
    lines.push(`  ${done} of ${of} ${what}${done < of ? ` (the others: ${why})` : ''}`);
  }
  for (const { actual, expected, input, order, place, record, time } of differences) {
    const about = [`record ${record}`, time, order && `order ${order}`].filter(Boolean);
    lines.push(`DIFFERENCE at ${about.join(', ')}: ${place}`);
    lines.push(`  input     ${input}`, `  expected  ${expected}`, `  actual    ${actual}`);
  }
  const more = differenceCount - differences.length;
  if (more > 0) lines.push(`and ${more} more differences`);
  if (differenceCount > 0) return [...lines, 'It does not agree.'];
  return [...lines, isAll ? 'It agrees.' : 'It agrees in all that could be compared.'];
}

async function showOrder(
  accounts: readonly CheckParts[],
  id: string,
  json: boolean,
): Promise<number> {
  let isSame = true;
  let count = 0;
  for (const parts of accounts) {
    const names = new OrderNames(id);
    const { differenceCount } = await checkAccount({ ...parts, stepped: names.note });
    isSame &&= differenceCount === 0;
    const stories = [...names.keys].map((key) => new OrderStory(key));
    count += stories.length + names.refused.length;
    if (json) for (const refused of names.refused) console.log(JSON.stringify({ refused }));
    else if (names.refused.length > 0) console.log(printableLines(names.refused));
    const stepped = (step: Step) => {
      for (const { note } of stories) note(step);
    };
    await checkAccount({ ...parts, stepped });
    for (const { end, heading, key, steps } of stories) {
      const { account } = parts;
      if (json) console.log(JSON.stringify({ account, key, heading, steps, end }));
      else {
        const lines = [`${heading}, account ${account}`, ...steps.flatMap(stepLines), end, ''];
        console.log(printableLines(lines));
      }
    }
  }
  if (count === 0) {
    const next = 'It may be older than the journal, which "causeway journal inspect DIR" shows.';
    throw new Failure(`no order goes by ${printable(id)}`, next);
  }
  if (!isSame) console.error('Note: it does not agree with what was recorded; leave --order out.');
  return isSame ? exitCodes.done : exitCodes.failed;
}

function stepLines({ record, sentences, time }: StoryStep): string[] {
  return [`${time}  record ${record}`, ...sentences.map((sentence) => `  ${sentence}`)];
}
