/** Reads the configuration and all files that it names, so that a missing file is found before ports are opened. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readPrivateFile, unreadable } from '../../runtime/private-file.ts';
import type { WebhookTarget } from '../../runtime/webhook.ts';
import { FileFaults, readYaml } from '../../runtime/yaml.ts';
import type { KeyPath } from '../../runtime/yaml-problem.ts';
import type { Credential } from '../../venue/request-auth.ts';
import { parseSecretHash, type SecretHash } from '../passwords/secret-hash.ts';
import { type AccountConfig, type Config, configSchema } from './config.ts';
import { protectedUrl } from './config-keys.ts';
import type { OperatorRole } from './console-config.ts';

export class ConfigError extends FileFaults {}

export const configHeading = 'the configuration is wrong:';

/** What a user must prove at logon. */
export interface UserSecrets {
  readonly username: string;
  readonly hash: SecretHash | null;
  readonly hmacSecret: string | null;
}

/** What an operator must prove at the console, and what the operator may do. */
export interface OperatorSecret {
  readonly hash: SecretHash;
  readonly roles: readonly OperatorRole[];
}

export interface LoadedConfig {
  readonly config: Config;
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly users: ReadonlyMap<string, UserSecrets>;
  /** Password(554) of outgoing sessions, by the CompID of the peer. */
  readonly connectPasswords: ReadonlyMap<string, string>;
  readonly operators: ReadonlyMap<string, OperatorSecret>;
  /** The console's client secret at its OpenID provider, if it has one. */
  readonly oidcSecret?: string;
  /** The webhook that receives alarms in addition to the log, if there is one. */
  readonly alarmWebhook?: WebhookTarget;
  /** Returns the absolute path of a file that the configuration names. */
  path(file: string): string;
  /** Returns file, line, column and name of a key, for errors that are found later. */
  at(path: KeyPath): string;
}

export function secretHashes({ operators, users }: LoadedConfig): readonly SecretHash[] {
  const all = [...users.values(), ...operators.values()];
  return all.flatMap(({ hash }) => hash ?? []);
}

const longestSecretFile = 16_384;
const longestKeyFile = 65_536;

export function loadConfig(file: string): LoadedConfig {
  const { loaded, faults } = readConfig(file);
  if (faults.length > 0) throw new ConfigError(configHeading, faults);
  return loaded;
}

export interface ReadConfig {
  readonly loaded: LoadedConfig;
  /** Files that are missing, unreadable or invalid; if there are any, `loaded` is incomplete. */
  readonly faults: string[];
}

/** Throws if the file does not match its schema; all files that it names are tried. */
export function readConfig(file: string): ReadConfig {
  const checked = readYaml(file, configSchema);
  if (checked.kind === 'faults') throw new ConfigError(configHeading, checked.faults);
  const config = checked.value;
  const path = (name: string) => resolve(dirname(file), name);
  const faults: string[] = [];
  const fault = (key: KeyPath, text: string) => faults.push(`${checked.at(key)}: ${text}`);
  const textOf = (name: string, key: KeyPath, read: (file: string) => string): string => {
    try {
      const text = read(path(name)).trim();
      if (text === '') fault(key, `${path(name)} is empty`);
      return text;
    } catch (error) {
      fault(key, unreadable(path(name), error));
      return '';
    }
  };
  const secret = (name: string, key: KeyPath) =>
    textOf(name, key, (file) => readPrivateFile(file, longestSecretFile));
  /** Reads a file that is not itself secret, such as the output of `keys hash > FILE`. */
  const hashed = (name: string, key: KeyPath): SecretHash | undefined => {
    const text = textOf(name, key, (file) => readFileSync(file, 'utf8'));
    const hash = parseSecretHash(text);
    if (text !== '' && hash === undefined) {
      fault(key, `${path(name)} has no scrypt hash: write one with causeway keys hash > FILE`);
    }
    return hash;
  };
  const credentialAt = (files: CredentialFiles, at: KeyPath) => {
    const inHeader = (key: 'apiKeyFile' | 'passphraseFile') => {
      const text = secret(files[key], [...at, key]);
      const isOneLine = /^[ -~]*$/.test(text);
      if (!isOneLine) fault([...at, key], `${path(files[key])} is not one line of plain text`);
      return text;
    };
    const key = inHeader('apiKeyFile');
    const own = secret(files.apiSecretFile, [...at, 'apiSecretFile']);
    return { key, secret: own, passphrase: inHeader('passphraseFile') };
  };
  const credentials = new Map(
    config.accounts.map((account, index) => {
      const at = ['accounts', index];
      const older = account.older && credentialAt(account.older, [...at, 'older']);
      return [account.name, { ...credentialAt(account, at), older }];
    }),
  );
  const users = new Map<string, UserSecrets>();
  for (const [index, { name, secretHashFile, hmacSecretFile }] of config.users.entries()) {
    const key = ['users', index];
    const hash = secretHashFile && hashed(secretHashFile, [...key, 'secretHashFile']);
    const hmacSecret =
      hmacSecretFile === undefined ? null : secret(hmacSecretFile, [...key, 'hmacSecretFile']);
    users.set(name, { username: name, hash: hash || null, hmacSecret });
  }
  const connectPasswords = new Map<string, string>();
  for (const [index, session] of config.sessions.entries()) {
    const { passwordFile } = session.connect ?? {};
    if (passwordFile === undefined) continue;
    const key = ['sessions', index, 'connect', 'passwordFile'];
    connectPasswords.set(session.senderCompId, secret(passwordFile, key));
  }
  const { passwordFile } = config.store?.postgres ?? {};
  if (passwordFile !== undefined) secret(passwordFile, ['store', 'postgres', 'passwordFile']);
  const operators = new Map<string, OperatorSecret>();
  for (const [index, { name, secretHashFile, roles }] of (
    config.console?.operators ?? []
  ).entries()) {
    const hash = hashed(secretHashFile, ['console', 'operators', index, 'secretHashFile']);
    if (hash !== undefined) operators.set(name, { hash, roles });
  }
  const { clientSecretFile } = config.console?.oidc ?? {};
  const oidcSecret =
    clientSecretFile && secret(clientSecretFile, ['console', 'oidc', 'clientSecretFile']);
  for (const [key, text] of fileFaults(config, path)) fault(key, text);
  const alarmWebhook = webhookOf(config, fault, secret);
  const { at } = checked;
  const held = { credentials, users, connectPasswords, operators };
  const secrets = { ...held, ...(oidcSecret !== undefined && { oidcSecret }) };
  const loaded = { config, ...secrets, ...(alarmWebhook && { alarmWebhook }), path, at };
  return { loaded, faults };
}

