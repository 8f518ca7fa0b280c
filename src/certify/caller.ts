/** Tells connections of the counterparty from those of others, by their first bytes: anybody may connect. */
import { framingHeaderSize, isFramed, statedSize } from '../fixp/framing.ts';
import type { Interview } from './interview.ts';
import type { IsCaller } from './port.ts';

/** The rest of a longer first message does not matter. */
const longestBytes = 65_536;

/**
 * Another protocol or another name is somebody else's. A message that is wrong in any other way is the counterparty's,
 * and is judged.
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
    if (first.length < framingHeaderSize) return undefined;
    const bytes = Buffer.from(first);
    const text = bytes.toString();
    if (isFixp ? !isFramed(first) : !text.startsWith('8=')) return false;
    const isWhole = isFixp ? first.length >= statedSize(bytes) : /\p{Cc}10=\d+\p{Cc}/u.test(text);
    if (!isWhole && first.length < longestBytes) return undefined;
    return (form.exec(text)?.[1] ?? name) === name;
  };
}
