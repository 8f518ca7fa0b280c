/** Converts the sessions of a QuickFIX settings file to our configuration, with the outcome of each setting. */
import {
  isOfGateway,
  isOn,
  type parseQuickfix,
  type QuickfixSession,
  type Setting,
  textOf,
} from './quickfix-settings.ts';
import { type ConvertedSession, convertedSession, userNames } from './session-conversion.ts';
import { type Fate, fateOf } from './setting-keys.ts';

export interface SettingFate extends Setting {
  readonly fate: Fate[0] | 'unknown';
  readonly words: string;
}

export type Conversion = ReturnType<typeof convert>;

const account = 'desk-1';
const usualPort = 9880;

export function convert({ sessions, faults: read }: ReturnType<typeof parseQuickfix>) {
  const leftOut: string[] = [];
  const taken: QuickfixSession[] = [];
  const converted = new Map<string, ConvertedSession>();
  const userOf = userNames();
  for (const session of sessions) {
    const one = convertedSession(session, account, userOf);
    if (one.kind === 'left_out') leftOut.push(one.reason);
    else if (converted.has(one.name)) leftOut.push(`${one.name} is listed more than once`);
    else {
      converted.set(one.name, one);
      taken.push(session);
    }
  }
  const faults = read.length > 0 || converted.size > 0 ? read : leftOut;
  const [first] = taken;
  const users = [...new Set([...converted.values()].map(({ user }) => user))];
  const isStrict = taken.some((session) => isOn(session, 'validateuserdefinedfields'));
  const tls = taken.map(tlsOf).find((found) => found !== undefined);
  const isBehindProxy = taken.some((session) => isOn(session, 'usetcpproxy'));
  const listen = listenOf(first);
  const config = {
    environment: 'local',
    dataDir: 'data',
    venue: { profile: 'venue.yaml' },
    signer: { mode: 'process', socket: 'run/signer.sock' },
    accounts: [
      {
        name: account,
        account: `0x${'0'.repeat(40)}`,
        apiKeyFile: `secrets/${account}.api-key`,
        apiSecretFile: `secrets/${account}.api-secret`,
        passphraseFile: `secrets/${account}.api-passphrase`,
      },
    ],
    fix: {
      listen: { host: listen.host, port: first ? portOf(first) : usualPort },
      ...(tls && { tls }),
      ...(isBehindProxy && { proxies: ['127.0.0.1'] }),
    },
    users: users.map((name) => ({ name, secretHashFile: `secrets/${name}.hash` })),
    ...(isStrict && { profiles: { strict: { strictTags: true } } }),
    sessions: [...converted.values()].map(({ config: session }) => ({
      ...session,
      ...(isStrict && { profile: 'strict' }),
    })),
  };
  const notes = [...converted.values()].flatMap((one) => one.notes);
  if (isBehindProxy) notes.push('Put the addresses of the balancers into fix.proxies.');
  if (tls !== undefined && 'clientCaFile' in tls) notes.push(certificateNote);
  const toDo = [listen.note, ...notes, ...portNotes(taken), ...stepsFor(users, tls !== undefined)];
  return {
    /** In the format of `gateway/config/config.ts`; the files that it names do not exist yet. */
    config,
    fates: fatesOf(taken),
    /** Sessions in the file that are not in the configuration. */
    leftOut,
    /** What the user has to do before the configuration is complete. */
    toDo,
    /** Why the file cannot be converted. */
    faults,
  };
}

function stepsFor(users: readonly string[], isTls: boolean): string[] {
  return [
    `Put the account of the venue into accounts[0].account, and its credential into secrets/${account}.api-*, files of mode 0600.`,
    'causeway files dictionaries/venue.template.yaml > venue.yaml, and fill it in.',
    'Make the directory run with mode 0700: the signer puts its socket there.',
    'causeway files config/signer.yaml > signer.yaml, and adapt it. causeway keys new makes a key.',
    ...users.map(
      (user) => `causeway keys hash > secrets/${user}.hash, with the password of ${user}.`,
    ),
    ...(isTls ? ['Check the files of fix.tls: they must be PEM.'] : []),
    'causeway check --config gateway.yaml lists what is still missing.',
  ];
}

