/** The names of a configured session. */
import { type SessionIdentity, sessionName } from '../../fix/session-settings.ts';

type CompIds = Pick<SessionIdentity, 'senderCompId' | 'targetCompId'>;

type Named =
  | (CompIds & { readonly protocol: 'fix' })
  | (Pick<CompIds, 'senderCompId'> & { readonly protocol: 'fixp' });

/** The name of a client in the journal, in the store and on the console. */
export function nameOf(session: Named): string {
  switch (session.protocol) {
    case 'fix':
      return sessionName(identityOf(session));
    case 'fixp':
      return `FIXP:${session.senderCompId}`;
  }
}

export function identityOf({ senderCompId, targetCompId }: CompIds): SessionIdentity {
  return { senderCompId: targetCompId, targetCompId: senderCompId };
}
