/**
 * What may be written to a log, a console or a trace (docs/SECURITY.md): credentials are taken out of FIX text,
 * tokens and keys out of anything, and control characters are spelled out, so that no peer can forge a line.
 */
const hidden = '***';

/** Password(554), NewPassword(925) and RawData(96): the fields of FIX that hold secrets. */
export const secretFixTags = [554, 925, 96] as const;
const secretTag = `(${secretFixTags.join('|')})=`;

/** Up to the separator; RawData(96) is here without its length. */
const fixSecret = new RegExp(String.raw`(^|[\p{Cc}|\s])${secretTag}[^\p{Cc}]*`, 'gu');
/** The same in FIX that is shown with `|` for SOH; where a SOH stands, a `|` is part of the secret. */
const fixSecretShown = new RegExp(String.raw`(^|[\p{Cc}|\s])${secretTag}[^\p{Cc}|]*`, 'gu');
/** RawDataLength(95) and RawData(96), whose value may hold separators and is as long as 95 says. */
const fixRawData = /(^|[\p{Cc}|\s])95=(\d{1,9})([\p{Cc}|])96=/gu;
/** Secrets and passphrases of the venue. */
const venueSecret = /\b(sp[sp]_)[\w+/=-]+/g;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const privateKey = /-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(-----END [^-]*-----|$)/g;
/** Line breaks and marks of direction that a terminal or a viewer acts on. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const secretNames =
  /^(pass(word|phrase|wd)?|newpassword|secret|.*secret|.*token|.*private_?key|secret_?key|mnemonic|seed|authorization|cookie|rawdata|hmac_?key|api_?key|x-.*-(signature|passphrase|secret|key))$/i;

/** Longer text is cut: a log line is for reading. */
const longestText = 4_096;
const deepest = 6;
const mostEntries = 100;

export function redactText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return withoutRawData(cut)
    .replace(cut.includes('\x01') ? fixSecret : fixSecretShown, `$1$2=${hidden}`)
    .replace(venueSecret, `$1${hidden}`)
    .replace(bearer, `$1 ${hidden}`)
    .replace(privateKey, hidden)
    .replace(unprintable, spelledOut);
}

/** Any value as a log may show it: a copy, bounded in depth and width. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return redactText(Buffer.from(value.subarray(0, longestText + 1)).toString('latin1'));
  if (depth >= deepest) return '…';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value))
    return value.slice(0, mostEntries).map((each) => redact(each, depth + 1));
  if (value instanceof Map || value instanceof Set) return redact([...value], depth);
  const shown: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value).slice(0, mostEntries)) {
    shown[redactText(name)] = secretNames.test(name) ? hidden : redact(each, depth + 1);
  }
  return shown;
}

function redactError(error: Error, depth: number): unknown {
  const { name, message, stack, cause, ...more } = error as Error & Record<string, unknown>;
  const said = { type: error.constructor.name, message, stack: error.stack, ...more };
  return redact(error.cause === undefined ? said : { ...said, cause: error.cause }, depth + 1);
}

function withoutRawData(text: string): string {
  let shown = '';
  let from = 0;
  for (const match of text.matchAll(fixRawData)) {
    if (match.index < from) continue;
    shown += `${text.slice(from, match.index)}${match[1]}95=${match[2]}${match[3]}96=${hidden}`;
    from = match.index + match[0].length + Number(match[2]);
  }
  return shown + text.slice(from);
}

function spelledOut(character: string): string {
  const code = character.charCodeAt(0);
  return code < 256
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}
