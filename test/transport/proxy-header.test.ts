import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProxyHeader, writeProxyHeader } from '../../src/transport/proxy-header.ts';

const signature = '0d0a0d0a000d0a515549540a';
const hex = (text: string) => Buffer.from(signature + text.replaceAll(' ', ''), 'hex');
const overIpv4 = hex('21 11 000c 0a000007 0a000001 0400 1f90');

test('TCP over IPv4 gives the client address', () => {
  expect(readProxyHeader(overIpv4)).toEqual({ kind: 'header', size: 28, address: '10.0.0.7' });
});

test('TCP over IPv6 gives the client address in its short spelling', () => {
  const header = hex(`21 21 0024 20010db8${'00'.repeat(11)}01 ${'00'.repeat(16)} 0400 1f90`);
  expect(readProxyHeader(header)).toEqual({ kind: 'header', size: 52, address: '2001:db8::1' });
});

test('extensions behind the addresses are skipped', () => {
  const header = hex('21 11 0011 0a000007 0a000001 0400 1f90 0400021234');
  expect(readProxyHeader(header)).toMatchObject({ size: 33, address: '10.0.0.7' });
});

test('a health check of the balancer itself has no client address', () => {
  expect(readProxyHeader(hex('20 00 0000'))).toEqual({ kind: 'header', size: 16 });
});

test('whatever part has arrived, the rest is waited for', () => {
  for (let length = 0; length < overIpv4.length; length += 1) {
    expect(readProxyHeader(overIpv4.subarray(0, length))).toEqual({ kind: 'more' });
  }
});

test.each([
  ['version 1 text', Buffer.from('PROXY TCP4 10.0.0.7 10.0.0.1 1 2\r\n'), 'no signature'],
  ['a first byte of anything else', Buffer.from('8'), 'no signature'],
  ['an unknown version', hex('31 11 000c'), 'version and command 49'],
  ['a length without end', hex('21 11 ffff'), '65551 bytes'],
  ['addresses that are too short', hex('21 11 0004 0a000007'), 'family 17 with 4 bytes'],
  ['datagrams', hex('21 12 000c 0a000007 0a000001 0400 1f90'), 'family 18'],
])('%s is refused', (_, bytes, reason) => {
  expect(readProxyHeader(bytes)).toEqual({
    kind: 'bad',
    reason: expect.stringContaining(reason),
  });
});

const addresses = fc.oneof(
  fc.ipV4(),
  fc
    .array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((group) => group.toString(16)).join(':')),
  fc.constantFrom('::1', '2001:db8::7', 'fe80::1'),
);
const certificates = fc.record({
  fingerprint256: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex')),
  commonName: fc.string({ maxLength: 64 }),
});

test('what a front door writes of a client is what a worker reads, whatever follows it', () => {
  const peers = fc.record({
    address: addresses,
    tls: fc.option(fc.option(certificates)),
    protocol: fc.option(fc.constantFrom('fix', 'fixp'), { nil: undefined }),
  });
  fc.assert(
    fc.property(peers, fc.uint8Array(), ({ address, protocol, tls }, rest) => {
      const certificate = tls ?? undefined;
      const about = tls === null ? {} : { isTls: true, ...(certificate && { certificate }) };
      const written = writeProxyHeader({ address, ...about }, protocol);
      expect(readProxyHeader(Buffer.concat([written, rest]))).toEqual({
        kind: 'header',
        size: written.length,
        address,
        ...(tls !== null && { tls: about }),
        ...(protocol !== undefined && { protocol }),
      });
    }),
  );
});

test('a certificate that the front door could not verify counts as none', () => {
  const fingerprint256 = 'ab'.repeat(32);
  const written = writeProxyHeader({
    address: '10.0.0.7',
    isTls: true,
    certificate: { fingerprint256, commonName: 'client' },
  });
  expect(written.readUInt32BE(32)).toBe(0);
  written.writeUInt32BE(1, 32);
  expect(readProxyHeader(written)).toMatchObject({ tls: { isTls: true } });
  expect(readProxyHeader(written)).not.toMatchObject({ tls: { certificate: {} } });
});

test('no bytes behind the addresses make the reader fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
      const header = Buffer.concat([overIpv4, rest]);
      header.writeUInt16BE(12 + rest.length, 14);
      expect(readProxyHeader(header)).toMatchObject({ address: '10.0.0.7', size: header.length });
    }),
  );
});
