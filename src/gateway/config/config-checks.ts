/**
 * Finds errors in a well-formed configuration: certificates that do not match their keys, missing directories,
 * passwords that would cross a network in clear text. The checks open only the files that the configuration names.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Market } from '../../domain/instrument.ts';
import { isDirectory } from '../../runtime/directory.ts';
import { certificateIn, type Expiring, endMsOf, endOf } from '../../runtime/expiry-watch.ts';
import { didYouMean } from '../../runtime/spelling.ts';
import { cleartextHost } from '../../store/postgres/place-config.ts';
import { authsOf } from '../../venue/credentials.ts';
import type { Profile } from '../../venue/profile.ts';
import type { Config } from './config.ts';
import { ConfigError, configHeading, type LoadedConfig, tlsSectionsOf } from './config-file.ts';
import { isLoopback, isPossible } from './config-keys.ts';

type Finding = (path: readonly PropertyKey[], text: string) => void;

/**
 * `loaded` may be incomplete: a file that could not be read is not reported twice. The bridge starts with `warnings`,
 * but an operator should know them.
 */
export function checkConfig(loaded: LoadedConfig) {
  const faults: string[] = [];
  const warnings: string[] = [];
  const fault: Finding = (path, text) => faults.push(`${loaded.at(path)}: ${text}`);
  const warn: Finding = (path, text) => warnings.push(`${loaded.at(path)}: ${text}`);
  checkCertificates(loaded, fault, warn);
  checkAuthorities(loaded, fault);
  checkFolders(loaded, fault);
  checkCleartext(loaded.config, loaded.config.environment === 'mainnet' ? fault : warn);
  return { faults, warnings };
}

/** Returns the symbols in session limits that the venue does not list. */
export function unlistedMarkets(loaded: LoadedConfig, listed: readonly Market[]): string[] {
  const symbols = new Set(listed.map(({ symbol }) => symbol));
  return loaded.config.sessions.flatMap(({ markets = [] }, index) =>
    markets.flatMap((symbol, place) =>
      symbols.has(symbol)
        ? []
        : [
            `${loaded.at(['sessions', index, 'markets', place])}: the venue lists no ${symbol}.${didYouMean(symbol, [...symbols])}`,
          ],
    ),
  );
}

/** Throws if the venue's way to authenticate requests cannot use a secret, so that nothing is applied in part. */
export function requireCredentials(
  { at, config, credentials }: LoadedConfig,
  { auth }: Profile,
): void {
  const faults = config.accounts.flatMap(({ name }, index) => {
    const credential = credentials.get(name);
    try {
      if (credential !== undefined) authsOf(auth.http, credential);
      return [];
    } catch (error) {
      return [`${at(['accounts', index])}: ${(error as Error).message}`];
    }
  });
  if (faults.length > 0) throw new ConfigError(configHeading, faults);
}

/** Returns the venue credentials that expire. */
export function credentialEnds({ accounts }: Config): readonly Expiring[] {
  return accounts.flatMap(({ apiKeyExpiresAt, name, older }) => [
    endOf(`the API key of ${name}`, endMsOf(apiKeyExpiresAt)),
    endOf(`the older API key of ${name}`, endMsOf(older?.apiKeyExpiresAt ?? null)),
  ]);
}

/** Returns every certificate that this bridge presents or trusts. */
export function certificatesOf({ config, path: fileOf }: LoadedConfig): readonly Expiring[] {
  const files = tlsSectionsOf(config).flatMap(({ tls: { caFile, certFile, clientCaFile } }) => [
    certFile,
    clientCaFile,
    caFile,
  ]);
  return [...new Set(files)].flatMap((file) =>
    file === undefined ? [] : [certificateIn(fileOf(file))],
  );
}

const expiresSoonMs = 7 * 86_400_000;

