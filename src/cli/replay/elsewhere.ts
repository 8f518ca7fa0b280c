/**
 * The effects of an account that a directory stores outside the journal: the messages that sessions keep for resends,
 * the drop-copy journal, and the signer's ledger. Each is represented by a checksum until it is displayed.
 */
import { crc32 } from 'node:zlib';
import type { Denial } from '../../domain/denial.ts';
import { exactJson } from '../../domain/exact-json.ts';
import { executionReportForm } from '../../domain/forms.ts';
import type { ExecutionReport, Report } from '../../domain/report.ts';
import { decodeCopy, leanCopy } from '../../dropcopy/copy.ts';
import { FieldWriter } from '../../fix/field-writer.ts';
import { framingHeaderSize, isFramed } from '../../fixp/framing.ts';
import { type ReportSettings, writeReport } from '../../mapping/fix/report-message.ts';
import { writeReport as writeSbeReport } from '../../mapping/sbe/report-message.ts';
import { decodeWith } from '../../sbe/schema-set.ts';
import { readLedger } from '../../signer/ledger-file.ts';
import type { JournalRecord } from '../../store/store.ts';
import type { JournalFile } from '../journal/journal-file.ts';
import { loadSchemas, sbeFields } from '../sbe/schemas.ts';

/** A stored value with its location, and the value from the replay. */
export interface Kept {
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** Undefined if nothing is stored for comparison. */
export type Comparison = Kept | 'same' | undefined;

interface Entry {
  readonly at: number;
  readonly sum: number;
}

/** Tags of header and trailer, and of routing beyond the session, which are not part of the content. */
const framing = new Set([
  8, 9, 35, 34, 49, 52, 56, 10, 43, 50, 57, 90, 91, 93, 89, 97, 115, 116, 122, 128, 129, 142, 143,
  144, 145, 212, 213, 347, 369, 370,
]);
const addressBytes = 20;
const longestMessage = 65_536;
const ambiguous = -1;
const fixStart = '8=FIX.4.4\x01';
const schemas = loadSchemas(undefined).map(({ schema }) => schema);

/** The reports that sessions keep for resends, by session and name. */
export function sentReports(file: JournalFile): ReadonlyMap<string, Entry> {
  const found = new Map<string, Entry>();
  for (const { session } of file.sessions()) {
    for (const { bytes, seq } of file.messages(session)) {
      const { name, text } = contentOf(bytes);
      if (name === '') continue;
      const key = `${session}\n${name}`;
      // A request may be refused twice with the same names, once by the gate; neither is compared in that case.
      found.set(key, { at: seq, sum: found.has(key) ? ambiguous : crc32(text) });
    }
  }
  return found;
}

export class Elsewhere {
  readonly #file: JournalFile;
  readonly #stream: string;
  readonly #messages: ReadonlyMap<string, Entry>;
  /** By ExecID(17). */
  readonly #copies = new Map<string, Entry>();
  /** By nonce: each digest in hex, and whether the replay has produced it. */
  readonly #digests = new Map<number, Map<string, boolean>>();
  readonly #out = new FieldWriter();
  readonly #frame = new Uint8Array(longestMessage);

