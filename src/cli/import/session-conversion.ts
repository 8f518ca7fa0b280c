/** Converts one QuickFIX session to the format of `gateway/config/config.ts`, or explains why that is impossible. */
import { compId, name as configName } from '../../gateway/config/config-keys.ts';
import { entryOf } from '../../runtime/entry-of.ts';
import { isOfGateway, isOn, numberOf, type QuickfixSession, textOf } from './quickfix-settings.ts';
import { hoursOf } from './session-hours.ts';

export type ConvertedSession = Extract<ReturnType<typeof convertedSession>, { kind: 'session' }>;

/** The intervals that the engine accepts by default (decision 0020 and `fix/session-settings.ts`). */
const usualHeartBtInt = { least: 5, most: 60 };

export function convertedSession(
  session: QuickfixSession,
  account: string,
  userOf: ReturnType<typeof userNames>,
) {
  const sender = textOf(session, 'sendercompid');
  const target = textOf(session, 'targetcompid');
  if (sender === undefined || target === undefined) {
    return leftOut(session, 'a session without SenderCompID or TargetCompID');
  }
  const pair = `${sender} to ${target}`;
  const begin = textOf(session, 'beginstring');
  if (begin !== 'FIX.4.4') {
    return leftOut(session, `${pair} speaks ${begin ?? 'nothing'}, not FIX.4.4`);
  }
  if (sender === '*' || target === '*' || isOn(session, 'acceptortemplate')) {
    return leftOut(session, `${pair} is a template: add a session for each counterparty`);
  }
  for (const name of [sender, target]) {
    if (compId.safeParse(name).success) continue;
    const rule = 'a CompID has 1 to 32 printable ASCII characters without blanks';
    return leftOut(session, `${pair}: ${JSON.stringify(name)} cannot be used, because ${rule}`);
  }
  const [client, gateway] = isOfGateway(session) ? [target, sender] : [sender, target];
  const username = textOf(session, 'username');
  const user = userOf(client, username);
  const from = textOf(session, 'allowedremoteaddresses')?.split(/\s*,\s*/);
  const { schedule, notes: open } = hoursOf(session);
  const isKept = user === (username ?? client.toLowerCase());
  const notes = isKept ? open : [...open, `the client logs on with Username(553)=${user}`];
  const engine = { ...engineOf(session), ...(schedule && { schedule }) };
  return {
    kind: 'session' as const,
    /** SenderCompID and TargetCompID as its client sends them. */
    name: `${client} to ${gateway}`,
    user,
    config: {
      senderCompId: client,
      targetCompId: gateway,
      role: 'order-entry',
      users: [user],
      accounts: [account],
      // A client resets with 141=Y, whichever of these three settings causes it.
      allowReset: isOn(session, 'resetonlogon', 'resetonlogout', 'resetondisconnect'),
      ...(from && { allowFrom: from }),
      ...(Object.keys(engine).length > 0 && { engine }),
    },
    notes: notes.map((note) => `${pair}: ${note}`),
  };
}

function engineOf(session: QuickfixSession): object {
  const heartBtIntS = numberOf(session, ['heartbtint'], 1, 3_600);
  const latencyS = numberOf(session, ['maxlatency'], 1, 86_400);
  const of = (value: number | undefined, key: string, factor = 1) =>
    value === undefined ? {} : { [key]: value * factor };
  const outside = heartBtIntS ?? usualHeartBtInt.least;
  return {
    ...(outside < usualHeartBtInt.least && { minHeartBtIntS: outside }),
    ...(outside > usualHeartBtInt.most && { maxHeartBtIntS: outside }),
    ...of(latencyS, 'sendingTimeToleranceMs', 1_000),
    ...(isOfGateway(session) && ownDialect(session)),
  };

  function ownDialect(gateway: QuickfixSession): object {
    const chunk = ['resendrequestchunksize', 'maxmessagesinresendrequest'];
    return {
      ...(isOn(gateway, 'resetonlogon') && { resetsOnLogon: true }),
      ...(isOn(gateway, 'enablelastmsgseqnumprocessed') && { saysLastProcessed: true }),
      ...(isOn(gateway, 'enablenextexpectedmsgseqnum') && { saysNextExpected: true }),
      ...of(numberOf(gateway, chunk, 1, 10_000_000), 'resendChunk'),
      ...of(numberOf(gateway, ['logouttimeout'], 1, 3_600), 'logoutWaitMs', 1_000),
    };
  }
}

function leftOut(session: QuickfixSession, reason: string) {
  const own = session.get('beginstring') ?? session.get('sendercompid');
  const kind = 'left_out' as const;
  return { kind, reason: own === undefined ? reason : `line ${own.line}: ${reason}` };
}

/**
 * Names the users in the form of the configuration, each client differently. Names that differ only in case are alike,
 * because a file of that name has the password, and not every file system distinguishes case.
 */
export function userNames() {
  const bySource = new Map<string, string>();
  const taken = new Set<string>();
  return (client: string, username: string | undefined): string =>
    entryOf(bySource, username === undefined ? `client ${client}` : `user ${username}`, () => {
      const wanted = nameOf(username ?? client, username !== undefined);
      let user = wanted;
      for (let next = 2; taken.has(user.toLowerCase()); next += 1) {
        user = `${wanted.slice(0, 31 - `${next}`.length)}-${next}`;
      }
      taken.add(user.toLowerCase());
      return user;
    });
}

/** Kept if possible where clients already log on with it, because a logon needs exactly this name. */
function nameOf(text: string, isUsed: boolean): string {
  if (isUsed && configName.safeParse(text).success) return text;
  const letters = text.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  return letters.replace(/^[^a-z0-9]+/, '').slice(0, 32) || 'user';
}