/** QuickFIX accepts connections on every interface unless an address is configured. */
function listenOf(session: QuickfixSession | undefined): { host: string; note: string } {
  const key = 'fix.listen.host';
  if (session === undefined || !isOfGateway(session)) {
    const note = `${key} is 127.0.0.1, which only this machine reaches: set the address that clients connect to.`;
    return { host: '127.0.0.1', note };
  }
  const named = textOf(session, 'socketaccepthost', 'socketacceptaddress');
  if (named !== undefined) return { host: named, note: `${key} is ${named}, as in the settings.` };
  const note = `${key} is 0.0.0.0, because QuickFIX listened on every interface: set the one that clients need.`;
  return { host: '0.0.0.0', note };
}

const certificateNote =
  'fix.tls.clientCaFile makes every client show a certificate: put the authority that signed them there, and the fingerprint of each into certificateSha256 of its session.';

function portOf(session: QuickfixSession): number {
  const text = textOf(session, 'socketacceptport', 'socketconnectport') ?? '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : usualPort;
}

/** The bridge has one port for all of its FIX sessions. */
function portNotes(sessions: readonly QuickfixSession[]): string[] {
  const ports = [...new Set(sessions.map(portOf))];
  if (ports.length < 2) return [];
  return [`Sessions used ports ${ports.join(', ')}; all use ${ports[0]} now: inform the clients.`];
}

const tlsKeys = [
  'servercertificatefile',
  'clientcertificatefile',
  'certificationauthoritiesfile',
  'sslcacertificate',
];

/** The keys for a client's certificate in QuickFIX C++, /J or /n. */
const clientCertificateKeys = ['clientcertificatefile', 'socketkeystore', 'sslcertificate'];

/** QuickFIX C++ has no key that enables TLS; the names of its files imply it. */
function tlsOf(session: QuickfixSession): object | undefined {
  const isTls = isOn(session, 'socketusessl', 'sslenable');
  if (!isTls && textOf(session, ...tlsKeys) === undefined) return undefined;
  const own = {
    certFile: textOf(session, 'servercertificatefile') ?? 'tls/server.pem',
    keyFile: textOf(session, 'servercertificatekeyfile') ?? 'tls/server.key',
  };
  // A client trusts other CAs than the gateway, but a client certificate is required.
  if (!isOfGateway(session)) {
    const showsOne = textOf(session, ...clientCertificateKeys) !== undefined;
    return showsOne ? { ...own, clientCaFile: 'tls/clients.pem' } : own;
  }
  const ca = textOf(session, 'certificationauthoritiesfile', 'sslcacertificate');
  const isAsked =
    isOn(session, 'needclientauth', 'sslrequireclientcertificate') ||
    textOf(session, 'certificateverifylevel') === '1';
  return ca === undefined && !isAsked ? own : { ...own, clientCaFile: ca ?? 'tls/clients.pem' };
}

/** One row for each setting of these sessions, in line order. */
function fatesOf(sessions: readonly QuickfixSession[]): SettingFate[] {
  const byLine = new Map<number, Setting>();
  for (const session of sessions) {
    for (const setting of session.values()) byLine.set(setting.line, setting);
  }
  const isGateway = sessions.some(isOfGateway);
  return [...byLine.values()]
    .sort((a, b) => a.line - b.line)
    .map((setting) => {
      const found = fateOf(setting.key, isGateway);
      const [fate, words] = found ?? ['unknown', 'not a known key of QuickFIX'];
      // Those of a database have its password in the middle.
      const isSecret = /password|connectionstring|url$|^logontag\d*$/i.test(setting.key);
      return { ...setting, value: isSecret ? '…' : setting.value, fate, words };
    });
}
