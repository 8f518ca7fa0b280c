import { expect, test } from 'vitest';
import {
  check,
  issue,
  NotCertified,
  readCertificate,
  type SignedCertificate,
} from '../../src/certify/certificate.ts';
import { Evidence } from '../../src/certify/evidence.ts';
import type { ScenarioRecord } from '../../src/certify/record.ts';
import { canonical, newKey, publicKeyOf, readKey } from '../../src/certify/signature.ts';
import { addRecords, scenarioRecord, subjectAt } from './records.ts';

const key = readKey(newKey());
const issuer = publicKeyOf(key);
const options = { issuedMs: Date.UTC(2026, 0, 1), validDays: 10 };
const nowMs = Date.UTC(2026, 0, 5);

function signedEvidence(scenarios: readonly ScenarioRecord[]): Evidence {
  return addRecords(new Evidence(subjectAt('1.0', issuer)), scenarios);
}

const evidence = signedEvidence([
  scenarioRecord('S-01', 'passed'),
  scenarioRecord('S-02', 'waived'),
  scenarioRecord('S-24', 'failed', { level: 'optional' }),
  scenarioRecord('S-31', 'notRun', { isPlayable: false }),
]);

function broken(signed: SignedCertificate, more: object = {}): readonly string[] {
  return check(signed, { nowMs, issuer, ...more })
    .filter(({ isMet }) => !isMet)
    .map(({ what }) => what);
}

test('it lists what was shown, waived, failed and not run, and can be verified offline', () => {
  const signed = readCertificate(JSON.stringify(issue(evidence, key, options)))!;
  expect(signed.certificate).toMatchObject({
    scope: {
      passed: ['S-01'],
      waived: [{ id: 'S-02', until: '2030-06-30' }],
      failed: [{ id: 'S-24' }],
      notRun: [{ id: 'S-31' }],
    },
    rulesHash: 'r',
    evidence: { records: evidence.count, head: evidence.head },
  });
  expect(broken(signed, { evidence })).toEqual([]);
});

test('any change, another issuer, other evidence and the date break it', () => {
  const signed = issue(evidence, key, options);
  const forged = structuredClone(signed);
  forged.certificate.identity.version = '2.0';
  expect(broken(forged)).toEqual(['signature']);
  expect(broken(signed, { issuer: publicKeyOf(readKey(newKey())) })).toEqual(['issuer']);
  const other = signedEvidence([scenarioRecord('S-01', 'passed')]);
  expect(broken(signed, { evidence: other })).toEqual(['evidence']);
  expect(broken(signed, { nowMs: Date.UTC(2026, 0, 12) })).toEqual(['expiry']);
  const nonsense = { ...signed, signature: { ...signed.signature, publicKey: 'AAAA' } };
  expect(broken(nonsense)).toEqual(['signature', 'issuer']);
});

test('a certificate ends with its first waiver, and is not given after it', () => {
  const end = Date.UTC(2030, 5, 30);
  const signed = issue(evidence, key, { issuedMs: end - 2 * 86_400_000, validDays: 10 });
  expect(signed.certificate.expires).toBe('2030-06-30T00:00:00.000Z');
  expect(broken(signed, { nowMs: end - 1 })).toEqual([]);
  expect(broken(signed, { nowMs: end })).toEqual(['expiry']);
  expect(() => issue(evidence, key, { issuedMs: end, validDays: 10 })).toThrow(
    'S-02 waived: waived by J. Doe until 2030-06-30: later',
  );
});

test.each(['failed', 'inconclusive', 'notRun'] as const)(
  'a required scenario that is %s prevents the certificate',
  (outcome) => {
    const missing = [scenarioRecord('S-01', 'passed'), scenarioRecord('S-02', outcome)];
    expect(() => issue(signedEvidence(missing), key, options)).toThrow(NotCertified);
  },
);

test('nobody is certified for nothing', () => {
  expect(() => issue(signedEvidence([]), key, options)).toThrow('no scenario was passed');
});

test('a pass without attempts is none, and one with a verdict that is not met is refused', () => {
  const bare = scenarioRecord('S-01', 'passed', { attempts: [] });
  expect(signedEvidence([bare]).run.scenarios[0]?.outcome).toBe('notRun');
  const [attempt] = scenarioRecord('S-01', 'failed').attempts;
  const lying = { ...attempt, outcome: 'passed' } as ScenarioRecord['attempts'][number];
  expect(() => signedEvidence([scenarioRecord('S-01', 'passed', { attempts: [lying] })])).toThrow(
    'S-01 is passed, but Text(58) is not met',
  );
  const silent = { ...lying, ladder: [] };
  expect(() => signedEvidence([scenarioRecord('S-01', 'passed', { attempts: [silent] })])).toThrow(
    'S-01 is passed, but no message was seen',
  );
});

test('a certificate is given only for evidence that its own key signed, and for named rules', () => {
  const given = (signer: string | null, rulesHash: string | null = 'r') =>
    issue(
      addRecords(new Evidence({ ...subjectAt('1.0', signer), rulesHash }), [
        scenarioRecord('S-01', 'passed'),
      ]),
      key,
      options,
    );
  expect(() => given(null)).toThrow('the evidence is not signed');
  expect(() => given(publicKeyOf(readKey(newKey())))).toThrow('which is not this key');
  expect(() => given(issuer, null)).toThrow('does not name the rules of engagement');
  expect(given(issuer).certificate.scope.passed).toEqual(['S-01']);
});

test('what is signed does not depend on the order of members', () => {
  expect(canonical({ b: [1, { d: 'x', c: null }], a: undefined })).toBe(
    '{"b":[1,{"c":null,"d":"x"}]}',
  );
});

test('what is no certificate is refused', () => {
  expect(readCertificate('{"certificate": {}}')).toBeUndefined();
});
