/** Messages as a desk hears them, made from lines. */
import { lineBytes } from '../../src/certify/fix-line.ts';
import { Ear, type Heard } from '../../src/certify/heard.ts';

export const names = { senderCompId: 'PEER', targetCompId: 'CAUSEWAY' };

export function heard(line: string, msgSeqNum = 1): Heard {
  let found: Heard | undefined;
  new Ear('peer', (incoming) => {
    if (incoming.kind === 'message') found = incoming.message;
  }).hear(lineBytes(line, { ...names, msgSeqNum, wallMs: Date.now() }));
  if (found === undefined) throw new Error(`${line} is no message`);
  return found;
}
