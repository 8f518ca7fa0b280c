/**
 * The scenarios of this folder, as text that reads like documentation:
 *
 *   ## S-02 Logon above the expected number      a scenario begins; lines without a colon are prose
 *   settings: {"allowsReset": true}              differs from the session's defaults
 *   C: A|34=5|98=0|108=30                        the client sends; the other header fields are filled in
 *   S: A|34=1|98=0|108=30                        the server must say exactly this, in this order
 *   S: closed                                    … and close the connection
 *   S: nothing                                   … and say nothing
 *   wait: 30s                                    time passes
 *   app: hears D|11=A                            what the application was told, app: sends 8|…, app: alarm rate
 *   operator: stop                               what an operator does
 *
 * `C2:` and `S2:` are a second connection, `connect:` opens the next one. Times are `now`, `now-121s`; `*` in what
 * the server says is any value. A line `raw: …|` sends bytes as they stand, `|` for SOH, with `9=?` and `10=?` filled.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signatureOf } from '../../../src/transport/authentication.ts';

export interface Scenario {
  readonly title: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly line: number;
  readonly verb: string;
  readonly text: string;
}

export function readScenarios(file: string): Scenario[] {
  const scenarios: { title: string; steps: Step[] }[] = [];
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) {
      scenarios.push({ title: line.slice(3).trim(), steps: [] });
      continue;
    }
    const [, verb, text] = /^([A-Za-z0-9]+): ?(.*)$/.exec(line) ?? [];
    if (verb === undefined || text === undefined) continue;
    scenarios.at(-1)?.steps.push({ line: index + 1, verb, text: text.trim() });
  }
  return scenarios;
}

export interface Names {
  readonly client: string;
  readonly server: string;
}

/** The bytes of a client's line; fields that it names itself replace those that are filled in. */
export function clientBytes(text: string, names: Names, wallMs: number): Buffer {
  const [msgType = '', ...rest] = text.split('|');
  const given = rest.filter((field) => field !== '').map((field) => resolveTime(field, wallMs));
  const filled = [`49=${names.client}`, `52=${utc(wallMs)}`, `56=${names.server}`];
  const own = given.map(tagOf);
  const version = given.find((field) => tagOf(field) === '8') ?? '8=FIX.4.4';
  const length = given.find((field) => tagOf(field) === '9');
  const sum = given.find((field) => tagOf(field) === '10');
  const isFilled = (field: string) =>
    !own.includes(tagOf(field)) && !given.includes(`-${tagOf(field)}`);
  const body = [`35=${msgType}`, ...filled.filter(isFilled)];
  const fields = given.filter(
    (field) => !['8', '9', '10'].includes(tagOf(field)) && !/^-\d+$/.test(field),
  );
  // MsgType first, then the first field of the line, which is MsgSeqNum(34), then the rest of the header.
  const all = [...body.slice(0, 1), ...fields.slice(0, 1), ...body.slice(1), ...fields.slice(1)];
  const bytes = Buffer.from(`${all.map((field) => signed(field, all)).join('\x01')}\x01`);
  const head = Buffer.from(`${version}\x01${length ?? `9=${bytes.length}`}\x01`);
  const whole = Buffer.concat([head, bytes]);
  const check = String(whole.reduce((total, byte) => total + byte, 0) % 256).padStart(3, '0');
  return Buffer.concat([whole, Buffer.from(`${sum ?? `10=${check}`}\x01`)]);
}

/** `96=hmac:SECRET` becomes the signature of the Logon that it stands in. */
function signed(field: string, all: readonly string[]): string {
  if (!field.startsWith('96=hmac:')) return field;
  const value = (tag: string) => all.find((other) => tagOf(other) === tag)?.slice(tag.length + 1);
  const values = ['52', '35', '34', '49', '56'].map((tag) => value(tag) ?? '');
  return `96=${signatureOf(field.slice('96=hmac:'.length), values)}`;
}

/** The bytes of a `raw` line. */
export function rawBytes(text: string, wallMs: number): Buffer {
  const fields = text.split('|').map((field) => resolveTime(field, wallMs));
  const length = fields
    .slice(fields.indexOf('9=?') + 1)
    .filter((field) => !field.startsWith('10='))
    .join('\x01').length;
  const whole = fields.join('\x01').replace('\x019=?', `\x019=${length}`);
  const end = whole.indexOf('10=?');
  if (end < 0) return Buffer.from(whole);
  const bytes = Buffer.from(whole.slice(0, end));
  const check = bytes.reduce((total, byte) => total + byte, 0) % 256;
  return Buffer.from(whole.replace('10=?', `10=${String(check).padStart(3, '0')}`));
}

const framing = new Set(['8', '9', '10', '35']);
const implied = new Set(['49', '52', '56']);

/** Compares what the server said with a line; answers the difference as text, or undefined. */
export function difference(wanted: string, said: string): string | undefined {
  const [wantedType = '', ...rest] = wanted.split('|');
  const wantedFields = rest.filter((field) => field !== '');
  const named = new Set(wantedFields.map(tagOf));
  const all = said.split('|').filter((field) => field !== '');
  const saidType = all.find((field) => tagOf(field) === '35')?.slice(3) ?? '';
  const fields = all.filter((field) => {
    const tag = tagOf(field);
    return !framing.has(tag) && (!implied.has(tag) || named.has(tag));
  });
  const isSame =
    saidType === wantedType &&
    fields.length === wantedFields.length &&
    fields.every((field, i) => {
      const want = wantedFields[i] ?? '';
      return want === field || (want.endsWith('=*') && tagOf(want) === tagOf(field));
    });
  return isSame ? undefined : `wanted  ${wanted}\n     got ${saidType}|${fields.join('|')}`;
}

export const tagOf = (field: string): string => field.slice(0, Math.max(0, field.indexOf('=')));

function resolveTime(field: string, wallMs: number): string {
  const [, tag, sign, seconds] = /^(\d+)=now(?:([+-])(\d+)s)?$/.exec(field) ?? [];
  if (tag === undefined) return field;
  const offset = Number(seconds ?? 0) * (sign === '-' ? -1000 : 1000);
  return `${tag}=${utc(wallMs + offset)}`;
}

export function utc(wallMs: number): string {
  return new Date(wallMs)
    .toISOString()
    .replace('T', '-')
    .replace('Z', '')
    .replace(/(\d{4})-(\d\d)-(\d\d)-/, '$1$2$3-');
}
