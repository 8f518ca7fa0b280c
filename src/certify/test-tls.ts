/**
 * TLS of a certification, in both directions: the certificates that we present, those that we trust, and those that
 * must be refused.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Certificates that the counterparty must refuse, by the names that scenarios use. */
export const untrustedKinds = ['wrong', 'expired'] as const;
export type Untrusted = (typeof untrustedKinds)[number];

export interface TestTls {
  /** Our certificate, which is required as an acceptor and optional as an initiator. */
  readonly own?: KeyPair | undefined;
  /** The CA of the counterparty's certificate; if set, a client must present one. */
  readonly ca?: Buffer | undefined;
  readonly serverName?: string | undefined;
  readonly untrusted: Readonly<Partial<Record<Untrusted, KeyPair>>>;
}

const file = z.string().min(1).max(4_096);
const pair = z.strictObject({ certFile: file, keyFile: file });

/** The `tls` section of an interview; file names are relative to it. */
export const tlsShape = z.strictObject({
  own: pair.optional().describe('our certificate; needed where the counterparty connects to us'),
  caFile: file.optional().describe('who signed what the counterparty shows'),
  serverName: z.string().min(1).max(255).optional().describe('as an initiator: whom we call'),
  wrong: pair.optional().describe('a certificate that it must refuse, by a stranger'),
  expired: pair.optional().describe('one that it must refuse, because it has run out'),
});

export function readTls(
  { own, caFile, serverName, wrong, expired }: z.output<typeof tlsShape>,
  path: (file: string) => string,
): TestTls {
  const read = (pair: { certFile: string; keyFile: string } | undefined): KeyPair | undefined =>
    pair && { cert: readFileSync(path(pair.certFile)), key: readFileSync(path(pair.keyFile)) };
  const untrusted = { wrong: read(wrong), expired: read(expired) };
  return {
    own: read(own),
    ca: caFile === undefined ? undefined : readFileSync(path(caFile)),
    serverName,
    untrusted: Object.fromEntries(
      Object.entries(untrusted).filter(([, shown]) => shown !== undefined),
    ),
  };
}
