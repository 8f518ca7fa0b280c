/** The bridge as its own counterparty; all of its suite is played by test/interop/certify-self.test.ts. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Evidence, EvidenceError } from '../../../src/certify/evidence.ts';
import type { Subject } from '../../../src/certify/record.ts';
import { loadCatalogue } from '../../../src/certify/scenario.ts';
import { certifySelf, selfSubjects } from '../../../src/cli/certify/self.ts';

const catalogue = loadCatalogue(join(import.meta.dirname, '../../../certification'));
const versions = { causeway: 'self', dictionaryHash: 'of these files' };
/** Processes begin slowly on a machine that is busy with other work. */
const patienceMs = 180_000;
let base: string;
let temporary: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'causeway-self-'));
  temporary = join(base, 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

test('each direction, protocol and role is a subject once', () => {
  const names = selfSubjects.map(({ direction, protocol, role }) =>
    [direction, protocol, role].join(),
  );
  expect(new Set(names).size).toBe(8);
});

test('the bridge passes as a server, and leaves nothing behind', {
  timeout: patienceMs,
}, async () => {
  const subject = { direction: 'initiator', protocol: 'fix', role: 'order-entry' } as const;
  const id = 'X-01';
  const subjects: unknown[] = [];
  const takeUp = (about: Omit<Subject, 'signer'>) => {
    subjects.push(about);
    return new Evidence({ ...about, signer: null });
  };
  const { run } = await certifySelf({
    ...{ ...subject, catalogue, versions, keptIn: { takeUp }, ids: [id] },
  });
  const played = run.scenarios.filter(({ attempts }) => attempts.length > 0);
  expect(played.map((one) => [one.id, one.outcome, one.reason])).toEqual([[id, 'passed', '']]);
  const { direction, protocol } = subject;
  expect(subjects).toMatchObject([{ direction, protocol, identity: { version: 'self' } }]);
  expect(readdirSync(temporary)).toEqual([]);
});

test('evidence that cannot be continued ends a certification, and leaves nothing behind', {
  timeout: patienceMs,
}, async () => {
  const takeUp = () => {
    throw new EvidenceError('run.json was changed');
  };
  const subject = { direction: 'acceptor', protocol: 'fix', role: 'order-entry' } as const;
  const certified = certifySelf({ ...subject, catalogue, versions, keptIn: { takeUp } });
  await expect(certified).rejects.toThrow('run.json was changed');
  expect(readdirSync(temporary)).toEqual([]);
});
