/** Certification over TLS on both protocols, with certificates that a client must refuse; servers are in the slow tests. */
import { expect, test } from 'vitest';
import { type Interview, InterviewError } from '../../src/certify/interview.ts';
import { startOwnClient } from '../../src/certify/own-client.ts';
import { startOwnFixpClient } from '../../src/certify/own-fixp-client.ts';
import { listen } from '../../src/certify/port.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import { readTls } from '../../src/certify/test-tls.ts';
import {
  authority,
  caFile,
  client,
  credentials,
  host,
  interviewOf,
  names,
  outcomes,
  pairs,
  passed,
} from './secure-counterparty.ts';

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
  expect(found['S-41']).toBe('inconclusive no connection on which to present a certificate: wrong');
});

test('an acceptor over TLS without a certificate is refused by name', () => {
  expect(() => interviewOf({ direction: 'acceptor', protocol: 'fix' }, {})).toThrow(InterviewError);
});
