/** `causeway keys`: creates, imports, displays and checks keystores of signing keys, and hashes clients' passwords. */
import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hashSecret } from '../gateway/passwords/secret-hash.ts';
import {
  addressIn,
  addressOfKey,
  checkEnvironments,
  environments,
  KeystoreError,
  openKey,
  readKeystore,
  sealKey,
  secretText,
  siblingKeys,
  standardCost,
  writeKeystore,
} from '../signer/keystore.ts';
import { readPassphrase } from '../signer/passphrase.ts';
import { command } from './command.ts';
import { choice, descriptorRange, flag, integer, text } from './options.ts';
import { concluded, UsageError, type Values } from './verb.ts';

const lightCost = { ...standardCost, n: 4096 };

const options = {
  environment: choice(environments, 'what the key is for; new and import need it'),
  'passphrase-fd': integer('N', 'read the passphrase, or password, from it', descriptorRange),
  'passphrase-file': text('FILE', 'read it from a file of mode 0600; default: prompt for it'),
  'key-fd': integer('N', 'for import: where the key is read from', descriptorRange),
  'key-file': text('FILE', 'the same, from a file'),
  light: flag('quick scrypt, for development keys only'),
} as const;

type Asked = Values<typeof options>;

export const verb = command({
  summary: 'make, import, show and check signing keys, hash passwords',
  forms: ['new|import|address|check FILE [options]', 'hash [options]'],
  actions: {
    new: 'make a key and write its keystore (Web3 secret storage version 3, mode 0600)',
    import: 'the same with a key of yours: 64 hex digits by --key-fd or --key-file',
    address: 'show the address of a keystore; needs no passphrase',
    check: 'open the keystore with its passphrase and compare the address',
    hash: 'print the scrypt hash of a password or token, for the secretHashFile of a user or operator',
  },
  maxOperands: 2,
  options,
  notes:
    'A key for local and for mainnet may never be the same: keystores of one directory are compared.',
  examples: [
    'causeway keys new keys/local-1.json --environment local',
    'causeway keys import keys/main-1.json --environment mainnet --key-fd 3 3< key.txt',
    'causeway keys check keys/main-1.json --passphrase-file /run/secrets/main-1',
    'causeway keys hash > secrets/desk-1.hash',
  ],
  async run(values, [action = '', file = '']) {
    if ((action !== 'hash') !== (file !== '')) {
      throw new UsageError(action === 'hash' ? 'hash takes no file' : `${action} needs one file`);
    }
    if (action === 'hash') {
      const hash = hashSecret(await readPassphrase(passphraseIn(values), 'Password', true));
      return concluded(values.json, { hash }, hash);
    }
    const shown = await acts[action as keyof typeof acts](file, values);
    const line = `${shown.address}  ${shown.environment ?? 'any environment'}  ${shown.file}`;
    return concluded(values.json, shown, line);
  },
});

const acts = {
  new: (file: string, asked: Asked) => store(file, asked, secp256k1.utils.randomSecretKey()),
  import: (file: string, asked: Asked) => store(file, asked, importedKey(asked)),
  address: show,
  check,
};

function passphraseIn({ 'passphrase-fd': fd, 'passphrase-file': file }: Asked) {
  return { fd: fd ?? null, file: file ?? null };
}

async function store(file: string, asked: Asked, secretKey: Uint8Array) {
  const { environment, light } = asked;
  if (environment === undefined) throw new UsageError('--environment local or mainnet is needed');
  const address = addressOfKey(secretKey);
  checkEnvironments([...siblingKeys(file), { environment, address, where: 'the new keystore' }]);
  const passphrase = await readPassphrase(passphraseIn(asked), `Passphrase for ${file}`, true);
  const cost = light ? lightCost : standardCost;
  writeKeystore(file, await sealKey(secretKey, passphrase, environment, cost));
  secretKey.fill(0);
  return { file, address, environment };
}

function importedKey({ 'key-fd': descriptor, 'key-file': file }: Asked): Uint8Array {
  const from = descriptor ?? file;
  if (from === undefined) throw new UsageError('import needs --key-fd or --key-file');
  const text = (typeof from === 'string' ? secretText(from) : descriptorText(from)).trim();
  if (!/^(0x)?[0-9a-fA-F]{64}$/.test(text)) {
    throw new KeystoreError(`${from} does not hold a key of 64 hex digits`);
  }
  const secretKey = Buffer.from(text.replace(/^0x/, ''), 'hex');
  if (secp256k1.utils.isValidSecretKey(secretKey)) return secretKey;
  throw new KeystoreError(`${from} contains a number that is not a secp256k1 key`);
}

function descriptorText(descriptor: number): string {
  try {
    return readFileSync(descriptor, 'utf8');
  } catch {
    throw new KeystoreError(`the key cannot be read from file descriptor ${descriptor}`);
  }
}

function show(file: string) {
  const keystore = readKeystore(file);
  return {
    file,
    address: addressIn(keystore),
    environment: keystore.causeway?.environment ?? null,
  };
}

async function check(file: string, asked: Asked) {
  const keystore = readKeystore(file);
  const passphrase = await readPassphrase(passphraseIn(asked), `Passphrase for ${file}`);
  const secretKey = await openKey(keystore, passphrase);
  secretKey.fill(0);
  checkEnvironments(siblingKeys(file));
  return { ...show(file), checked: true };
}
