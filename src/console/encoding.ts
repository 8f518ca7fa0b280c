/**
 * Responses for slow connections: compressed if the browser accepts it, on a pool thread instead of the orders' thread.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const packed = promisify(gzip);
/** Bodies that are served repeatedly are compressed once. */
const packedBodies = new WeakMap<Buffer, Promise<Buffer>>();
/** A response that fits into one packet is not compressed. Secrets are in such responses, so they never are. */
const leastBytes = 1_400;

export async function encoded(body: string | Buffer, type: string, accepted: string | undefined) {
  const isText = /^(text\/|application\/json|image\/svg)/.test(type);
  if (!isText) return { body, headers: {} };
  const headers = { vary: 'accept-encoding' };
  const isTaken = /(^|[\s,])gzip\s*(,|;(?!\s*q=0(\.0*)?\s*(,|$))|$)/.test(accepted ?? '');
  if (!isTaken || Buffer.byteLength(body) < leastBytes) return { body, headers };
  return {
    body: await packedOnce(body),
    headers: { ...headers, 'content-encoding': 'gzip' },
  };
}

function packedOnce(body: string | Buffer): Promise<Buffer> {
  if (typeof body === 'string') return packed(body, { level: 6 });
  const known = packedBodies.get(body) ?? packed(body, { level: 6 });
  packedBodies.set(body, known);
  return known;
}
