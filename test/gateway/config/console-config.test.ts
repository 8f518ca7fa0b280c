/** The section `console`: what is refused before the page opens. */
import { expect, test } from 'vitest';
import { consoleSection } from '../../../src/gateway/config/console-config.ts';

const operators = [{ name: 'olga', secretHashFile: 'olga.hash' }];
const oidc = { issuer: 'https://login.example/x', clientId: 'c', roles: { ops: ['operate'] } };
const read = (more: object = {}) =>
  consoleSection.safeParse({ listen: { host: '127.0.0.1', port: 9881 }, operators, ...more });
const faults = (more: object) => read(more).error?.issues.map(({ path }) => path.join('.'));

test('an operator without roles has all of them, and one with an empty list or view alone may only look', () => {
  expect(read().data?.operators[0]?.roles).toEqual(['view', 'operate', 'approve', 'administer']);
  for (const roles of [[], ['view']])
    expect(read({ operators: [{ ...operators[0], roles }] }).data?.operators[0]?.roles).toEqual(
      roles,
    );
});

test.each<[object, string]>([
  [{ operators: [] }, 'operators'],
  [{ operators: [{ ...operators[0], roles: ['root'] }] }, 'operators.0.roles.0'],
  [{ fourEyes: ['look'] }, 'fourEyes.0'],
  [{ keepRecords: 999 }, 'keepRecords'],
  [{ oidc: { ...oidc, roles: { ops: ['root'] } } }, 'oidc.roles.ops.0'],
  [{ oidc: { ...oidc, clientId: '' } }, 'oidc.clientId'],
])('%j is refused at its own place', (more, place) => expect(faults(more)).toEqual([place]));

test('a key that is not known is refused', () => {
  expect(read({ password: 'x' }).success).toBe(false);
});

test.each([
  ['https://login.example', true],
  ['http://127.0.0.1:8080/realm', true],
  ['http://localhost:8080', true],
  ['http://login.example', false],
  ['ftp://127.0.0.1', false],
  ['login.example', false],
])('of the issuer %s it is %s that a login there is protected', (issuer, isTaken) => {
  expect(read({ oidc: { ...oidc, issuer } }).success).toBe(isTaken);
});
