import { expect, test } from 'vitest';
import {
  canonical,
  check,
  issue,
  NotCertified,
  newKey,
  readCertificate,
  readKey,
  type SignedCertificate,
} from '../../src/certify/certificate.ts';
import { runRecord, scenarioRecord } from './records.ts';

const key = readKey(newKey());
const options = { issuedMs: Date.UTC(2026, 0, 1), validDays: 10 };
const run = runRecord([
  scenarioRecord('S-01', 'passed'),
  scenarioRecord('S-02', 'waived'),
  scenarioRecord('S-24', 'failed', { level: 'optional' }),
  scenarioRecord('S-31', 'notRun', { isPlayable: false }),
]);
const nowMs = Date.UTC(2026, 0, 5);

function broken(signed: SignedCertificate, more: object = {}): readonly string[] {
  return check(signed, { nowMs, ...more })
    .filter(({ isMet }) => !isMet)
    .map(({ what }) => what);
}

test('it says what was shown, waived, failed and not run, and holds offline', () => {
  const signed = readCertificate(JSON.stringify(issue(run, key, options)));
  expect(signed.certificate.scope).toMatchObject({
    passed: ['S-01'],
    waived: [{ id: 'S-02' }],
    failed: [{ id: 'S-24' }],
    notRun: [{ id: 'S-31' }],
  });
  expect(broken(signed, { evidence: run, issuer: signed.signature.publicKey })).toEqual([]);
});

test('any change, another issuer, other evidence and the date break it', () => {
  const signed = issue(run, key, options);
  const forged = structuredClone(signed);
  forged.certificate.identity.version = '2.0';
  expect(broken(forged)).toEqual(['signature']);
  const other = issue(run, readKey(newKey()), options).signature.publicKey;
  expect(broken(signed, { issuer: other })).toEqual(['issuer']);
  expect(broken(signed, { evidence: runRecord([]) })).toEqual(['evidence']);
  expect(broken(signed, { nowMs: Date.UTC(2026, 0, 12) })).toEqual(['expiry']);
  const nonsense = { ...signed, signature: { ...signed.signature, publicKey: 'AAAA' } };
  expect(broken(nonsense)).toEqual(['signature']);
});

test.each(['failed', 'inconclusive', 'notRun'] as const)(
  'a required scenario that is %s stands in the way',
  (outcome) => {
    const missing = [scenarioRecord('S-01', 'passed'), scenarioRecord('S-02', outcome)];
    expect(() => issue(runRecord(missing), key, options)).toThrow(NotCertified);
  },
);

test('nobody is certified for nothing', () => {
  expect(() => issue(runRecord([]), key, options)).toThrow('no scenario was passed');
});

test('what is signed does not depend on the order of members', () => {
  expect(canonical({ b: [1, { d: 'x', c: null }], a: undefined })).toBe(
    '{"b":[1,{"c":null,"d":"x"}]}',
  );
});

test('what is no certificate is refused', () => {
  expect(() => readCertificate('{"certificate": {}}')).toThrow();
});
