/** Certification of a server over TLS, which is a bridge in a process of its own. */
import { expect, test } from 'vitest';
import { calling } from '../../src/certify/port.ts';
import { readTls } from '../../src/certify/test-tls.ts';
import { openCertifyBridge } from '../../src/cli/certify/bridge.ts';
import {
  caFile,
  credentials,
  host,
  interviewOf,
  names,
  outcomes,
  pairs,
  passed,
} from './secure-counterparty.ts';

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
