/**
 * Errors in a well-formed configuration: certificates that do not match their keys, missing directories, passwords that would
 * cross a network in clear text. The checks open nothing but the named files.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Market } from '../domain/instrument.ts';
import { type Config, isLoopback } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

export interface ConfigFindings {
  readonly faults: readonly string[];
  /** Warnings: the bridge starts, but an operator should know about them. */
  readonly warnings: readonly string[];
}

type Finding = (path: readonly PropertyKey[], text: string) => void;

export function checkConfig(loaded: LoadedConfig): ConfigFindings {
  const faults: string[] = [];
  const warnings: string[] = [];
  const fault: Finding = (path, text) => faults.push(`${loaded.at(path)}: ${text}`);
  const warn: Finding = (path, text) => warnings.push(`${loaded.at(path)}: ${text}`);
  checkCertificates(loaded, fault, warn);
  checkFolders(loaded, fault);
  checkCleartext(loaded.config, loaded.config.environment === 'mainnet' ? fault : warn);
  return { faults, warnings };
}

/** The symbols in session limits that the venue does not list. */
export function unlistedMarkets(loaded: LoadedConfig, listed: readonly Market[]): string[] {
  const symbols = new Set(listed.map(({ symbol }) => symbol));
  return loaded.config.sessions.flatMap(({ markets = [] }, index) =>
    markets.flatMap((symbol, place) =>
      symbols.has(symbol)
        ? []
        : [`${loaded.at(['sessions', index, 'markets', place])}: the venue lists no ${symbol}`],
    ),
  );
}

interface KeyPair {
  readonly path: readonly PropertyKey[];
  readonly tls:
    | { readonly certFile?: string | undefined; readonly keyFile?: string | undefined }
    | undefined;
}

function keyPairsOf({ console, fix, fixp, sessions }: Config): KeyPair[] {
  return [
    { path: ['fix', 'tls'], tls: fix.tls },
    { path: ['fixp', 'tls'], tls: fixp?.tls },
    { path: ['console', 'tls'], tls: console?.tls },
    ...sessions.map(({ connect }, index) => ({
      path: ['sessions', index, 'connect', 'tls'],
      tls: connect?.tls,
    })),
  ];
}

const expiresSoonMs = 7 * 86_400_000;

function checkCertificates({ config, path: fileOf }: LoadedConfig, fault: Finding, warn: Finding) {
  for (const { path, tls } of keyPairsOf(config)) {
    const { certFile, keyFile } = tls ?? {};
    if (certFile === undefined || keyFile === undefined) continue;
    const certificate = parsed(() => new X509Certificate(readFileSync(fileOf(certFile))));
    const key = parsed(() => createPrivateKey(readFileSync(fileOf(keyFile))));
    if (certificate === undefined) fault([...path, 'certFile'], 'is not a PEM certificate');
    if (key === undefined)
      fault([...path, 'keyFile'], 'is not a PEM private key without passphrase');
    if (certificate === undefined || key === undefined) continue;
    if (!certificate.checkPrivateKey(key)) {
      fault([...path, 'keyFile'], `does not belong to the certificate in ${certFile}`);
    }
    const { validTo } = certificate;
    const leftMs = Date.parse(validTo) - Date.now();
    if (leftMs < 0) fault([...path, 'certFile'], `the certificate expired on ${validTo}`);
    else if (leftMs < expiresSoonMs) warn([...path, 'certFile'], `expires on ${validTo}`);
  }
}

function parsed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function checkFolders({ config, path: fileOf }: LoadedConfig, fault: Finding): void {
  const { dataDir, signer } = config;
  if (signer?.mode === 'process') {
    const folder = dirname(fileOf(signer.socket));
    if (!isDirectory(folder)) fault(['signer', 'socket'], `there is no directory ${folder}`);
  }
  let folder = fileOf(dataDir);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined) folder = dirname(folder);
  if (!isDirectory(folder)) fault(['dataDir'], `${folder} is not a directory`);
  else if (!mayWrite(folder)) fault(['dataDir'], `this user may not write to ${folder}`);
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function checkCleartext({ fix, fixp }: Config, found: Finding): void {
  for (const [name, port] of Object.entries({ fix, fixp })) {
    if (port === undefined || port.tls !== undefined || port.allowCleartext) continue;
    if (isLoopback(port.listen.host)) continue;
    const text =
      `passwords would cross the network in clear on ${port.listen.host}: set ${name}.tls, or ` +
      `${name}.allowCleartext where the line itself is private`;
    found([name], text);
  }
}
