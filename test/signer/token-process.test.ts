/** The vendor's side is played here by the interface of PKCS#11; token-key.slow.test.ts has a real token. */
import { describe, expect, test } from 'vitest';
import { openToken, type TokenPlace } from '../../src/signer/token-process.ts';

type Pkcs11 = Parameters<typeof openToken>[0];
type Attribute = Parameters<Pkcs11['C_FindObjectsInit']>[1][number];

const point = Uint8Array.from([4, ...Array.from({ length: 64 }, (_, index) => index)]);
const secp256k1 = '06052b8104000a';

/** An object of a token: its attributes by their numbers in PKCS#11. */
type Thing = ReadonlyMap<number, Buffer | number>;
const isA = 0;
const label = 3;
const keyType = 0x100;
const id = 0x102;
const params = 0x180;
const ecPoint = 0x181;

function pair(name: string, keyId: string, changes: [number, Buffer | number][] = []): Thing[] {
  const common: [number, Buffer | number][] = [
    [keyType, 3],
    [label, Buffer.from(name)],
    [id, Buffer.from(keyId, 'hex')],
    [params, Buffer.from(secp256k1, 'hex')],
    [ecPoint, Buffer.from(point)],
    ...changes,
  ];
  return [3, 2].map((kind) => new Map([[isA, kind], ...common]));
}

class Vendor implements Pkcs11 {
  readonly calls: string[] = [];
  /** Labels of tokens come padded with blanks. */
  labels = ['other', `desk${' '.repeat(28)}`];
  flags = 4;
  things = pair('desk-1', '01');
  refusesPin = '';
  #found: Thing[] = [];

  load(module: string) {
    this.calls.push(`load ${module}`);
  }
  C_Initialize() {}
  C_GetSlotList() {
    return this.labels.map((_, index) => Buffer.of(index));
  }
  C_GetTokenInfo(slot: Buffer) {
    return { label: this.labels[slot[0] ?? 0] ?? '', flags: this.flags };
  }
  C_OpenSession(slot: Buffer, flags: number) {
    this.calls.push(`session ${flags} of ${this.labels[slot[0] ?? 0]?.trim()}`);
    return Buffer.from('session');
  }
  C_Login(_session: Buffer, user: number, pin: string) {
    this.calls.push(`login ${user} ${pin}`);
    if (this.refusesPin !== '') throw new Error(this.refusesPin);
  }
  C_FindObjectsInit(_session: Buffer, template: readonly Attribute[]) {
    const is = (thing: Thing, { type, value }: Attribute) =>
      Buffer.isBuffer(value) ? value.equals(thing.get(type) as Buffer) : value === thing.get(type);
    this.#found = this.things.filter((thing) => template.every((each) => is(thing, each)));
  }
  C_FindObjects(_session: Buffer, most: number) {
    return this.#found.slice(0, most).map((thing) => Buffer.of(this.things.indexOf(thing)));
  }
  C_FindObjectsFinal() {
    this.#found = [];
  }
  C_GetAttributeValue(_session: Buffer, object: Buffer, template: readonly Attribute[]) {
    const thing = this.things[object[0] ?? 0];
    return template.map(({ type }) => ({ value: thing?.get(type) as Buffer }));
  }
  C_SignInit(_session: Buffer, { mechanism }: { mechanism: number }, key: Buffer) {
    this.calls.push(`sign ${mechanism.toString(16)} with ${this.things[key[0] ?? 0]?.get(isA)}`);
  }
  C_Sign(_session: Buffer, digest: Buffer, signature: Buffer) {
    return signature.fill(digest[0] ?? 0);
  }
}

const place: TokenPlace = { module: 'p11.so', token: 'desk', keyLabel: 'desk-1' };

function opened(change: Partial<Vendor> = {}, at: Partial<TokenPlace> = {}) {
  const vendor = Object.assign(new Vendor(), change);
  return { vendor, ...openToken(vendor, { ...place, ...at }, '1234') };
}

/** Whether another try is pointless, and the problem. */
function fault(change: Partial<Vendor>, at: Partial<TokenPlace> = {}): string {
  try {
    opened(change, at);
  } catch (error) {
    const { isFinal, message } = error as Error & { isFinal?: boolean };
    return `${isFinal ? 'final' : 'again'}: ${message}`;
  }
  return 'opened';
}

