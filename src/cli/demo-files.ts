/**
 * The files of a demo: a configuration like an operator's, with keys and credentials of development accounts that
 * derive from the seed. Existing files are kept, so that a demo can be continued in the same directory.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Login } from '../certify/bridge-setup.ts';
import { hashSecret, lightCost } from '../gateway/passwords/secret-hash.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import type { DevelopmentAccount } from '../sandbox/development-accounts.ts';
import { sealKey } from '../signer/keystore.ts';

export interface DemoSession extends Login {
  readonly role: 'order-entry' | 'market-data' | 'drop-copy';
  readonly accounts: readonly string[];
}

/** A session that clients negotiate over FIXP; its name is the one in the configuration. */
export type DemoFixpSession = Omit<DemoSession, 'senderCompId' | 'targetCompId'> & {
  readonly name: string;
  /** The key with which its user signs requests instead of sending a password; one session has it. */
  readonly hmacSecret?: string;
};

export interface DemoOptions {
  readonly directory: string;
  readonly seed: number;
  readonly fixHost: string;
  readonly fixPort: number;
  /** If absent, there is no FIXP port. */
  readonly fixpPort?: number;
  /** If absent, there is no console. */
  readonly consolePort?: number;
  readonly venueUrl: string;
  readonly profileFile: string;
  readonly accounts: readonly DevelopmentAccount[];
  readonly cancelOnDisconnect: boolean;
}

export const gatewayCompId = 'CAUSEWAY';
/** Development keys need no expensive key derivation. */
const demoScrypt = { n: 1024, r: 8, p: 1 } as const;
const aliases = ['desk-a', 'desk-b'] as const;

const plan = [
  { senderCompId: 'ALPHA', role: 'order-entry', accounts: ['desk-a'] },
  { senderCompId: 'BRAVO', role: 'order-entry', accounts: ['desk-b'] },
  { senderCompId: 'CHARLIE', role: 'order-entry', accounts: ['desk-a'] },
  { senderCompId: 'DROP', role: 'drop-copy', accounts: ['desk-a', 'desk-b'] },
  { senderCompId: 'MARKET', role: 'market-data', accounts: [] },
] as const;

const fixpPlan = [
  { name: 'DELTA', role: 'order-entry', accounts: ['desk-a'] },
  { name: 'ECHO', role: 'order-entry', accounts: ['desk-b'] },
  { name: 'COPY', role: 'drop-copy', accounts: ['desk-a', 'desk-b'] },
] as const;

export function demoSessions(seed: number): readonly DemoSession[] {
  return plan.map((session) => ({
    ...session,
    targetCompId: gatewayCompId,
    ...loginOf(seed, session.senderCompId),
  }));
}

export function demoFixpSessions(seed: number): readonly DemoFixpSession[] {
  return fixpPlan.map((session) => ({
    ...session,
    ...loginOf(seed, session.name),
    ...(session.name === 'DELTA' && { hmacSecret: derived(`${seed} hmac`, 'hex') }),
  }));
}

function derived(text: string, encoding: 'hex' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding);
}

function loginOf(seed: number, name: string): Pick<DemoSession, 'username' | 'password'> {
  const digest = derived(`${seed} password ${name}`, 'base64url');
  return { username: name.toLowerCase(), password: digest.slice(0, 20) };
}

/** The operators of a demo's console; their tokens derive from the seed, like all of its secrets. */
export function demoOperator(seed: number): { readonly name: string; readonly token: string } {
  return { name: 'demo', token: derived(`${seed} console`, 'base64url').slice(0, 24) };
}

/** Writes missing files, each as a whole or not at all, and returns the path of the gateway's configuration. */
export async function writeDemoFiles(options: DemoOptions): Promise<string> {
  const { directory, seed } = options;
  const secrets = join(directory, 'secrets');
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const keep = (file: string, text: string | (() => string)) => {
    const path = join(secrets, file);
    if (!existsSync(path)) replaceFileSync(path, `${typeof text === 'string' ? text : text()}\n`);
  };
  const used = aliases.map((name, index) => ({ name, of: accountAt(options, index) }));
  for (const { name, of } of used) {
    keep(`${name}.api-key`, of.apiKey);
    keep(`${name}.api-secret`, of.apiSecret);
    keep(`${name}.api-passphrase`, of.passphrase);
    const passphrase = derived(`${seed} ${name}`, 'hex');
    keep(`${name}.key-passphrase`, passphrase);
    const keystore = `${name}.keystore.json`;
    if (!existsSync(join(secrets, keystore))) {
      const sealed = await sealKey(agentKeyOf(of), passphrase, 'local', demoScrypt);
      keep(keystore, JSON.stringify(sealed, null, 2));
    }
  }
  for (const { username, password } of [...demoSessions(seed), ...demoFixpSessions(seed)]) {
    keep(`${username}.hash`, () => hashSecret(password, lightCost));
  }
  for (const { username, hmacSecret } of demoFixpSessions(seed)) {
    if (hmacSecret !== undefined) keep(`${username}.hmac`, hmacSecret);
  }
  keep('console.hash', () => hashSecret(demoOperator(seed).token, lightCost));
  write(join(directory, 'signer.yaml'), signerFile(options, used));
  writeInterview(join(directory, 'certification/example'));
  const file = join(directory, 'gateway.yaml');
  write(file, gatewayFile(options, used));
  return file;
}

