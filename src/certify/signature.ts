/** Ed25519 over canonical JSON (sorted keys, no spaces), for signatures of evidence and certificates. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** Base64. */
export function signatureOf(value: unknown, key: KeyObject): string {
  return sign(null, Buffer.from(canonical(value)), key).toString('base64');
}

export function isSigned(value: unknown, publicKey: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    const bytes = Buffer.from(canonical(value));
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, bytes, key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

/** The base64 public key of a signing key. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** Short enough to be read aloud. */
export function fingerprint(publicKey: string): string {
  const hash = createHash('sha256').update(publicKey, 'base64').digest('hex');
  return `key ${hash.slice(0, 32).replace(/(.{4})(?=.)/g, '$1 ')}`;
}

/** A new signing key as PEM. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function readKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is not an Ed25519 key');
  return key;
}

/** JSON with sorted keys and no white space. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
