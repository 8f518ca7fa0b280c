/** The configuration keys for the address of a database, for the bridge's store and the signer's ledger. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readPrivateFile } from '../../runtime/private-file.ts';
import { key } from '../../runtime/yaml-problem.ts';
import type { DatabasePlace } from './connection.ts';

const form = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/;

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Returns undefined if the text is not HOST:PORT; an IPv6 address has brackets. */
export function hostAndPortOf(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = form.exec(text) ?? [];
  const [host, port] = [bracketed ?? plain, Number(digits)];
  return host === undefined || port > 65_535 ? undefined : { host, port };
}

export const hostAndPort = z
  .string()
  .refine((text) => hostAndPortOf(text) !== undefined, 'not HOST:PORT')
  .meta({ title: 'HOST:PORT' });

const file = z.string().min(1).max(4096).meta({ title: 'file' });
/** PostgreSQL changes the case of other names, and truncates long ones. */
const identifier = z
  .string()
  .regex(
    /^[a-z_][a-z0-9_]{0,62}$/,
    'not a name of PostgreSQL: lowercase letters, digits, underscore',
  );

/** `who` uses the database with that role and name; `command` has created the tables. */
export function placeKeys(who: string, name: string, command: string) {
  return {
    hosts: key(
      z.array(hostAndPort).min(1).max(20),
      `All servers of the database, in any order. The ${who} uses the one that is the primary, and finds the next primary after a failover.`,
      ['db1.example:5432', 'db2.example:5432'],
    ),
    database: key(
      identifier.default(name).meta({ title: 'name' }),
      `The database that \`${command}\` has prepared.`,
      name,
    ),
    user: key(
      identifier.default(name).meta({ title: 'name' }),
      `The role of the ${who} in the database. It owns no table.`,
      name,
    ),
    passwordFile: key(
      file.optional(),
      'The password of that role, read for each connection; other users must not be able to read the file.',
      'secrets/database.password',
    ),
    tls: z
      .strictObject({
        caFile: key(
          file,
          'The authorities that may have signed the certificates of the servers.',
          'tls/database-ca.pem',
        ),
        certFile: key(
          file.optional(),
          `The certificate that the ${who} presents, in PEM.`,
          `tls/${who}.pem`,
        ),
        keyFile: key(
          file.optional(),
          'The private key of that certificate; other users must not be able to read it.',
          `tls/${who}.key`,
        ),
      })
      .optional()
      .describe('TLS to the servers; without it the connections are cleartext.'),
  };
}

type PlaceKeys = z.output<z.ZodObject<ReturnType<typeof placeKeys>>>;

/** Throws if a file of the keys cannot be used. */
export function placeOf(
  { database, hosts, passwordFile, tls, user }: PlaceKeys,
  path: (file: string) => string,
): DatabasePlace {
  const secrets = () => ({
    password: passwordFile && secretIn(path(passwordFile)),
    tls: tls && {
      ca: readFileSync(path(tls.caFile), 'utf8'),
      cert: tls.certFile && readFileSync(path(tls.certFile), 'utf8'),
      key: tls.keyFile && secretIn(path(tls.keyFile)),
    },
  });
  secrets();
  return { database, user, hosts: hosts.flatMap((text) => hostAndPortOf(text) ?? []), secrets };
}

export function secretIn(file: string): string {
  return readPrivateFile(file).trim();
}

/** The first host that would be reached in clear text over a network. */
export function cleartextHost({ hosts, tls }: PlaceKeys): string | undefined {
  if (tls !== undefined) return undefined;
  return hosts.find((each) => !loopback.test(hostAndPortOf(each)?.host ?? ''));
}
