/** Reads the configuration and all files that it names, so that a missing file is found before ports are bound. */
import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readPrivateFile, unreadable } from '../runtime/private-file.ts';
import { faultList, readYaml } from '../runtime/yaml.ts';
import type { Credential } from '../venue/request-auth.ts';
import { type AccountConfig, type Config, configSchema } from './config.ts';
import { parseSecretHash, type SecretHash } from './secret-hash.ts';

export class ConfigError extends Error {}

/** The proof of a user at logon. */
export interface UserSecrets {
  readonly username: string;
  readonly hash: SecretHash | null;
  readonly hmacSecret: string | null;
}

/** The proof of an operator at the console, and whether the operator may act. */
export interface OperatorSecret {
  readonly hash: SecretHash;
  readonly mayAct: boolean;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly credentials: ReadonlyMap<string, Credential>;
  readonly users: ReadonlyMap<string, UserSecrets>;
  /** Password(554) of the sessions that connect out, by the peer's CompID. */
  readonly connectPasswords: ReadonlyMap<string, string>;
  /** Of the console. */
  readonly operators: ReadonlyMap<string, OperatorSecret>;
  /** A file that the configuration names, as an absolute path. */
  path(file: string): string;
  /** File, line, column and name of a key, for errors that are found later. */
  at(path: KeyPath): string;
}

type KeyPath = readonly PropertyKey[];

/** The secrets of all users and operators. */
export function secretHashes({ operators, users }: LoadedConfig): readonly SecretHash[] {
  const all = [...users.values(), ...operators.values()];
  return all.flatMap(({ hash }) => hash ?? []);
}

const longestSecretFile = 16_384;
const longestKeyFile = 65_536;

export function loadConfig(file: string): LoadedConfig {
  const checked = readYaml(file, configSchema);
  const heading = 'the configuration is wrong:';
  if (checked.kind === 'faults') throw new ConfigError(faultList(heading, checked.faults));
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
  /** Reads a file that is not secret by itself, such as the output of `keys hash > FILE`. */
  const hashed = (name: string, key: KeyPath): SecretHash | undefined => {
    const text = textOf(name, key, (file) => readFileSync(file, 'utf8'));
    const hash = parseSecretHash(text);
    if (text !== '' && hash === undefined) fault(key, 'is not a scrypt hash');
    return hash;
  };
  const credentials = new Map(
    config.accounts.map((account, index) => [
      account.name,
      credentialOf(account, (name, key) => secret(name, ['accounts', index, key])),
    ]),
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
  const operators = new Map<string, OperatorSecret>();
  for (const [index, { name, secretHashFile, mayAct }] of (
    config.console?.operators ?? []
  ).entries()) {
    const hash = hashed(secretHashFile, ['console', 'operators', index, 'secretHashFile']);
    if (hash !== undefined) operators.set(name, { hash, mayAct });
  }
  for (const [key, name] of tlsFilesOf(config)) {
    try {
      if (key.at(-1) === 'keyFile') readPrivateFile(path(name), longestKeyFile);
      else accessSync(path(name), constants.R_OK);
    } catch (error) {
      fault(key, unreadable(path(name), error));
    }
  }
  if (faults.length > 0) throw new ConfigError(faultList(heading, faults));
  return { config, credentials, users, connectPasswords, operators, path, at: checked.at };
}

/** The certificates and keys of every port and of outgoing connections, each with the configuration key that names it. */
function tlsFilesOf({
  console,
  fix,
  fixp,
  sessions,
}: Config): readonly [key: KeyPath, file: string][] {
  const sections: [key: KeyPath, tls: Readonly<Record<string, string | undefined>> | undefined][] =
    [
      [['fix', 'tls'], fix.tls],
      [['fixp', 'tls'], fixp?.tls],
      [['console', 'tls'], console?.tls],
    ];
  for (const [index, session] of sessions.entries()) {
    sections.push([['sessions', index, 'connect', 'tls'], session.connect?.tls]);
  }
  return sections.flatMap(([key, tls]) =>
    Object.entries(tls ?? {}).flatMap(([name, file]): [KeyPath, string][] =>
      file !== undefined && name.endsWith('File') ? [[[...key, name], file]] : [],
    ),
  );
}

function credentialOf(
  { apiKeyFile, apiSecretFile, passphraseFile }: AccountConfig,
  secret: (file: string, key: string) => string,
): Credential {
  return {
    key: secret(apiKeyFile, 'apiKeyFile'),
    secret: secret(apiSecretFile, 'apiSecretFile'),
    passphrase: secret(passphraseFile, 'passphraseFile'),
  };
}
