/**
 * A request to a key service in AWS's protocol, signed with Signature Version 4, and the credentials for it. The
 * service has its own SDK; of it, two calls would be used (docs/DEPENDENCIES.md).
 */
import { createHash, createHmac } from 'node:crypto';
import { readPrivateFile } from '../runtime/private-file.ts';

export interface Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  /** For temporary credentials. */
  readonly sessionToken: string | undefined;
}

export interface SignedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const service = 'kms';
const longestFile = 16_384;

/** The section `default` of a file as AWS's own tools write it. */
export function readCredentials(file: string): Credentials {
  const parts = readPrivateFile(file, longestFile).split(/^\s*\[([^\]\n]*)\]/m);
  // Without such a section it is what comes before the first one.
  const section = parts[parts.indexOf('default', 1) + 1] ?? '';
  const named = (name: string) => new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)`, 'm').exec(section)?.[1];
  const [accessKey, secretKey] = ['aws_access_key_id', 'aws_secret_access_key'].map((name) => {
    const value = named(name);
    if (value === undefined) throw new Error(`${file} has no ${name}`);
    return value;
  }) as [string, string];
  return { accessKey, secretKey, sessionToken: named('aws_session_token') };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export function signedCall(
  operation: string,
  payload: object,
  { host, region }: { readonly host: string; readonly region: string },
  { accessKey, secretKey, sessionToken }: Credentials,
  wallMs: number,
): SignedCall {
  const body = JSON.stringify(payload);
  const time = new Date(wallMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.1',
    host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-amz-target': `TrentService.${operation}`,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((outer, part) => hmac(outer, part), `AWS4${secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `${accessKey}/${scope.join('/')}`;
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { headers, body };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
