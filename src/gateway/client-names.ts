/** The names of a configured session, and its profile. */
import { type SessionIdentity, sessionName } from '../fix/session-settings.ts';
import {
  type ClientProfile,
  type Config,
  defaultProfile,
  type FixSessionConfig,
  type SessionConfig,
} from './config.ts';

/** The name of a client in the journal, in the store and on the console. */
export function nameOf(session: SessionConfig): string {
  switch (session.protocol) {
    case 'fix':
      return sessionName(identityOf(session));
    case 'fixp':
      return `FIXP:${session.senderCompId}`;
  }
}

export function identityOf({ senderCompId, targetCompId }: FixSessionConfig): SessionIdentity {
  return { senderCompId: targetCompId, targetCompId: senderCompId };
}

export function profileOf({ profile }: SessionConfig, { profiles }: Config): ClientProfile {
  return (profile === undefined ? undefined : profiles[profile]) ?? defaultProfile;
}
