/** Hashes and ids of canonical text (contract A.10, G02, G13, G15), and the signers of signatures. */
import { hexOf } from '../runtime/hex.ts';
import type { Blake3 } from '../signer/blake3.ts';
import type { Ecdsa } from '../signer/ecdsa.ts';
import { signerOf } from '../signer/scheme.ts';
import type { Profile } from '../venue/profile.ts';
import type { Signature } from './action-input.ts';

type ChildRule = Profile['orderId']['leg'];

export type Ids = Readonly<ReturnType<typeof idsOf>>;

export function idsOf({ orderId: rules, service, signing }: Profile, blake3: Blake3, ecdsa: Ecdsa) {
  const { action, orderId: order } = signing.domains;
  const childId = (canonical: string, index: number, rule: ChildRule) =>
    hex(blake3(Buffer.concat([Buffer.from(order + canonical), childSuffix(rule, index)])));
  return {
    actionHash: (canonical: string) => blake3(Buffer.from(action + canonical)),
    orderId: (canonical: string) => hex(blake3(Buffer.from(order + canonical))),
    legId: (canonical: string, index: number) => childId(canonical, index, rules.leg),
    sliceId: (canonical: string, index: number) => childId(canonical, index, rules.algoChild),
    /** The hash of anything else that an owner signs; its domain ends in `purpose`. */
    hashOf: (purpose: string, text: string) =>
      blake3(Buffer.from(`${service.name}/${purpose}/v1${text}`)),
    /** The address of the signing key: `0x` and 40 lowercase hex digits; undefined if the signature is invalid. */
    signer(hash: Uint8Array, { scheme, bytes }: Signature): string | undefined {
      const found = signerOf(signing, ecdsa, hash, { scheme: signing.schemes[scheme], bytes });
      return 'address' in found ? found.address : undefined;
    },
  };
}

export function hex(bytes: Uint8Array): string {
  return `0x${hexOf(bytes)}`;
}

function childSuffix({ base, encoding }: ChildRule, index: number): Buffer {
  const number = index + base;
  if (encoding === 'ascii') return Buffer.from(String(number));
  const bytes = Buffer.alloc(Number(/\d+/.exec(encoding)?.[0]) / 8);
  const at = encoding.endsWith('be') ? bytes.length - Math.min(bytes.length, 4) : 0;
  const width = Math.min(bytes.length, 4);
  if (encoding.endsWith('be')) bytes.writeUIntBE(number, at, width);
  else bytes.writeUIntLE(number, at, width);
  return bytes;
}
