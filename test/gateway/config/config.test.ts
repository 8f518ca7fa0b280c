import { describe, expect, test } from 'vitest';
import {
  configJsonSchema,
  configSchema,
  defaultProfile,
} from '../../../src/gateway/config/config.ts';
import { durabilityOf } from '../../../src/gateway/data/shard-store.ts';
import { parseYaml } from '../../../src/runtime/yaml.ts';

const good = `
environment: local
dataDir: data
venue:
  profile: venue.yaml
signer: { mode: process, socket: signer.sock }
accounts:
  - name: desk-a
    account: "0x1111111111111111111111111111111111111111"
    apiKeyFile: key
    apiSecretFile: secret
    passphraseFile: passphrase
fix:
  listen: { port: 0 }
users:
  - name: alice
    secretHashFile: alice.hash
sessions:
  - senderCompId: ALPHA
    targetCompId: CAUSEWAY
    role: order-entry
    users: [alice]
    accounts: [desk-a]
`;

function faultsOf(text: string): readonly string[] {
  const checked = parseYaml(text, 'gateway.yaml', configSchema);
  return checked.kind === 'faults' ? checked.faults : [];
}

test('a configuration without optional keys is complete with its defaults', () => {
  const checked = parseYaml(good, 'gateway.yaml', configSchema);
  if (checked.kind === 'faults') throw new Error(checked.faults.join());
  expect(checked.value.fix.listen.host).toBe('127.0.0.1');
  expect(checked.value.signer?.mode).toBe('process');
  expect(durabilityOf(checked.value)).toBe('power');
  expect(checked.value.sessions[0]?.cancelOnDisconnect).toEqual({ when: 'off', graceMs: 0 });
  expect(defaultProfile).toMatchObject({ pending: 'full', iocRemainder: 'canceled' });
});

describe('a wrong configuration is refused with the place, the key and the reason:', () => {
  test.each([
    [
      'a misspelt key, on its own line and with the right one',
      ['environment: local', 'enviroment: local'],
      /gateway\.yaml:2:1 enviroment: unknown key\. Did you mean environment\?/,
    ],
    [
      'a misspelt key of one kind of session',
      ['    targetCompId', '    targetCompID'],
      /gateway\.yaml:\d+:5 sessions\[0\]\.targetCompID: unknown key\. Did you mean targetCompId\?/,
    ],
    [
      'a signer in a thread, which there was once',
      ['{ mode: process', '{ mode: thread'],
      /gateway\.yaml:6:17 signer\.mode: mode must be inline \(.+\), process \(.+\) or remote \(.+\); thread was removed/,
    ],
    [
      'an amount without quotes',
      ['[desk-a]', '[desk-a]\n    limits: { maxOrderQty: 1500.250 }'],
      /maxOrderQty: must be text, so put it in quotes: '1500\.250'/,
    ],
    ['an unknown environment', ['local', 'staging'], /gateway\.yaml:2:14 environment: /],
    [
      'R64: an older key of several addresses',
      ['venue:', 'venue:\n  restUrl: http://x'],
      /restUrl/,
    ],
    ['an unknown user', ['[alice]', '[bob]'], /sessions\[0\]\.users\[0\]: no user "bob"/],
    ['an unknown account', ['[desk-a]', '[desk-b]'], /no account "desk-b" in accounts/],
    ['a session without account', ['[desk-a]', '[]'], /needs at least one account/],
    ['a user without secret', ['    secretHashFile: alice.hash', ''], /needs secretHashFile/],
    ['an account twice', ['[desk-a]', '[desk-a, desk-a]'], /accounts\[1\]: duplicate "desk-a"/],
    ['an account in capitals', ['0x1111', '0xABCD'], /accounts\[0\]\.account: not an account/],
    [
      'a limit as a float',
      ['role: order', 'limits: { maxOrderQty: 1.5 }\n    role: order'],
      /maxOrderQty/,
    ],
    ['a port beyond the range', ['port: 0', 'port: 70000'], /fix\.listen\.port/],
  ])('%s', (_, [from, to], expected) => {
    const faults = faultsOf(good.replace(from as string, to as string));
    expect(faults.join('\n')).toMatch(expected as RegExp);
    expect(faults.every((fault) => /^gateway\.yaml:\d+:\d+ /.test(fault))).toBe(true);
  });
});

