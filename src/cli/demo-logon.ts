/** A complete Logon(A) for a person to paste, with BodyLength(9), SendingTime(52) and CheckSum(10). */
import { FieldWriter } from '../fix/field-writer.ts';
import { Framer } from '../fix/framer.ts';
import type { DemoSession } from './demo-files.ts';

type Names = Pick<DemoSession, 'senderCompId' | 'targetCompId' | 'username' | 'password'>;

/** Returns the message with `|` for SOH. */
export function logonText(session: Names, nowMs: number): string {
  const { senderCompId, targetCompId, username, password } = session;
  const body = new FieldWriter().int(98, 0).int(108, 30).text(553, username).text(554, password);
  const framer = new Framer({ senderCompId, targetCompId });
  const bytes = framer.frame('A', 1, nowMs, body.bytes);
  return Buffer.from(bytes).toString('latin1').replaceAll('\x01', '|');
}
