/** Tells connections of the counterparty from those of others, by their first bytes: anybody may connect. */
import { framingHeaderSize, isFramed } from '../fixp/framing.ts';
import type { Interview } from './interview.ts';
import type { IsCaller } from './port.ts';

/**
 * Another protocol or another name is somebody else's. A message that is wrong in any other way is the counterparty's,
 * and is judged. The first bytes may be a part of a message.
 */
export function callerOf({
  credentials,
  protocol,
  session,
}: Pick<Interview, 'credentials' | 'protocol' | 'session'>): IsCaller {
  const isFixp = protocol === 'fixp';
  const name = isFixp ? credentials?.username : session.senderCompId;
  const form = isFixp ? /(?<!\d)553=(\P{Cc}+)\p{Cc}/u : /(?<!\d)49=(\P{Cc}+)\p{Cc}/u;
  return (first) => {
    const text = Buffer.from(first).toString();
    const isProtocol = isFixp
      ? first.length < framingHeaderSize || isFramed(first)
      : '8='.startsWith(text.slice(0, 2));
    return isProtocol && (form.exec(text)?.[1] ?? name) === name;
  };
}
