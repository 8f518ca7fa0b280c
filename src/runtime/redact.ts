/**
 * Redaction of everything that goes to a log, a console or a trace (docs/SECURITY.md): credentials are removed from FIX
 * text, tokens and keys from any text, and control characters are escaped, so that no peer can forge a line.
 */
const hidden = '***';

/** Password(554), NewPassword(925) and RawData(96): the FIX fields with secrets. */
export const secretFixTags = [554, 925, 96] as const;
const secretTag = `(${secretFixTags.join('|')})=`;

/** Up to the separator; this covers a RawData(96) without its length. */
const fixSecret = new RegExp(String.raw`(^|[\p{Cc}|\s])${secretTag}[^\p{Cc}]*`, 'gu');
/** The same for FIX that is displayed with `|` for SOH. If the text contains SOH, a `|` is part of the secret. */
const fixSecretShown = new RegExp(String.raw`(^|[\p{Cc}|\s])${secretTag}[^\p{Cc}|]*`, 'gu');
/** RawDataLength(95) and RawData(96), whose value may contain separators and has the length in 95. */
const fixRawData = /(^|[\p{Cc}|\s])95=(\d{1,9})([\p{Cc}|])96=/gu;
/** The venue's secrets and passphrases. */
const venueSecret = /\b(sp[sp]_)[\w+/=-]+/g;
const bearer = /\b(Bearer|Basic)\s+[\w.~+/=-]+/gi;
const privateKey = /-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(-----END [^-]*-----|$)/g;
/** Line breaks and direction marks that affect a terminal or a viewer. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const secretNames =
  /^(pass(word|phrase|wd)?|newpassword|secret|.*secret|.*token|.*private_?key|secret_?key|mnemonic|seed|authorization|cookie|rawdata|hmac_?key|api_?key|x-.*-(signature|passphrase|secret|key))$/i;

/** Longer text is truncated: people read log lines. */
const longestText = 4_096;
const deepest = 6;
const maxEntries = 100;

export function redactText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  return withoutRawData(cut)
    .replace(cut.includes('\x01') ? fixSecret : fixSecretShown, `$1$2=${hidden}`)
    .replace(venueSecret, `$1${hidden}`)
    .replace(bearer, `$1 ${hidden}`)
    .replace(privateKey, hidden)
    .replace(unprintable, spelledOut);
}

/** Returns a redacted copy of any value, bounded in depth and width. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array)
    return redactText(Buffer.from(value.subarray(0, longestText + 1)).toString('latin1'));
  if (depth >= deepest) return '…';
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value))
    return value.slice(0, maxEntries).map((each) => redact(each, depth + 1));
  if (value instanceof Map || value instanceof Set) return redact([...value], depth);
  const shown: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value).slice(0, maxEntries)) {
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