test('two sessions of the same SenderCompID are refused, whatever they speak', () => {
  const session = good.slice(good.indexOf('  - senderCompId'));
  expect(faultsOf(good + session).join()).toContain('duplicate senderCompId "ALPHA"');
  const other = session.replace('    targetCompId: CAUSEWAY\n', '    protocol: fixp\n');
  expect(faultsOf(good + other).join()).toContain('duplicate senderCompId "ALPHA"');
});

test.each([
  ['fixp', 'ALPHA/B', true],
  ['fixp', 'ALPHA-B', false],
  ['fixp', 'ALPHAB', false],
  ['fix', 'ALPHA//B', true],
  ['fix', 'ALPHA/B', false],
])(
  'a session whose orders could be taken for those of another is refused: %s %s',
  (protocol, other, isRefused) => {
    const of = (senderCompId: string, user: string) =>
      good
        .slice(good.indexOf('  - senderCompId'))
        .replace('ALPHA', senderCompId)
        .replace('[alice]', `[${user}]`)
        .replace(
          '    targetCompId: CAUSEWAY\n',
          protocol === 'fix' ? '$&' : '    protocol: fixp\n',
        );
    const fixp = 'fixp: { listen: { port: 0 } }\nsessions:';
    const both = good.slice(0, good.indexOf('  - senderCompId')).replace('sessions:', fixp);
    const faults = faultsOf(both + of('ALPHA', 'alice') + of(other, 'bob'));
    const expected = /senderCompId: orders of this session could be taken for orders of "ALPHA"/;
    expect(faults.some((fault) => expected.test(fault))).toBe(isRefused);
  },
);

describe('a session for FIXP', () => {
  const fixp = (
    more: string,
    port = 'fixp:\n  listen: { port: 0 }\n',
  ) => `${port}${good}  - senderCompId: BINARY
    protocol: fixp
    role: order-entry
    users: [alice]
    accounts: [desk-a]
${more}`;

  test('is configured beside those for FIX, with the same keys', () => {
    expect(faultsOf(fixp('    cancelOnDisconnect: { when: abrupt, graceMs: 500 }\n'))).toEqual([]);
  });

  test('needs a port', () => {
    expect(faultsOf(fixp('', '')).join()).toMatch(
      /sessions\[1\]\.protocol: needs the section "fixp"/,
    );
  });

  test('needs none where the bridge connects out, which it does for drop copies alone', () => {
    const out = fixp('    connect: { host: clearer, port: 9001, username: bridge }\n', '');
    expect(faultsOf(out).join()).toMatch(
      /sessions\[1\]\.connect: only a session with the role drop-copy/,
    );
    const reader = 'protocol: fixp\n    role: drop-copy';
    expect(faultsOf(out.replace('protocol: fixp\n    role: order-entry', reader))).toEqual([]);
  });

  test('a reader over FIXP may see all that one over FIX may', () => {
    const copy = '{ openOrders: true, acknowledge: reader, requests: true, reports: false }';
    expect(faultsOf(fixp(`    copy: ${copy}\n`))).toEqual([]);
  });

  test('has no keys of FIX alone', () => {
    expect(faultsOf(fixp('    allowReset: true\n')).join()).toMatch(/allowReset/);
    expect(faultsOf(fixp('    targetCompId: CAUSEWAY\n')).join()).toMatch(/targetCompId/);
  });

  test('shares no user with another, because the user says whose session it is', () => {
    const second = fixp(
      '  - { senderCompId: TWO, protocol: fixp, role: market-data, users: [alice] }\n',
    );
    expect(faultsOf(second).join()).toMatch(/sessions\[2\]\.users\[0\]: .*alice/);
  });
});

test('the form of the file is published as JSON Schema', () => {
  expect(configJsonSchema()).toMatchObject({
    type: 'object',
    properties: { sessions: { type: 'array' } },
    additionalProperties: false,
  });
});

test('metrics are exported only from a console, because it keeps them', () => {
  const exporting = `${good}metricsExport: { url: "http://127.0.0.1:4318/v1/metrics" }\n`;
  expect(faultsOf(exporting)).toEqual([expect.stringMatching(/metricsExport.*"console"/)]);
});
