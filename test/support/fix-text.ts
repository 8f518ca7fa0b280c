/** FIX messages as one writes them: `|` for SOH, and BodyLength and CheckSum filled in. */

export function fromText(text: string): Uint8Array {
  return Buffer.from(text.replaceAll('|', '\x01'), 'latin1');
}

export function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1').replaceAll('\x01', '|');
}

/** Frames what stands between BodyLength(9) and CheckSum(10): `35=0|34=1|…|`. */
export function framed(body: string, beginString = 'FIX.4.4'): Uint8Array {
  const bytes = fromText(body);
  return checkSummed(`8=${beginString}|9=${bytes.length}|${body}`);
}

/** Adds the CheckSum(10) alone, so that everything else may be wrong. */
export function checkSummed(message: string): Uint8Array {
  const bytes = fromText(message);
  let sum = 0;
  for (const byte of bytes) sum += byte;
  return Buffer.concat([bytes, fromText(`10=${String(sum % 256).padStart(3, '0')}|`)]);
}

/** A header that every session message can stand behind. */
export const header = '49=TW|56=ISLD|34=2|52=20261121-10:38:16.123|';

/** A message of this type with a good header and this body. */
export function message(msgType: string, body: string): Uint8Array {
  return framed(`35=${msgType}|${header}${body}`);
}
