/** Certification over TLS: in both directions and on both protocols, with certificates that must be refused. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Certification } from '../../src/certify/certification.ts';
import { type Interview, InterviewError, parseInterview } from '../../src/certify/interview.ts';
import { startOwnClient } from '../../src/certify/own-client.ts';
import { startOwnFixpClient } from '../../src/certify/own-fixp-client.ts';
import { calling, listen, type TestPort } from '../../src/certify/port.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import { readTls } from '../../src/certify/test-tls.ts';
import { openCertifyBridge } from '../../src/cli/certify-bridge.ts';
import { Authority, type Identity } from '../transport/authority.ts';
import { catalogue } from './controls.ts';

const host = '127.0.0.1';
const names = { senderCompId: 'SECURE', targetCompId: 'CAUSEWAY' };
const credentials = { username: 'secure', password: 'of-the-test' };
const folder = mkdtempSync(join(tmpdir(), 'causeway-desk-tls-'));
const authority = new Authority();
const stranger = new Authority();
const client = authority.issue('client');
const pairs = {
  own: filed('own', authority.issue('localhost')),
  client: filed('client', client),
  wrong: filed('wrong', stranger.issue('localhost')),
  expired: filed('expired', authority.issue('localhost', 0)),
};
const caFile = join(folder, 'ca.crt');
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

function interviewOf({ direction, protocol }: Side, tls: object): Interview {
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

async function outcomes(
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

const passed = {
  fix: { 'S-01': 'passed', 'S-10': 'passed', 'S-40': 'passed', 'S-41': 'passed' },
  fixp: { 'P-01': 'passed', 'P-17': 'passed', 'S-41f': 'passed' },
};

function startClient(
  protocol: Interview['protocol'],
  port: number,
  tls: object,
): Promise<Hand & object> {
  return protocol === 'fixp'
    ? startOwnFixpClient({ host, port, credentials, keepaliveS: 1, framing: 'little', tls })
    : startOwnClient({ ...names, host, port, heartBtIntS: 5, credentials, tls });
}

test.concurrent.each(['fix', 'fixp'] as const)(
  'a client of %s is certified over mutual TLS, and must not take a certificate of a stranger or an old one',
  async (protocol) => {
    const tls = { own: pairs.own, caFile, wrong: pairs.wrong, expired: pairs.expired };
    const interview = interviewOf({ direction: 'acceptor', protocol }, tls);
    const port = await listen(
      host,
      0,
      readTls(tls, (file) => file),
    );
    const trusting = { ca: authority.cert, servername: 'localhost', ...client };
    const hand = await startClient(protocol, port.port, trusting);
    expect(await outcomes(interview, port, hand)).toEqual(passed[protocol]);
  },
  60_000,
);

test.concurrent.each(['fix', 'fixp'] as const)(
  'a client of %s that takes any certificate fails S-41',
  async (protocol) => {
    const tls = { own: pairs.own, wrong: pairs.wrong, expired: pairs.expired };
    const interview = interviewOf({ direction: 'acceptor', protocol }, tls);
    const port = await listen(
      host,
      0,
      readTls(tls, (file) => file),
    );
    const careless = { servername: 'localhost', rejectUnauthorized: false };
    const hand = await startClient(protocol, port.port, careless);
    const id = protocol === 'fixp' ? 'S-41f' : 'S-41';
    expect(await outcomes(interview, port, hand)).toEqual({
      ...passed[protocol],
      [id]: 'failed wrong certificate: wanted refused, got taken',
    });
  },
  60_000,
);

test.concurrent.each(['fix', 'fixp'] as const)(
  'a server of %s is certified over mutual TLS, and must not take a client of a stranger or an old one',
  async (protocol) => {
    const { certFile, keyFile } = pairs.own;
    const bridge = await openCertifyBridge({
      ...names,
      credentials,
      protocol,
      framing: 'little',
      role: 'order-entry',
      tls: { certFile, keyFile, clientCaFile: caFile },
    });
    try {
      const own = pairs.client;
      const { wrong, expired } = pairs;
      const tls = { own, caFile, serverName: 'localhost', wrong, expired };
      const interview = interviewOf({ direction: 'initiator', protocol }, tls);
      const port = (protocol === 'fixp' ? bridge.fixpPort : bridge.port) ?? 0;
      const session = calling({ host, port, tls: readTls(tls, (file) => file) });
      expect(await outcomes(interview, session)).toEqual(passed[protocol]);
    } finally {
      await bridge.stop();
    }
  },
  60_000,
);

test('where the interview names nothing to refuse, nothing is judged', async () => {
  const tls = { own: pairs.own };
  const interview = interviewOf({ direction: 'acceptor', protocol: 'fix' }, tls);
  const port = await listen(
    host,
    0,
    readTls(tls, (file) => file),
  );
  const hand = await startClient('fix', port.port, { ca: authority.cert, servername: 'localhost' });
  const found = await outcomes(interview, port, hand);
  expect(found['S-41']).toBe('inconclusive nobody was shown a certificate: wrong');
});

test('an acceptor over TLS without a certificate is refused by name', () => {
  expect(() => interviewOf({ direction: 'acceptor', protocol: 'fix' }, {})).toThrow(InterviewError);
});
