/** Tells connections of the counterparty from those of others, by their first bytes: anybody may connect. */
import { readCredentials } from '../fixp/credentials.ts';
import { framingHeaderSize, isFramed } from '../fixp/framing.ts';
import { listenToFixp } from './fixp-listener.ts';
import type { Interview } from './interview.ts';
import type { IsCaller } from './port.ts';
import { fieldOf, type Incoming, listenToFix, type ReceivedMessage } from './received-message.ts';

/**
 * Another protocol or another name is somebody else's. A message that is wrong in any other way is the counterparty's,
 * and is judged.
 */
export function callerOf({
  credentials,
  framing,
  protocol,
  session,
}: Pick<Interview, 'credentials' | 'framing' | 'protocol' | 'session'>): IsCaller {
  const isFixp = protocol === 'fixp';
  const listen = isFixp ? listenToFixp(framing) : listenToFix;
  const name = isFixp ? credentials?.username : session.senderCompId;
  // The first bytes may be a part of a message.
  const isProtocol = (first: Uint8Array) =>
    isFixp
      ? first.length < framingHeaderSize || isFramed(first)
      : '8='.startsWith(Buffer.from(first.subarray(0, 2)).toString());
  return (first) => {
    const received: Incoming[] = [];
    listen('peer', (incoming) => received.push(incoming))(first);
    const [begins] = received;
    if (begins?.kind !== 'message') return isProtocol(first);
    const given = isFixp ? userOf(begins.message) : fieldOf(begins.message, 49);
    return given === undefined || given === name;
  };
}

function userOf(message: ReceivedMessage): string | undefined {
  return readCredentials(Buffer.from(fieldOf(message, 'Credentials') ?? ''))?.username;
}