  constructor(
    file: JournalFile,
    account: string,
    messages: ReadonlyMap<string, Entry>,
    ledger: string | undefined,
  ) {
    this.#file = file;
    this.#stream = `copies/${account}`;
    this.#messages = messages;
    for (const record of file.records(this.#stream)) {
      const report = this.#reportIn(record);
      if (report === undefined) continue;
      this.#copies.set(report.execId, { at: record.position, sum: crc32(textOf(report)) });
    }
    if (ledger === undefined) return;
    readLedger(ledger, (entry) => {
      if (`0x${entry.toString('hex', 0, addressBytes)}` !== account) return;
      const nonce = Number(entry.readBigUInt64LE(addressBytes));
      const digest = entry.toString('hex', addressBytes + 8, addressBytes + 40);
      const signed = this.#digests.get(nonce) ?? new Map<string, boolean>();
      this.#digests.set(nonce, signed.set(digest, false));
    });
  }

  messageOf(session: string, report: Report, settings: ReportSettings): Comparison {
    const { execId = '', clOrdId, origClOrdId } = { execId: '', ...report };
    const name = report.kind === 'execution' ? execId : `${clOrdId}\n${origClOrdId}`;
    const kept = this.#messages.get(`${session}\n${name}`);
    if (kept === undefined || kept.sum === ambiguous) return undefined;
    const actual = contentOf(this.#written(session, report, settings)).text;
    if (crc32(actual) === kept.sum) return 'same';
    const [message] = this.#file.messages(session, { from: kept.at, to: kept.at });
    const expected = message === undefined ? '' : contentOf(message.bytes).text;
    return { place: `message ${kept.at} of ${session}`, ...differing(expected, actual) };
  }

  #written(session: string, report: Report, settings: ReportSettings): Uint8Array {
    if (session.startsWith('FIXP:')) return writeSbeReport(this.#frame, report, settings);
    const type = writeReport(this.#out.clear(), report, settings);
    return Buffer.concat([Buffer.from(`${fixStart}35=${type}\x01`), this.#out.bytes]);
  }

  copyOf(report: ExecutionReport): Comparison {
    const kept = this.#copies.get(report.execId);
    if (kept === undefined) return undefined;
    this.#copies.delete(report.execId);
    const lean = leanCopy({ kind: 'report', report, from: null });
    const actual = lean.kind === 'report' ? textOf(lean.report) : '';
    if (crc32(actual) === kept.sum) return 'same';
    const [record] = this.#file.records(this.#stream, { from: kept.at, to: kept.at });
    const copied = record && this.#reportIn(record);
    const expected = copied === undefined ? '' : textOf(copied);
    return { place: `drop copy ${kept.at}`, expected, actual };
  }

  /** A recorded action may never have been signed, so it may be missing in the ledger. */
  digestOf(nonce: number, hash: string): Comparison {
    const signed = this.#digests.get(nonce);
    if (signed?.has(hash) !== true) return undefined;
    signed.set(hash, true);
    return 'same';
  }

  /** Effects that the complete journal did not produce: copies, and digests of nonces with another one. */
  *left(): Generator<Kept> {
    for (const [execId, { at }] of this.#copies) {
      const expected = `the report ${execId}`;
      yield { place: `drop copy ${at}`, expected, actual: 'no such report' };
    }
    for (const [nonce, signed] of this.#digests) {
      if (![...signed.values()].includes(true)) continue;
      for (const [expected, isMade] of signed) {
        if (isMade) continue;
        const place = `the signer's ledger, nonce ${nonce}`;
        yield { place, expected, actual: 'no record asks for this signature' };
      }
    }
  }

  #reportIn({ payload, position }: JournalRecord): ExecutionReport | undefined {
    const copy = decodeCopy(payload, position, this.#stream);
    return copy.kind === 'report' ? copy.report : undefined;
  }
}

/** The name is empty for messages that are not reports. */
function contentOf(bytes: Uint8Array): { readonly name: string; readonly text: string } {
  const text = Buffer.from(bytes).toString('latin1');
  if (!text.startsWith(fixStart)) return sbeContentOf(Buffer.from(bytes));
  const fields = text.split('\x01').slice(0, -1);
  const field = (tag: number) =>
    fields.find((one) => one.startsWith(`${tag}=`))?.slice(`${tag}=`.length) ?? '';
  const body = fields.filter((one) => !framing.has(Number.parseInt(one, 10)));
  const requests = field(35) === '9' ? `${field(11)}\n${field(41)}` : '';
  return { name: field(35) === '8' ? field(17) : requests, text: body.join('\x01') };
}

function sbeContentOf(bytes: Buffer): ReturnType<typeof contentOf> {
  const message = decodeWith(schemas, bytes, isFramed(bytes) ? framingHeaderSize : 0);
  if (typeof message === 'string') return { name: '', text: '' };
  const fields = sbeFields(message.fields);
  const { ExecID = '', ClOrdID, OrigClOrdID } = Object.fromEntries(fields);
  const requests = message.message === 'OrderCancelReject' ? `${ClOrdID}\n${OrigClOrdID}` : '';
  const text = fields.map(([name, value]) => `${name}=${value}`).join('\x01');
  return { name: ExecID || requests, text };
}

/** The first field in which two bodies differ. */
function differing(expected: string, actual: string) {
  const [before, now] = [expected.split('\x01'), actual.split('\x01')];
  const differs = before.findIndex((field, index) => field !== now[index]);
  // If all of them are the same, the other body continues.
  const at = differs < 0 ? before.length : differs;
  const fieldAt = (fields: readonly string[]) => fields[at] ?? 'no such field';
  return { expected: fieldAt(before), actual: fieldAt(now) };
}

/** A refusal is compared by name: its codes come from a table, which another version may have changed. */
function textOf(report: ExecutionReport): string {
  const { denial, order } = report;
  const pending = order.pending && { ...order.pending, refused: byName(order.pending.refused) };
  const rest = { ...report, denial: null, order: { ...order, pending: null } };
  return `${executionReportForm.write(rest)} ${exactJson({ denial: byName(denial), pending })}`;
}

function byName(denial: Denial | null): object | null {
  return denial && { ...denial, refusal: denial.refusal.name };
}
