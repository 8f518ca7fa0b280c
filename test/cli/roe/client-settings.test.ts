import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clientSettings, type Endpoint } from '../../../src/cli/roe/client-settings.ts';
import type { FixSessionConfig } from '../../../src/gateway/config/config.ts';
import { fixEngineKeys } from '../../../src/gateway/config/engine-config.ts';

const session = {
  protocol: 'fix',
  senderCompId: 'ALPHA',
  targetCompId: 'CAUSEWAY',
  users: ['alpha'],
  allowReset: true,
  engine: fixEngineKeys.parse({}),
} as unknown as FixSessionConfig;
const plain: Endpoint = {
  host: 'fix.example.com',
  port: 443,
  isTls: false,
  asksCertificate: false,
};
const mutual: Endpoint = { ...plain, isTls: true, asksCertificate: true };
const names = ['quickfix-cpp.cfg', 'quickfix-j.cfg', 'quickfix-n.cfg'] as const;

const settingsOf = (text = '') =>
  new Map(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split('=', 2) as [string, string]),
  );

describe.each(names)('%s', (name) => {
  test('leads to the bridge, with comments on lines of their own', () => {
    const text = clientSettings(session, plain)[name] ?? '';
    const settings = settingsOf(text);
    expect(settings.get('SocketConnectHost')).toBe('fix.example.com');
    expect(settings.get('SocketConnectPort')).toBe('443');
    expect(settings.get('SenderCompID')).toBe('ALPHA');
    expect(settings.get('TargetCompID')).toBe('CAUSEWAY');
    for (const line of text.split('\n')) expect(line).not.toMatch(/^[^#].*#/);
  });

  test('beats at a rhythm that the session takes', () => {
    const engine = fixEngineKeys.parse({ minHeartBtIntS: 5, maxHeartBtIntS: 10 });
    const text = clientSettings({ ...session, engine }, plain)[name];
    expect(settingsOf(text).get('HeartBtInt')).toBe('10');
  });

  test('listens where the bridge is the one who connects', () => {
    const called = { ...session, connect: { host: 'h', port: 9001, username: 'bridge' } };
    const settings = settingsOf(clientSettings(called, { ...plain, port: 9001 })[name]);
    expect(settings.get('ConnectionType')).toBe('acceptor');
    expect(settings.get('SocketAcceptPort')).toBe('9001');
    expect(settings.has('SocketConnectHost')).toBe(false);
  });
});

test.each([
  ['quickfix-cpp.cfg', ['CertificateVerifyLevel', 'ClientCertificateFile'], 'SSLEnable'],
  ['quickfix-j.cfg', ['SocketUseSSL', 'SocketKeyStore'], 'SSLEnable'],
  ['quickfix-n.cfg', ['SSLEnable', 'SSLServerName', 'SSLCertificate'], 'SocketUseSSL'],
] as const)('%s says TLS in the words of its engine', (name, keys, foreign) => {
  const settings = settingsOf(clientSettings(session, mutual)[name]);
  for (const key of keys) expect(settings.has(key), key).toBe(true);
  expect(settings.has(foreign)).toBe(false);
  const oneSided = settingsOf(clientSettings(session, { ...mutual, asksCertificate: false })[name]);
  expect(oneSided.has(keys.at(-1) ?? '')).toBe(false);
});

const header = '/usr/include/quickfix/SessionSettings.h';

test.runIf(existsSync(header))('QuickFIX C++ knows every key of its file', () => {
  const known = readFileSync(header, 'utf8');
  for (const key of settingsOf(clientSettings(session, mutual)['quickfix-cpp.cfg']).keys()) {
    expect(known).toContain(`"${key}"`);
  }
});
