/**
 * The process that talks to a PKCS#11 token. A call into a vendor's module blocks its thread and may never return, and
 * a fault in it ends its process, so the signer does neither itself. It finds one key, signs digests with it, and ends
 * at the first fault: the signer starts another, which begins with a new session
 * (docs/decisions/0275-keys-outside-the-process.md).
 */
import { createRequire } from 'node:module';
import { programRoot } from '../runtime/shipped.ts';

/** The location of a key in a token, in the messages between the signer and this process, which Node carries. */
export interface TokenPlace {
  /** The vendor's PKCS#11 module, a shared library. */
  readonly module: string;
  /** The label of the token. */
  readonly token: string;
  readonly keyLabel?: string | undefined;
  /** In hex. */
  readonly keyId?: string | undefined;
}

export type ToToken =
  | { readonly kind: 'open'; readonly place: TokenPlace; readonly pin: string }
  | {
      readonly kind: 'sign';
      readonly id: number;
      readonly digest: Uint8Array;
      /** Unix time after which nobody waits for the signature any more. */
      readonly untilMs: number;
    };

export type FromToken =
  | { readonly kind: 'opened'; readonly publicKey: Uint8Array }
  | { readonly kind: 'signed'; readonly id: number; readonly rAndS: Uint8Array }
  /** The process ends after it. */
  | { readonly kind: 'failed'; readonly problem: string; readonly isFinal: boolean };

/** Of the package `pkcs11js`, which the operator installs; the part of it that is used here. */
interface Pkcs11Package {
  readonly PKCS11: new () => Pkcs11;
  readonly [constant: string]: unknown;
}

interface Pkcs11 {
  load(module: string): void;
  C_Initialize(): void;
  C_GetSlotList(isPresent: boolean): Buffer[];
  C_GetTokenInfo(slot: Buffer): { readonly label: string; readonly flags: number };
  C_OpenSession(slot: Buffer, flags: number): Buffer;
  C_Login(session: Buffer, user: number, pin: string): void;
  C_FindObjectsInit(session: Buffer, template: readonly Attribute[]): void;
  C_FindObjects(session: Buffer, most: number): Buffer[];
  C_FindObjectsFinal(session: Buffer): void;
  C_GetAttributeValue(session: Buffer, object: Buffer, template: readonly Attribute[]): Found[];
  C_SignInit(session: Buffer, mechanism: { readonly mechanism: number }, key: Buffer): void;
  C_Sign(session: Buffer, digest: Buffer, signature: Buffer): Buffer;
}

interface Attribute {
  readonly type: number;
  readonly value?: Buffer | number;
}
interface Found {
  readonly value: Buffer;
}

/** Numbers of PKCS#11 2.40. */
const attribute = { class: 0, label: 3, keyType: 0x100, id: 0x102, params: 0x180, point: 0x181 };
const objectClass = { publicKey: 2, privateKey: 3 };
const keyTypeEc = 3;
const serialSession = 4;
const user = 1;
const mechanismEcdsa = 0x1041;
const flag = { loginRequired: 0x4, pinCountLow: 0x10000, pinFinalTry: 0x20000, pinLocked: 0x40000 };
/** The object identifier of secp256k1 in DER. */
const secp256k1 = '06052b8104000a';

class TokenFault extends Error {
  readonly isFinal: boolean;

  /** `isFinal`: to try again could lock the token or would change nothing. */
  constructor(text: string, isFinal: boolean) {
    super(text);
    this.isFinal = isFinal;
  }
}

/** Resolves when the signer exits or releases this process. */
export function runTokenProcess(): Promise<number> {
  const send = (message: FromToken, then = () => {}) => process.send?.(message, then);
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve(0));
    let sign: ((digest: Uint8Array) => Uint8Array) | undefined;
    process.on('message', (message: ToToken) => {
      try {
        if (message.kind === 'open') {
          const opened = openToken(new (loadPackage().PKCS11)(), message.place, message.pin);
          sign = opened.sign;
          send({ kind: 'opened', publicKey: opened.publicKey });
        } else {
          // A request without a waiter is answered too, because a process that does not answer seems to hang.
          const isLate = Date.now() > message.untilMs;
          const rAndS = isLate ? undefined : sign?.(message.digest);
          send({ kind: 'signed', id: message.id, rAndS: rAndS ?? Buffer.of() });
        }
      } catch (error) {
        const isFinal = error instanceof TokenFault && error.isFinal;
        send({ kind: 'failed', problem: wordsOf(error), isFinal }, () => process.exit(1));
      }
    });
  });
}

