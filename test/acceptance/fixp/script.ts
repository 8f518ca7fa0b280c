/**
 * The scenarios of this folder, as text that reads like documentation:
 *
 *   ## P-01 Negotiate                     a scenario begins; lines without a colon are prose
 *   settings: {"maxGaps": 2}              differs from the session's defaults
 *   C: Establish KeepaliveInterval=5000   the client says; SessionId, Timestamp and Credentials are filled in
 *   S: EstablishmentAck NextSeqNo=1 …     the server must say exactly this, in this order
 *   S: closed                             … and close the connection
 *   S: nothing                            … and say nothing
 *   C: App BUY Template=2 Schema=901      an application message: its text, and what differs from the usual
 *   wait: 30s                             time passes
 *   app: hears 1 BUY                      what the application was told; app: sends X, app: alarm rate
 *   operator: stop                        what an operator does
 *
 * `C2:` and `S2:` are a second connection. A session id is a letter, `A` until a line names another. A server's SessionId
 * and RequestTimestamp must be those of the request and are written only where they are not; `*` is any value, and
 * Reason stands last.
 */
import {
  EstablishmentRejectCode,
  FlowType,
  NegotiationRejectCode,
  RetransmitRejectCode,
  TerminationCode,
} from '../../../src/fixp/generated/codes.ts';
import {
  readSessionMessage,
  type SessionMessage,
  schemaIdOf,
  templateIdOf,
  writeSessionMessage,
} from '../../../src/fixp/session-messages.ts';

export const application = { schema: 900, template: 1, cancel: 2 } as const;

const codes: Record<string, Record<string, number>> = {
  'NegotiationReject.Code': NegotiationRejectCode,
  'EstablishmentReject.Code': EstablishmentRejectCode,
  'RetransmitReject.Code': RetransmitRejectCode,
  'Terminate.Code': TerminationCode,
  'Negotiate.ClientFlow': FlowType,
  'NegotiationResponse.ServerFlow': FlowType,
};

export interface Line {
  readonly name: string;
  /** Of App the text. */
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

export function readLine(text: string): Line {
  const [, head = '', reason] = /^(.*?)(?: Reason=(.*))?$/.exec(text) ?? [];
  const [name = '', ...words] = head.split(' ').filter((word) => word !== '');
  const fields = new Map<string, string>();
  const plain: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 0) plain.push(word);
    else fields.set(word.slice(0, at), word.slice(at + 1));
  }
  if (reason !== undefined) fields.set('Reason', reason);
  return { name, text: plain.join(' '), fields };
}

/** What the client's lines leave out. */
export interface Filling {
  readonly sessionId: string;
  readonly timestamp: bigint;
  readonly credentials: Uint8Array;
}

/** `A` is a session id of its own; `null` the one that is none. */
export function sessionIdOf(letter: string): string {
  return letter === 'null' ? '0'.repeat(32) : Buffer.alloc(16, letter).toString('hex');
}

export function clientMessage({ name, text, fields }: Line, filling: Filling): Uint8Array {
  if (name === 'App') {
    const number = (field: string, usual: number) => Number(fields.get(field) ?? usual);
    return applicationMessage(
      text,
      number('Template', application.template),
      number('Schema', application.schema),
    );
  }
  const { sessionId, timestamp, credentials } = filling;
  const message: Record<string, unknown> = {
    name,
    ...defaults[name],
    ...(needs(name, 'sessionId') && { sessionId }),
    ...(needs(name, 'timestamp') && { timestamp }),
    ...(needs(name, 'credentials') && { credentials }),
  };
  for (const [field, value] of fields) {
    if (['SessionId', 'Timestamp', 'Credentials', 'Version'].includes(field)) continue;
    message[memberOf(field)] = fieldValue(name, field, value);
  }
  const bytes = writeSessionMessage(message as unknown as SessionMessage);
  const version = fields.get('Version');
  if (version !== undefined)
    Buffer.from(bytes.buffer, bytes.byteOffset).writeUInt16LE(Number(version), 6);
  return bytes;
}