test('the key of a token is found by its label, and signs by itself', () => {
  const { vendor, publicKey, sign } = opened();
  expect(publicKey).toEqual(point);
  expect(sign(Uint8Array.of(7, 8))).toEqual(Buffer.alloc(64, 7));
  expect(vendor.calls).toEqual([
    'load p11.so',
    'session 4 of desk',
    'login 1 1234',
    'sign 1041 with 3',
  ]);
});

describe('a token', () => {
  test('that is not there may come back', () => {
    expect(fault({ labels: ['other'] })).toBe('again: no token with the label desk is there');
    expect(fault({ labels: [] })).toBe('again: no token with the label desk is there');
  });

  test('whose label another one has is not chosen by chance', () => {
    expect(fault({ labels: ['desk', 'desk'] })).toBe('final: several tokens have the label desk');
  });

  test('that needs no login is not asked for one', () => {
    expect(opened({ flags: 0 }).vendor.calls).not.toContain('login 1 1234');
  });
});

describe('a PIN', () => {
  const isTried = (flags: number) => {
    const vendor = Object.assign(new Vendor(), { flags });
    expect(() => openToken(vendor, place, '1234')).toThrow();
    return vendor.calls.includes('login 1 1234');
  };

  test('that the token has locked is not tried', () => {
    expect(fault({ flags: 0x40004 })).toBe('final: the token has locked its PIN');
    expect(isTried(0x40004)).toBe(false);
  });

  test.each([0x10004, 0x20004, 0x30004])(
    'is not tried after a wrong one, which the token shows by its flags %i',
    (flags) => {
      expect(fault({ flags })).toContain('final: the token has met a wrong PIN, so none is tried');
      expect(isTried(flags)).toBe(false);
    },
  );

  test('that the token refuses is not tried again', () => {
    expect(fault({ refusesPin: 'C_Login: CKR_PIN_INCORRECT:160' })).toBe(
      'final: the token refuses the PIN (CKR_PIN_INCORRECT); it is not tried again',
    );
  });

  test('is not to blame for another fault of the login', () => {
    expect(fault({ refusesPin: 'CKR_DEVICE_REMOVED:50' })).toBe('again: CKR_DEVICE_REMOVED:50');
  });
});

describe('a key', () => {
  const two = [...pair('desk-1', '01'), ...pair('desk-1', '02')];

  test('that is not there is named by its label and id', () => {
    expect(fault({ things: [] }, { keyId: '0a' })).toBe(
      'again: desk has no private key desk-1, id 0a',
    );
    expect(fault({}, { keyLabel: undefined, keyId: '0a' })).toBe(
      'again: desk has no private key id 0a',
    );
    expect(fault({ things: pair('desk-1', '01').slice(0, 1) })).toBe(
      'again: desk has no public key desk-1',
    );
  });

  test('of another kind is not the key', () => {
    expect(fault({ things: pair('desk-1', '01', [[keyType, 0]]) })).toBe(
      'again: desk has no private key desk-1',
    );
  });

  test('is not chosen by chance among several, and an id tells them apart', () => {
    expect(fault({ things: two })).toBe('final: desk has several private keys desk-1');
    expect(opened({ things: two }, { keyId: '02' }).publicKey).toEqual(point);
    expect(opened({ things: two }, { keyLabel: undefined, keyId: '01' }).publicKey).toEqual(point);
    const [first, , second] = two;
    expect(
      fault({ things: [first, ...two.slice(1)].filter((each) => each !== second) as Thing[] }),
    ).toBe('final: desk has several public keys desk-1');
  });

  test('of another curve is refused for good', () => {
    const prime256v1 = Buffer.from('06082a8648ce3d030107', 'hex');
    expect(fault({ things: pair('desk-1', '01', [[params, prime256v1]]) })).toBe(
      'final: the key is of another curve than secp256k1',
    );
  });

  test('has its point as an octet string in DER, or plain', () => {
    const inDer = Buffer.from([4, 65, ...point]);
    expect(opened({ things: pair('desk-1', '01', [[ecPoint, inDer]]) }).publicKey).toEqual(point);
  });

  test.each([
    ['compressed', Buffer.from([2, ...point.subarray(1, 33)])],
    ['too short', Buffer.from(point.subarray(0, 64))],
    ['of another form', Buffer.from([5, ...point.subarray(1)])],
    ['empty', Buffer.of()],
  ])('whose point is %s is refused for good', (_, bytes) => {
    expect(fault({ things: pair('desk-1', '01', [[ecPoint, bytes]]) })).toBe(
      'final: the public key is no uncompressed point',
    );
  });
});
