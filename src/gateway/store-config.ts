/** The section `store` of the configuration: where the database is that has the data of several machines. */
import { z } from 'zod';
import { file, name } from './config-keys.ts';

const form = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/;

/** Undefined if the text is not HOST:PORT; an IPv6 address has brackets. */
export function hostAndPortOf(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = form.exec(text) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

export const hostAndPort = z
  .string()
  .refine((text) => hostAndPortOf(text) !== undefined, 'not HOST:PORT')
  .meta({ title: 'HOST:PORT' });

/** PostgreSQL folds and cuts other names. */
const identifier = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_]{0,62}$/,
    'not a name of PostgreSQL: lowercase letters, digits, underscore',
  );

export const store = z.strictObject({
  postgres: z
    .strictObject({
      hosts: z
        .array(hostAndPort)
        .min(1)
        .max(20)
        .meta({
          description:
            'All servers of the database, in any order. The bridge uses the one that is the primary, and finds the next primary after a failover.',
          examples: [['db1.example:5432', 'db2.example:5432']],
        }),
      database: identifier.default('causeway').meta({
        title: 'name',
        description: 'The database that `causeway store migrate` has prepared.',
        examples: ['causeway'],
      }),
      user: identifier.default('causeway').meta({
        title: 'name',
        description: 'The role of the bridge in the database. It owns no table.',
        examples: ['causeway'],
      }),
      passwordFile: file.optional().meta({
        description: 'The password of that role; other users must not be able to read the file.',
        examples: ['secrets/database.password'],
      }),
      tls: z
        .strictObject({
          caFile: file.meta({
            description: 'The authorities that may have signed the certificates of the servers.',
            examples: ['tls/database-ca.pem'],
          }),
          certFile: file.optional().meta({
            description: 'The certificate that the bridge presents, in PEM.',
            examples: ['tls/bridge.pem'],
          }),
          keyFile: file.optional().meta({
            description:
              'The private key of that certificate; other users must not be able to read it.',
            examples: ['tls/bridge.key'],
          }),
        })
        .optional()
        .describe('TLS to the servers; without it the connections are cleartext.'),
      shard: name.optional().meta({
        description:
          'The name under which this bridge keeps its data; several bridges with different names share a database. If absent, `gateway`, or `relay` for a process that only relays.',
        examples: ['desk-1'],
      }),
    })
    .describe('A PostgreSQL database, version 14 or later, best with a synchronous standby.'),
});
