/** The configuration keys for the signer (docs/decisions/0042-the-signer.md). */
import { z } from 'zod';
import { hostAndPort } from '../store/postgres/place-config.ts';
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
      socket: file.meta({
        description: 'The Unix socket on which the signer listens.',
        examples: ['run/signer.sock'],
      }),
    }),
    z.strictObject({
      mode: z
        .literal('remote')
        .describe('The signer is on another machine and listens with `tls`.'),
      host: text.meta({
        title: 'host',
        description: 'Where the signer listens.',
        examples: ['10.0.0.7'],
      }),
      port: integer(1, 65_535).meta({
        unit: 'port',
        description: 'The port of the signer.',
        examples: [9443],
      }),
      fallbacks: z
        .array(hostAndPort)
        .max(10)
        .default([])
        .meta({
          description:
            'Further signers with the same ledger in PostgreSQL and the same name in their certificates. When the bridge loses one, it tries the next, in this order, and then the first again.',
          examples: [['10.0.0.8:9443']],
        }),
      serverName: text.meta({
        title: 'host name',
        description: "The name in the signer's certificate.",
        examples: ['signer.example'],
      }),
      caFile: file.meta({
        description: "The authority that issued the signer's certificate, PEM.",
        examples: ['tls/ca.pem'],
      }),
      certFile: file.meta({
        description: "The bridge's certificate for the signer, PEM.",
        examples: ['tls/bridge.pem'],
      }),
      keyFile: file.meta({
        description: 'The key of the certificate; other users must not be able to read it.',
        examples: ['tls/bridge.key'],
      }),
    }),
    z.strictObject({
      mode: z.literal('inline').describe('The gateway signs.'),
      configFile: file.meta({
        description: "The [signer's configuration](#the-signers-file).",
        examples: ['signer.yaml'],
      }),
    }),
  ],
  'mode must be inline (the bridge signs), process (causeway signer) or remote (causeway signer on another machine); thread was removed',
);
