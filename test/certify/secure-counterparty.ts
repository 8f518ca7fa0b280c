/** Counterparties over TLS for the tests of certification, with certificates that must be refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { Certification } from '../../src/certify/certification.ts';
import { type Interview, parseInterview } from '../../src/certify/interview.ts';
import type { TestPort } from '../../src/certify/port.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { catalogue } from './controls.ts';

export const host = '127.0.0.1';
export const names = { senderCompId: 'SECURE', targetCompId: 'CAUSEWAY' };
export const credentials = { username: 'secure', password: 'of-the-test' };
const folder = mkdtempSync(join(tmpdir(), 'causeway-desk-tls-'));
export const authority = new Authority();
const stranger = new Authority();
export const client = authority.issue('client');
export const pairs = {
  own: filed('own', authority.issue('localhost')),
  client: filed('client', client),
  wrong: filed('wrong', stranger.issue('localhost')),
  expired: filed('expired', authority.issue('localhost', 0)),
};
export const caFile = join(folder, 'ca.crt');
writeFileSync(caFile, authority.cert);

afterAll(() => {
  authority.remove();
  stranger.remove();
  rmSync(folder, { recursive: true });
});

function filed(name: string, { cert, key }: Identity) {
  const pair = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(pair.certFile, cert);
  writeFileSync(pair.keyFile, key, { mode: 0o600 });
  return pair;
}

interface Side {
  readonly direction: Interview['direction'];
  readonly protocol: Interview['protocol'];
}

export function interviewOf({ direction, protocol }: Side, tls: object): Interview {
  const isServer = direction === 'initiator';
  return parseInterview(
    JSON.stringify({
      counterparty: { name: 'Secure', software: 'ours', version: '0' },
      direction,
      protocol,
      framing: 'little',
      session: {
        senderCompId: isServer ? names.targetCompId : names.senderCompId,
        targetCompId: isServer ? names.senderCompId : names.targetCompId,
        heartBtInt: protocol === 'fixp' ? 1 : 5,
      },
      address: { port: 0 },
      tls,
      credentials: { username: credentials.username, passwordFile: 'none' },
      features: ['tls', 'mutualTls', 'keepsNumbers'],
      patience: { connectS: 20, answerS: 5 },
    }),
    'an interview over TLS',
  );
}

export async function outcomes(
  interview: Interview,
  port: TestPort,
  hand?: Hand,
): Promise<Readonly<Record<string, string>>> {
  const certification = new Certification({
    catalogue,
    interview,
    port,
    password: credentials.password,
    hand,
    isAttended: false,
    versions: { causeway: 'test', dictionaryHash: 'test' },
  });
  try {
    const isFixp = interview.protocol === 'fixp';
    const { scenarios } = await certification.run(
      isFixp ? ['S-41f', 'P-01', 'P-17'] : ['S-41', 'S-01', 'S-10', 'S-40'],
    );
    const played = scenarios.filter(({ attempts }) => attempts.length > 0);
    return Object.fromEntries(
      played.map(({ id, outcome, reason }) => [id, `${outcome} ${reason}`.trim()]),
    );
  } finally {
    await certification.close();
  }
}

export const passed = {
  fix: { 'S-01': 'passed', 'S-10': 'passed', 'S-40': 'passed', 'S-41': 'passed' },
  fixp: { 'P-01': 'passed', 'P-17': 'passed', 'S-41f': 'passed' },
};
