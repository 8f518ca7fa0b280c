/** Messages of one length, in which only MsgSeqNum(34) and the sums change: a load that costs its maker little. */
export interface Template {
  readonly bytes: Buffer;
  /** Where the eight digits of MsgSeqNum(34) begin. */
  readonly seqAt: number;
  /** The sum of all bytes up to CheckSum(10), with zeros for the digits. */
  readonly sum: number;
}

const digits = 8;
/** `10=nnn` and SOH. */
const trailerSize = 7;

export function template(
  msgType: string,
  sender: string,
  target: string,
  fields: readonly (readonly [number, string])[],
): Template {
  const now = new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
  const header = [
    [35, msgType],
    [34, '0'.repeat(digits)],
    [49, sender],
    [52, now],
    [56, target],
  ] as const;
  const body = [...header, ...fields].map(([tag, value]) => `${tag}=${value}\x01`).join('');
  const text = `8=FIX.4.4\x019=${body.length}\x01${body}10=000\x01`;
  const bytes = Buffer.from(text, 'latin1');
  let sum = 0;
  for (let i = 0; i < bytes.length - trailerSize; i += 1) sum += bytes[i] ?? 0;
  return { bytes, seqAt: text.indexOf('\x0134=') + 4, sum };
}

/** Writes the number and the sum into a copy of the template that lies in `out`. */
export function writeDigits(out: Buffer, seqAt: number, seq: number, of: Template): void {
  let rest = seq;
  let { sum } = of;
  for (let i = digits - 1; i >= 0; i -= 1) {
    const digit = rest % 10;
    rest = (rest - digit) / 10;
    out[seqAt + i] = 48 + digit;
    sum += digit;
  }
  let check = sum % 256;
  const end = seqAt - of.seqAt + of.bytes.length - 2;
  for (let i = 0; i < 3; i += 1) {
    out[end - i] = 48 + (check % 10);
    check = Math.trunc(check / 10);
  }
}
