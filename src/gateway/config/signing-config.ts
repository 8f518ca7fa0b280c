/** The configuration keys for the signer (docs/decisions/0042-the-signer.md). */
import { z } from 'zod';
import { key } from '../../runtime/yaml-problem.ts';
import { hostAndPort } from '../../store/postgres/place-config.ts';
import { file, integer, text } from './config-keys.ts';

export const signer = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({
      mode: z
        .literal('process')
        .describe(
          'Where actions are signed: in a separate process on this machine (`process`) or another one (`remote`), or in the gateway (`inline`).',
        ),
      socket: key(file, 'The Unix socket on which the signer listens.', 'run/signer.sock'),
    }),
    z.strictObject({
      mode: z
        .literal('remote')
        .describe('The signer is on another machine and listens with `tls`.'),
      host: key(text.meta({ title: 'host' }), 'Where the signer listens.', '10.0.0.7'),
      port: key(integer(1, 65_535).meta({ unit: 'port' }), 'The port of the signer.', 9443),
      fallbacks: key(
        z.array(hostAndPort).max(10).default([]),
        'Further signers with the same ledger in PostgreSQL and the same name in their certificates. When the bridge loses one, it tries the next, in this order, and then the first again.',
        ['10.0.0.8:9443'],
      ),
      serverName: key(
        text.meta({ title: 'host name' }),
        "The name in the signer's certificate.",
        'signer.example',
      ),
      caFile: key(file, "The authority that issued the signer's certificate, PEM.", 'tls/ca.pem'),
      certFile: key(file, "The bridge's certificate for the signer, PEM.", 'tls/bridge.pem'),
      keyFile: key(
        file,
        'The key of the certificate; other users must not be able to read it.',
        'tls/bridge.key',
      ),
    }),
    z.strictObject({
      mode: z.literal('inline').describe('The gateway signs.'),
      configFile: key(file, "The [signer's configuration](#the-signers-file).", 'signer.yaml'),
    }),
  ],
  'mode must be inline (the bridge signs), process (causeway signer) or remote (causeway signer on another machine); thread was removed',
);
