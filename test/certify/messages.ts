/** Messages as they are received, made from lines. */

import { lineBytes } from '../../src/certify/fix-line.ts';
import { Numbers } from '../../src/certify/numbers.ts';
import { listenToFix, type ReceivedMessage } from '../../src/certify/received-message.ts';

export const names = { senderCompId: 'PEER', targetCompId: 'CAUSEWAY' };

export function heard(line: string, msgSeqNum = 1): ReceivedMessage {
  let found: ReceivedMessage | undefined;
  const listener = listenToFix('peer', (incoming) => {
    if (incoming.kind === 'message') found = incoming.message;
  });
  listener(lineBytes(line, { ...names, msgSeqNum, wallMs: Date.now() }));
  if (found === undefined) throw new Error(`${line} is no message`);
  return found;
}

/** A message of FIXP as it was heard just now; fields that are undefined are absent. */
export function fixpMessage(
  msgType: string,
  fields: Readonly<Record<string, string | number | undefined>> = {},
): ReceivedMessage {
  const said = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  return { atMs: Date.now(), raw: new Uint8Array(), msgType, fields: said, fault: undefined };
}

export function numbersAt(nextOut: number, nextIn: number): Numbers {
  return Object.assign(new Numbers(), { nextOut, nextIn });
}
