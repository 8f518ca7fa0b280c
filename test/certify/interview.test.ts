import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type Feature,
  interviewTemplate,
  parseInterview,
  select,
} from '../../src/certify/interview.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';

const { scenarios } = loadCatalogue(join(import.meta.dirname, '../../certification'));

test('the template is an interview', () => {
  const interview = parseInterview(interviewTemplate('initiator'), 'template');
  expect(interview).toMatchObject({ direction: 'initiator', features: ['orders'] });
});

test('answers select: what is not declared is not asked for', () => {
  const ids = (features: Feature[]) =>
    select(scenarios, { direction: 'acceptor', protocol: 'fix', features }).map(
      ({ scenario }) => scenario.id,
    );
  expect(ids([])).toContain('S-01');
  expect(ids([]).some((id) => /^[OXRQVDP]/.test(id))).toBe(false);
  expect(ids(['orders'])).toContain('O-01');
  expect(ids(['orders'])).not.toContain('X-10');
  expect(ids(['orders', 'replaces'])).toContain('X-10');
});

test('a secret in the interview is refused, and so is a misspelt feature', () => {
  const text = interviewTemplate('acceptor');
  expect(() => parseInterview(`${text}password: x\n`, 'f.yaml')).toThrow(/password/);
  expect(() => parseInterview(text.replace('- orders', '- oders'), 'f.yaml')).toThrow(
    /f\.yaml:\d+:\d+ features/,
  );
});

test('a FIXP session needs a user, by whom it is found', () => {
  const text = interviewTemplate('acceptor').replace('protocol: fix ', 'protocol: fixp ');
  expect(() => parseInterview(text, 'f.yaml')).toThrow(/credentials.*found by the user/);
  const known = text.replace('# credentials:', 'credentials:');
  expect(parseInterview(known, 'f.yaml').protocol).toBe('fixp');
  const chosen = select(scenarios, parseInterview(known, 'f.yaml'));
  expect(chosen.every(({ scenario }) => scenario.id.startsWith('P'))).toBe(true);
});

test('a backup site needs an address', () => {
  const text = interviewTemplate('acceptor').replace('  - orders ', '  - backupSite\n  - orders ');
  expect(() => parseInterview(text, 'f.yaml')).toThrow(/address\.backup.*needs the backup address/);
  const address = 'host: 127.0.0.1, port: 9890, backup: { host: 127.0.0.1, port: 9891 }';
  const whole = text.replace('host: 127.0.0.1, port: 9890', address);
  expect(parseInterview(whole, 'f.yaml').address.backup).toEqual({ host: '127.0.0.1', port: 9891 });
});