export function openToken(pkcs11: Pkcs11, place: TokenPlace, pin: string) {
  const { module, token, keyLabel, keyId } = place;
  pkcs11.load(module);
  pkcs11.C_Initialize();
  const slots = pkcs11
    .C_GetSlotList(true)
    .filter((slot) => pkcs11.C_GetTokenInfo(slot).label.trim() === token);
  const [slot] = slots;
  if (slot === undefined) throw new TokenFault(`no token with the label ${token} is there`, false);
  if (slots.length > 1) throw new TokenFault(`several tokens have the label ${token}`, true);
  const session = pkcs11.C_OpenSession(slot, serialSession);
  logIn(pkcs11, slot, session, pin);

  const wanted: Attribute[] = [{ type: attribute.keyType, value: keyTypeEc }];
  if (keyLabel !== undefined) wanted.push({ type: attribute.label, value: Buffer.from(keyLabel) });
  if (keyId !== undefined) wanted.push({ type: attribute.id, value: Buffer.from(keyId, 'hex') });
  const name = [keyLabel, keyId && `id ${keyId}`].filter(Boolean).join(', ');
  const only = (kind: keyof typeof objectClass, what: string) => {
    const type = { type: attribute.class, value: objectClass[kind] };
    pkcs11.C_FindObjectsInit(session, [type, ...wanted]);
    const [found, another] = pkcs11.C_FindObjects(session, 2);
    pkcs11.C_FindObjectsFinal(session);
    if (found === undefined) throw new TokenFault(`${token} has no ${what} ${name}`, false);
    if (another !== undefined) throw new TokenFault(`${token} has several ${what}s ${name}`, true);
    return found;
  };
  const key = only('privateKey', 'private key');
  const publicKey = pointOf(pkcs11, session, only('publicKey', 'public key'));
  const sign = (digest: Uint8Array): Uint8Array => {
    pkcs11.C_SignInit(session, { mechanism: mechanismEcdsa }, key);
    return pkcs11.C_Sign(session, Buffer.from(digest), Buffer.alloc(64));
  };
  return { publicKey, sign };
}

/**
 * A token locks itself after a few wrong PINs, and a signer is restarted after each failure, so a wrong PIN is tried
 * only once.
 */
function logIn(pkcs11: Pkcs11, slot: Buffer, session: Buffer, pin: string): void {
  const { flags } = pkcs11.C_GetTokenInfo(slot);
  if ((flags & flag.loginRequired) === 0) return;
  if ((flags & flag.pinLocked) !== 0) throw new TokenFault('the token has locked its PIN', true);
  if ((flags & (flag.pinCountLow | flag.pinFinalTry)) !== 0) {
    const text =
      'the token has met a wrong PIN, so none is tried: correct pinFile, and log in once by hand, which clears that';
    throw new TokenFault(text, true);
  }
  try {
    pkcs11.C_Login(session, user, pin);
  } catch (error) {
    if (!/CKR_PIN_/.test(wordsOf(error))) throw error;
    throw new TokenFault(
      `the token refuses the PIN (${wordsOf(error)}); it is not tried again`,
      true,
    );
  }
}

function pointOf(pkcs11: Pkcs11, session: Buffer, object: Buffer): Uint8Array {
  const [params, point] = pkcs11.C_GetAttributeValue(session, object, [
    { type: attribute.params },
    { type: attribute.point },
  ]);
  if (params?.value.toString('hex') !== secp256k1) {
    throw new TokenFault('the key is of another curve than secp256k1', true);
  }
  // An octet string in DER; some tokens give the point without it.
  const bytes = point?.value ?? Buffer.of();
  const plain = bytes.length === 67 ? bytes.subarray(2) : bytes;
  if (plain.length === 65 && plain[0] === 4) return Uint8Array.from(plain);
  throw new TokenFault('the public key is no uncompressed point', true);
}

/**
 * A single executable has no package folder, so the machine's packages are searched as well. Throws if it is not
 * installed.
 */
export function pkcs11File(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve('pkcs11js', { paths: [programRoot, '/usr/local/lib', '/usr/lib'] });
  } catch {
    const text =
      'keys in a token need the package pkcs11js: npm install pkcs11js@2.1.7, with -g for the executable';
    throw new TokenFault(text, true);
  }
}

function loadPackage(): Pkcs11Package {
  const file = pkcs11File();
  return createRequire(file)(file) as Pkcs11Package;
}

function wordsOf(error: unknown): string {
  if (error instanceof TokenFault) return error.message;
  const text = error instanceof Error ? error.message : String(error);
  return /CKR_\w+/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
}
