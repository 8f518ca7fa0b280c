/** `causeway keys`: makes, imports, shows and checks the keystores of signing keys, and hashes clients' passwords. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hashSecret } from '../gateway/secret-hash.ts';
import {
  addressIn,
  addressOfKey,
  checkEnvironments,
  type Environment,
  environments,
  KeystoreError,
  keysBeside,
  openKey,
  readKeystore,
  sealKey,
  standardCost,
  writeKeystore,
} from '../signer/keystore.ts';
import { readPassphrase } from '../signer/passphrase.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway keys new|import|address|check FILE [options]
       causeway keys hash [options]

  new FILE       make a key and write its keystore (Web3 secret storage version 3, mode 0600)
  import FILE    the same with a key of yours: 64 hex digits by --key-fd or --key-file
  address FILE   show the address of a keystore; needs no passphrase
  check FILE     open the keystore with its passphrase and compare the address
  hash           print the scrypt hash of a client's password, for the secretHashFile of a user

  --environment local|mainnet   what the key is for; new and import need it
  --passphrase-fd N             read the passphrase, or password, from a file descriptor
  --passphrase-file FILE        read it from a file of mode 0600; without either it is asked for
  --key-fd N, --key-file FILE   for import
  --light                       quick scrypt, for development keys only
  --json                        print one JSON object

A key for local and for mainnet may never be the same: keystores of one directory are compared.

  causeway keys new keys/local-1.json --environment local
  causeway keys import keys/main-1.json --environment mainnet --key-fd 3 3< key.txt
  causeway keys check keys/main-1.json --passphrase-file /run/secrets/main-1
  causeway keys hash > secrets/desk-1.hash`;

const lightCost = { ...standardCost, n: 4096 };

type Options = ReturnType<typeof parse>;

interface Shown {
  readonly file: string;
  readonly address: string;
  readonly environment: Environment | null;
  readonly checked?: boolean;
}

export const verb: Verb = {
  summary: 'make, import, show and check signing keys, hash passwords',
  help,
  async run(args) {
    const options = parse(args);
    if (options.action === 'hash') {
      const password = await readPassphrase(options.passphrase, 'Password', true);
      const hash = hashSecret(password);
      console.log(options.json ? JSON.stringify({ hash }) : hash);
      return exitCodes.done;
    }
    const shown = await act(options);
    if (options.json) console.log(JSON.stringify(shown));
    else console.log(`${shown.address}  ${shown.environment ?? 'any environment'}  ${shown.file}`);
    return exitCodes.done;
  },
};

function parse(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      environment: { type: 'string' },
      'passphrase-fd': { type: 'string' },
      'passphrase-file': { type: 'string' },
      'key-fd': { type: 'string' },
      'key-file': { type: 'string' },
      light: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const [action, file = '', ...more] = positionals;
  const needsFile = action !== 'hash';
  if (needsFile !== (file !== '') || more.length > 0) {
    throw new UsageError(needsFile ? 'needs an action and one file' : 'hash takes no file');
  }
  const source = (name: 'passphrase' | 'key') => ({
    fd: descriptor(values[`${name}-fd`], `--${name}-fd`),
    file: values[`${name}-file`] ?? null,
  });
  return {
    action,
    file,
    environment: environmentOf(values.environment),
    passphrase: source('passphrase'),
    key: source('key'),
    cost: values.light ? lightCost : standardCost,
    json: values.json,
  };
}

function descriptor(text: string | undefined, name: string): number | null {
  if (text === undefined) return null;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError(`${name} needs the number of a file descriptor, not ${text.slice(0, 20)}`);
}

function environmentOf(text: string | undefined): Environment | undefined {
  const found = environments.find((name) => name === text);
  if (text === undefined || found !== undefined) return found;
  throw new UsageError(`--environment is local or mainnet, not ${text.slice(0, 20)}`);
}

async function act(options: Options): Promise<Shown> {
  switch (options.action) {
    case 'new':
      return store(options, secp256k1.utils.randomSecretKey());
    case 'import':
      return store(options, importedKey(options));
    case 'address':
      return show(options);
    case 'check':
      return check(options);
    default:
      throw new UsageError(`no action ${options.action}: new, import, address, check or hash`);
  }
}

async function store(options: Options, secretKey: Uint8Array): Promise<Shown> {
  const { file, environment, cost } = options;
  if (environment === undefined) throw new UsageError('--environment local or mainnet is needed');
  const address = addressOfKey(secretKey);
  checkEnvironments([...keysBeside(file), { environment, address, where: 'the new keystore' }]);
  const passphrase = await readPassphrase(options.passphrase, `Passphrase for ${file}`, true);
  writeKeystore(file, await sealKey(secretKey, passphrase, environment, cost));
  secretKey.fill(0);
  return { file, address, environment };
}

function importedKey({ key }: Options): Uint8Array {
  const from = key.fd ?? key.file;
  if (from === null) throw new UsageError('import needs --key-fd or --key-file');
  let text: string;
  try {
    text = readFileSync(from, 'utf8').trim();
  } catch {
    throw new KeystoreError(`the key cannot be read from ${from}`);
  }
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text)) {
    throw new KeystoreError(`${from} does not hold a key of 64 hex digits`);
  }
  const secretKey = Buffer.from(text.replace(/^0x/, ''), 'hex');
  if (secp256k1.utils.isValidSecretKey(secretKey)) return secretKey;
  throw new KeystoreError(`${from} holds a number that is no secp256k1 key`);
}

function show({ file }: Options): Shown {
  const keystore = readKeystore(file);
  return {
    file,
    address: addressIn(keystore),
    environment: keystore.causeway?.environment ?? null,
  };
}

async function check(options: Options): Promise<Shown> {
  const keystore = readKeystore(options.file);
  const passphrase = await readPassphrase(options.passphrase, `Passphrase for ${options.file}`);
  const secretKey = await openKey(keystore, passphrase);
  secretKey.fill(0);
  checkEnvironments(keysBeside(options.file));
  return { ...show(options), checked: true };
}