function webhookOf(
  { alarmWebhook }: Config,
  fault: (key: KeyPath, text: string) => void,
  secret: (name: string, key: KeyPath) => string,
): WebhookTarget | undefined {
  if (alarmWebhook === undefined) return undefined;
  const { tokenFile, urlFile } = alarmWebhook;
  const key = ['alarmWebhook', 'urlFile'];
  const text = secret(urlFile, key);
  const token = tokenFile === undefined ? null : secret(tokenFile, ['alarmWebhook', 'tokenFile']);
  const url = protectedUrl(text);
  if (text !== '' && url === undefined) {
    fault(key, 'the file must contain a URL that begins with https://, or http:// on this machine');
  }
  return url && { url, token };
}

/** Returns the files that cannot be used, each with the key that names it. */
export function fileFaults(
  config: Config,
  path: (file: string) => string,
): (readonly [key: KeyPath, text: string])[] {
  return otherFilesOf(config).flatMap(([key, name]) => {
    const fault = fileFault(String(key.at(-1)), path(name));
    return fault === undefined ? [] : [[key, fault] as const];
  });
}

/** Returns why the file cannot be read. A file that a `keyFile` names must not be readable by other users. */
export function fileFault(key: string, file: string): string | undefined {
  try {
    if (/keyFile$/i.test(key)) readPrivateFile(file, longestKeyFile);
    else accessSync(file, constants.R_OK);
    return undefined;
  } catch (error) {
    return unreadable(file, error);
  }
}

/** Files of a certificate and of authorities, by the names of their keys. */
type TlsFiles = Readonly<
  Partial<Record<'certFile' | 'keyFile' | 'clientCaFile' | 'caFile', string | undefined>>
>;

/** The sections of the configuration that name such files, each with its key. */
export function tlsSectionsOf({ console, fix, fixp, sessions, signer, store }: Config) {
  const sections: [key: KeyPath, tls: TlsFiles | undefined][] = [
    [['fix', 'tls'], fix.tls],
    [['fixp', 'tls'], fixp?.tls],
    [['console', 'tls'], console?.tls],
    [['store', 'postgres', 'tls'], store?.postgres.tls],
    ...sessions.map(({ connect }, index): [KeyPath, TlsFiles | undefined] => [
      ['sessions', index, 'connect', 'tls'],
      connect?.tls,
    ]),
    [['signer'], signer?.mode === 'remote' ? signer : undefined],
  ];
  return sections.flatMap(([path, tls]) => (tls === undefined ? [] : [{ path, tls }]));
}

/** Returns the files that are opened later, with their keys: certificates and their keys, profile, signer. */
function otherFilesOf(config: Config): readonly [key: KeyPath, file: string][] {
  const { console, signer, venue } = config;
  const files: [KeyPath, string][] = [[['venue', 'profile'], venue.profile]];
  if (signer?.mode === 'inline') files.push([['signer', 'configFile'], signer.configFile]);
  const { certificationKeyFile } = console ?? {};
  if (certificationKeyFile !== undefined) {
    files.push([['console', 'certificationKeyFile'], certificationKeyFile]);
  }
  const ofTls = tlsSectionsOf(config).flatMap(({ path, tls }) =>
    Object.entries(tls).flatMap(([name, file]): [KeyPath, string][] =>
      file !== undefined && name.endsWith('File') ? [[[...path, name], file]] : [],
    ),
  );
  return [...files, ...ofTls];
}

type CredentialFiles = Pick<AccountConfig, 'apiKeyFile' | 'apiSecretFile' | 'passphraseFile'>;