function fieldValue(name: string, field: string, value: string): bigint | number | string {
  if (field === 'RequestTimestamp') return BigInt(value);
  const number = codes[`${name}.${field}`]?.[value] ?? Number(value);
  return Number.isNaN(number) ? value : number;
}

/** A message of an imaginary application: a header, no block, and text. */
export function applicationMessage(
  text: string,
  template: number = application.template,
  schema: number = application.schema,
): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(template, 2);
  header.writeUInt16LE(schema, 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

export function applicationText(message: Uint8Array): string {
  return Buffer.from(message.subarray(8)).toString();
}

/** What the server said, in the words of a line; undefined and empty fields are left out. */
export function said(message: Uint8Array): Line {
  const fields = new Map<string, string>();
  if (schemaIdOf(message) === application.schema) {
    const template = templateIdOf(message);
    if (template !== application.template) fields.set('Template', String(template));
    return { name: 'App', text: applicationText(message), fields };
  }
  const heard = readSessionMessage(message);
  if (heard.name === 'fault')
    throw new Error(`the server said what is no message: ${heard.reason}`);
  for (const [member, value] of Object.entries(heard)) {
    const isEmpty = value === undefined || (value instanceof Uint8Array && value.length === 0);
    if (member === 'name' || isEmpty || value === '') continue;
    const field = `${member[0]?.toUpperCase()}${member.slice(1)}`;
    const names = Object.entries(codes[`${heard.name}.${field}`] ?? {});
    fields.set(field, names.find(([, code]) => code === value)?.[0] ?? String(value));
  }
  return { name: heard.name, text: '', fields };
}

/** What differs, as text, or undefined. `implied` need not be written when it is so. */
export function difference(
  wanted: Line,
  got: Line,
  implied: ReadonlyMap<string, string>,
): string | undefined {
  const fields = new Map(got.fields);
  for (const [field, value] of implied) {
    if (!wanted.fields.has(field) && fields.get(field) === value) fields.delete(field);
  }
  const isSame =
    wanted.name === got.name &&
    wanted.text === got.text &&
    wanted.fields.size === fields.size &&
    [...wanted.fields].every(([field, value]) => {
      const found = fields.get(field);
      return found !== undefined && (value === '*' || value === found || isLetter(value, found));
    });
  return isSame ? undefined : `got ${textOf({ ...got, fields })}`;
}

export function textOf({ name, text, fields }: Line): string {
  const words = [...fields].map(([field, value]) => `${field}=${value}`);
  return [name, ...(text === '' ? [] : [text]), ...words].join(' ');
}

function isLetter(letter: string, sessionId: string): boolean {
  return sessionId.length === 32 && sessionIdOf(letter) === sessionId;
}

const defaults: Record<string, object> = {
  Negotiate: { clientFlow: FlowType.Idempotent },
  Establish: { keepaliveInterval: 10_000 },
  Terminate: { code: TerminationCode.Finished, reason: '' },
  RetransmitReject: { code: 0, reason: '', requestTimestamp: 0n },
  Retransmission: { requestTimestamp: 0n },
  NegotiationResponse: { credentials: Buffer.alloc(0) },
  EstablishmentReject: { reason: '' },
};
const withoutSessionId = ['Sequence', 'UnsequencedHeartbeat', 'Applied', 'NotApplied'];
const requests = ['Negotiate', 'Establish', 'RetransmitRequest'];

function needs(name: string, member: 'sessionId' | 'timestamp' | 'credentials'): boolean {
  if (member === 'sessionId') return !withoutSessionId.includes(name);
  if (member === 'timestamp') return requests.includes(name);
  return name === 'Negotiate' || name === 'Establish';
}

function memberOf(field: string): string {
  return `${field[0]?.toLowerCase()}${field.slice(1)}`;
}