/** A counterparty that can be certified from the console, on a free port. */
function writeInterview(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'interview.yaml');
  if (existsSync(file)) return;
  write(file, {
    counterparty: { name: 'Example Capital', software: 'Example OMS', version: '1.0' },
    direction: 'acceptor',
    session: { senderCompId: 'EXAMPLE', targetCompId: gatewayCompId, heartBtInt: 30 },
    address: { host: '127.0.0.1', port: 0 },
    features: ['orders', 'replaces', 'status'],
    instrument: {
      symbol: 'BTC-USDC',
      other: 'ETH-USDC',
      qty: '0.01',
      passive: '40000',
      cross: '50000',
    },
    patience: { connectS: 300, answerS: 5, promptS: 600 },
    waivers: [],
  });
}

type Used = readonly { readonly name: string; readonly of: DevelopmentAccount }[];

function accountAt({ accounts }: DemoOptions, index: number): DevelopmentAccount {
  const account = accounts[index];
  if (account === undefined) throw new Error(`the demo needs ${aliases.length} accounts`);
  return account;
}

/** The agent's key instead of the owner's: the bridge is a delegated signer. */
function agentKeyOf({ account, agents }: DevelopmentAccount): Buffer {
  const [agent] = agents;
  if (agent === undefined) throw new Error(`account ${account} has no agent`);
  return Buffer.from(agent.key, 'hex');
}

function signerFile({ profileFile }: DemoOptions, used: Used): object {
  return {
    environment: 'local',
    profile: profileFile,
    socket: 'signer.sock',
    dataDir: 'signer',
    keys: used.map(({ name, of }) => ({
      keystoreFile: `secrets/${name}.keystore.json`,
      passphraseFile: `secrets/${name}.key-passphrase`,
      policy: { accounts: [of.account] },
    })),
  };
}

function gatewayFile(options: DemoOptions, used: Used): object {
  const { consolePort, seed, fixHost, fixPort, fixpPort, venueUrl, profileFile } = options;
  const sessions = demoSessions(seed);
  const fixpSessions = fixpPort === undefined ? [] : demoFixpSessions(seed);
  return {
    environment: 'local',
    dataDir: 'gateway',
    venue: { profile: profileFile, baseUrl: venueUrl },
    signer: { mode: 'inline', configFile: 'signer.yaml' },
    accounts: used.map(({ name, of }) => ({
      name,
      account: of.account,
      apiKeyFile: `secrets/${name}.api-key`,
      apiSecretFile: `secrets/${name}.api-secret`,
      passphraseFile: `secrets/${name}.api-passphrase`,
    })),
    fix: { listen: { host: fixHost, port: fixPort } },
    ...(fixpPort !== undefined && { fixp: { listen: { host: fixHost, port: fixpPort } } }),
    ...(consolePort !== undefined && {
      console: {
        listen: { host: fixHost, port: consolePort },
        operators: [{ name: demoOperator(seed).name, secretHashFile: 'secrets/console.hash' }],
        certificationDir: 'certification',
      },
    }),
    users: [
      ...sessions.map(({ username }) => userOf(username)),
      ...fixpSessions.map(({ username, hmacSecret }) => ({
        ...userOf(username),
        ...(hmacSecret !== undefined && { hmacSecretFile: `secrets/${username}.hmac` }),
      })),
    ],
    sessions: [
      ...sessions.map(({ senderCompId, targetCompId, ...session }) => ({
        senderCompId,
        targetCompId,
        ...rightsOf(session, options),
        allowReset: true,
      })),
      ...fixpSessions.map(({ name, ...session }) => ({
        protocol: 'fixp',
        senderCompId: name,
        ...rightsOf(session, options),
      })),
    ],
  };
}

function userOf(name: string): object {
  return { name, secretHashFile: `secrets/${name}.hash` };
}

function rightsOf(
  { accounts, role, username }: Pick<DemoSession, 'accounts' | 'role' | 'username'>,
  { cancelOnDisconnect }: DemoOptions,
): object {
  return {
    role,
    users: [username],
    accounts,
    actions: ['order', 'quote', 'algo', 'conditional'],
    ...(cancelOnDisconnect && { cancelOnDisconnect: { when: 'abrupt' } }),
  };
}

function write(file: string, value: object): void {
  replaceFileSync(file, stringify(value));
}
