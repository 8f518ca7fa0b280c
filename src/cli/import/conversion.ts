/** From the sessions of a QuickFIX settings file to our configuration, and the fate of each setting. */
import type { QuickfixFile, QuickfixSession, Setting } from './quickfix-settings.ts';
import { type Fate, settingFates } from './setting-keys.ts';

export interface SettingFate extends Setting {
  readonly fate: Fate[0] | 'unknown';
  readonly words: string;
}

export interface Conversion {
  /** In the form of `gateway/config.ts`; files that it names do not exist yet. */
  readonly config: object;
  readonly fates: readonly SettingFate[];
  /** What a person must do before the configuration is right. */
  readonly toDo: readonly string[];
  /** What cannot be converted at all. */
  readonly faults: readonly string[];
}

const account = 'desk-1';

export function convert({ sessions, faults: read }: QuickfixFile): Conversion {
  const faults = [...read];
  const converted = sessions.flatMap((session) => sessionOf(session, faults) ?? []);
  const first = sessions[0];
  const users = [...new Set(converted.map(({ users: [user] }) => user ?? ''))];
  const isStrict = sessions.some((session) => isOn(session, 'validateuserdefinedfields'));
  const tls = sessions.map(tlsOf).find((found) => found !== undefined);
  const toDo = [
    `Put the account of the venue into accounts[0].account, and its credential into secrets/${account}.api-*.`,
    'Copy dictionaries/venue.template.yaml to venue.yaml and fill it in.',
    'Write signer.yaml; config/signer.yaml is an example. causeway keys new makes a key.',
    ...users.map(
      (user) => `causeway keys hash > secrets/${user}.hash, with the password of ${user}.`,
    ),
    ...(tls === undefined ? [] : ['Look at the files of fix.tls: they must be PEM.']),
    'causeway check --config gateway.yaml says what is still missing.',
  ];
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
      listen: {
        host: first
          ? (textOf(first, 'socketaccepthost', 'socketacceptaddress') ?? '127.0.0.1')
          : '',
        port: Number(first && textOf(first, 'socketacceptport', 'socketconnectport')) || 9880,
      },
      ...(tls && { tls }),
    },
    users: users.map((name) => ({ name, secretHashFile: `secrets/${name}.hash` })),
    ...(isStrict && { profiles: { strict: { strictTags: true } } }),
    sessions: converted.map((session) => ({ ...session, ...(isStrict && { profile: 'strict' }) })),
  };
  return { config, fates: fatesOf(sessions), toDo, faults };
}

function sessionOf(session: QuickfixSession, faults: string[]) {
  const sender = textOf(session, 'sendercompid');
  const target = textOf(session, 'targetcompid');
  const begin = session.settings.get('beginstring');
  if (sender === undefined || target === undefined) {
    faults.push('a session without SenderCompID or TargetCompID');
    return undefined;
  }
  if (begin?.value !== 'FIX.4.4') {
    const where = begin === undefined ? '' : `line ${begin.line}: `;
    faults.push(`${where}${sender} to ${target} speaks ${begin?.value ?? 'nothing'}, not FIX.4.4`);
    return undefined;
  }
  // The file of an acceptor is of the gateway that goes; that of an initiator is of the client that stays.
  const isAcceptor = textOf(session, 'connectiontype')?.toLowerCase() === 'acceptor';
  const [client, gateway] = isAcceptor ? [target, sender] : [sender, target];
  const from = textOf(session, 'allowedremoteaddresses')?.split(/\s*,\s*/);
  return {
    senderCompId: client,
    targetCompId: gateway,
    role: 'order-entry',
    users: [nameOf(textOf(session, 'username') ?? client)],
    accounts: [account],
    allowReset: isOn(session, 'resetonlogon'),
    ...(from && { allowFrom: from }),
  };
}

function tlsOf(session: QuickfixSession) {
  if (!isOn(session, 'socketusessl') && !isOn(session, 'sslenable')) return undefined;
  const ca = textOf(session, 'certification_authorities_file', 'sslcacertificate');
  return {
    certFile: textOf(session, 'server_certificate_file') ?? 'tls/server.pem',
    keyFile: textOf(session, 'server_certificate_key_file') ?? 'tls/server.key',
    ...(ca !== undefined && { clientCaFile: ca }),
  };
}

/** One row for each setting of the file, in the order of its lines. */
function fatesOf(sessions: readonly QuickfixSession[]): SettingFate[] {
  const byLine = new Map<number, Setting>();
  for (const { settings } of sessions) {
    for (const setting of settings.values()) byLine.set(setting.line, setting);
  }
  return [...byLine.values()]
    .sort((a, b) => a.line - b.line)
    .map((setting) => {
      const known = settingFates[setting.key.toLowerCase()];
      const [fate, words] = known ?? ['unknown', 'no key of QuickFIX that is known here'];
      const value = /password/i.test(setting.key) ? '…' : setting.value;
      return { ...setting, value, fate, words };
    });
}

function textOf({ settings }: QuickfixSession, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = settings.get(key)?.value;
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function isOn(session: QuickfixSession, key: string): boolean {
  return /^(y|yes|true)$/i.test(textOf(session, key) ?? '');
}

/** A user's name in the form of the configuration. */
function nameOf(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9._-]/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 32) || 'user'
  );
}