function checkCertificates({ config, path: fileOf }: LoadedConfig, fault: Finding, warn: Finding) {
  for (const { path, tls } of tlsSectionsOf(config)) {
    const { certFile, keyFile } = tls;
    if ((certFile === undefined) !== (keyFile === undefined)) {
      const [given, needed] = certFile ? ['certFile', 'keyFile'] : ['keyFile', 'certFile'];
      fault([...path, given], `needs ${needed} with it`);
    }
    if (certFile === undefined || keyFile === undefined) continue;
    const certificate = parsed(fileOf(certFile), (pem) => new X509Certificate(pem));
    const key = parsed(fileOf(keyFile), (pem) => createPrivateKey(pem));
    if (certificate === 'wrong') fault([...path, 'certFile'], 'is not a PEM certificate');
    if (key === 'wrong') {
      fault([...path, 'keyFile'], 'is not a PEM private key without passphrase');
    }
    if (typeof certificate === 'string' || typeof key === 'string') continue;
    if (!certificate.checkPrivateKey(key)) {
      fault([...path, 'keyFile'], `does not belong to the certificate in ${certFile}`);
    }
    const { validTo } = certificate;
    const leftMs = Date.parse(validTo) - Date.now();
    if (leftMs < 0) fault([...path, 'certFile'], `the certificate expired on ${validTo}`);
    else if (leftMs < expiresSoonMs) warn([...path, 'certFile'], `expires on ${validTo}`);
  }
}

/** Without a certificate in the CA file, no client could authenticate. */
function checkAuthorities({ config, path: fileOf }: LoadedConfig, fault: Finding): void {
  for (const { path, tls } of tlsSectionsOf(config)) {
    for (const name of ['clientCaFile', 'caFile'] as const) {
      const file = tls[name];
      if (file === undefined) continue;
      if (parsed(fileOf(file), (pem) => new X509Certificate(pem)) !== 'wrong') continue;
      fault([...path, name], 'is not a PEM certificate');
    }
  }
}

/** A file that cannot be read was already reported when the configuration was loaded. */
function parsed<T>(file: string, read: (pem: Buffer) => T): T | 'unreadable' | 'wrong' {
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch {
    return 'unreadable';
  }
  try {
    return read(pem);
  } catch {
    return 'wrong';
  }
}

function checkFolders({ config, path: fileOf }: LoadedConfig, fault: Finding): void {
  const { dataDir, signer } = config;
  if (signer?.mode === 'process') {
    const folder = dirname(fileOf(signer.socket));
    if (!isDirectory(folder)) fault(['signer', 'socket'], `the directory ${folder} does not exist`);
  }
  let folder = fileOf(dataDir);
  while (!isPossible(() => lstatSync(folder))) folder = dirname(folder);
  if (!isDirectory(folder)) fault(['dataDir'], `${folder} is not a directory`);
  else if (!mayWrite(folder))
    fault(['dataDir'], `this user has no permission to write to ${folder}`);
}

function mayWrite(folder: string): boolean {
  return isPossible(() => accessSync(folder, constants.W_OK | constants.X_OK));
}

function checkCleartext({ fix, fixp, sessions, store, venue }: Config, found: Finding): void {
  const { protocol, hostname } = new URL(venue.baseUrl ?? 'https://profile');
  if (protocol === 'http:' && !isLoopback(hostname)) {
    const text = `API credentials would cross the network in cleartext to ${hostname}: use https://`;
    found(['venue', 'baseUrl'], text);
  }
  const remote = store && cleartextHost(store.postgres);
  if (remote !== undefined) {
    const text = `all data would cross the network in cleartext to ${remote}: set store.postgres.tls`;
    found(['store', 'postgres'], text);
  }
  for (const [index, { connect }] of sessions.entries()) {
    if (connect?.passwordFile === undefined || connect.tls || isLoopback(connect.host)) continue;
    const text = `the password would cross the network in cleartext to ${connect.host}: set tls`;
    found(['sessions', index, 'connect'], text);
  }
  for (const [name, port] of Object.entries({ fix, fixp })) {
    if (port === undefined || port.tls !== undefined || port.allowCleartext) continue;
    if (isLoopback(port.listen.host)) continue;
    const text =
      `passwords would cross the network in cleartext on ${port.listen.host}: set ${name}.tls, or ` +
      `${name}.allowCleartext if the network itself is private`;
    found([name], text);
  }
}
