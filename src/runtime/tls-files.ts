/** Certificates and keys from files, checked before anything uses them, and the words for a handshake that failed. */
import { X509Certificate } from 'node:crypto';
import {
  createSecureContext,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from 'node:tls';
import { FileFaults } from './yaml.ts';

type Pem = Omit<SecureContextOptions, 'ca'> & { readonly ca?: string | Buffer | undefined };

/**
 * Throws if they cannot be used. Node accepts a CA that is not a certificate, and then refuses every peer; it treats an
 * empty key as an absent one.
 */
export function usableContext(pem: Pem): SecureContext {
  if (pem.key === '') throw new Error('the private key is empty');
  const context = createSecureContext(pem);
  if (pem.ca === undefined) return context;
  try {
    new X509Certificate(pem.ca);
  } catch (error) {
    throw new Error('the authority is not a PEM certificate', { cause: error });
  }
  return context;
}

/** Reports certificates that cannot be used with their section of the configuration and their files. */
export function usableFiles<T>(section: string, files: object | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const names = Object.values(files ?? {}).join(', ');
    throw new FileFaults(`${section} (${names}) cannot be used: ${(error as Error).message}`);
  }
}

/**
 * Describes a failed handshake in words. The message of an OpenSSL error contains memory addresses and file names, and
 * Node's code for a refused certificate is in capitals.
 */
export function handshakeFault(
  error: Error & { readonly reason?: string },
  { authorizationError }: Pick<TLSSocket, 'authorizationError'>,
): string {
  // If a certificate is not accepted, the error itself only reports that the connection ended.
  const code: unknown = authorizationError ?? undefined;
  if (code === undefined) return error.reason ?? error.message;
  return `the certificate is refused: ${String(code).replaceAll('_', ' ').toLowerCase()}`;
}
