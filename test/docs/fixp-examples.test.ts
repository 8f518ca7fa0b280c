/** docs/FIXP-EXAMPLES.md is made by the code of the bridge: `npx vitest run test/docs -u` rewrites it. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoFixpSessions } from '../../src/cli/demo-files.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { fixpLockout, maxFirstMessageBytes } from '../../src/fixp/fixp-directory.ts';
import { appliedWaitMs } from '../../src/fixp/recoverable-flow.ts';
import { fixpSettings, maxSentBytes } from '../../src/fixp/settings.ts';
import { maxMessageBytes } from '../../src/gateway/clients/fixp-client.ts';
import { maxNameBytes } from '../../src/mapping/sbe/request-values.ts';
import { decodeMessage, type Piece } from '../../src/sbe/generic-decoder.ts';
import type { Json } from '../../src/sbe/json.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { Conversation, type Said, signer } from './fixp-conversation.ts';

const root = join(import.meta.dirname, '../..');
const schemaOf = (file: string) =>
  readSchema(readFileSync(join(root, 'dictionaries', file), 'utf8'));
const [fixp, orders] = [schemaOf('fixp.xml'), schemaOf('orders.xml')];
const framingHeaderSize = 6;

/** What each message is for, by its name. */
const purposes: Readonly<Record<string, string>> = {
  Negotiate: 'A new session id, authenticated by the signature above.',
  NegotiationResponse: 'The session id is accepted. The flow of the bridge is recoverable.',
  Establish: 'The session is established, here with another signature, which is not required.',
  EstablishmentAck: 'Both flows start at sequence number 1.',
  NewOrderSingle: "A limit order to buy 0.01 BTC at 50,000 USDC: number 1 of the client's flow.",
  ExecutionReportPending: "The order is in flight to the venue: number 1 of the bridge's flow.",
  ExecutionReportNew: 'The venue has the order.',
  ExecutionReportTrade: 'Half of it is filled.',
  RetransmitRequest: 'The client requests number 2 again.',
  Retransmission: 'One message is retransmitted, number 2.',
  Sequence: "The bridge's next message is number 4.",
  Terminate: 'The second Terminate answers the first one. The session can be established again.',
};

const conversation = new Conversation(fixp, orders);
await conversation.play();

function limits(): string {
  const settings = fixpSettings({ role: 'acceptor', principal: 'P' });
  const seconds = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`);
  const count = (number: number) => number.toLocaleString('en-US');
  const rows = [
    ['The first message of a connection', `${count(maxFirstMessageBytes)} bytes`],
    ['A message to the bridge', `${count(maxMessageBytes)} bytes`],
    ['A message from the bridge', `${count(maxSentBytes)} bytes`],
    [
      'A new id in a request, such as ClOrdID',
      `36 characters; an existing id, Account, Symbol: ${maxNameBytes}`,
    ],
    ['Time from the connection to the last Establish', seconds(settings.establishWaitMs)],
    [
      'KeepaliveInterval that you may choose',
      `${seconds(settings.minKeepaliveMs)} to ${seconds(settings.maxKeepaliveMs)}`,
    ],
    ['Our KeepaliveInterval', seconds(settings.keepaliveMs)],
    ['Your silence before we Terminate', 'two of your intervals; after one we send Sequence'],
    [
      'Timestamp of a request, compared with our clock',
      `${seconds(settings.timestampToleranceMs)} either way`,
    ],
    ['Response to our Terminate', seconds(settings.terminateWaitMs)],
    [
      'Applied, if there is no other response',
      `with the next message, or after ${appliedWaitMs} ms`,
    ],
    ['Count of a RetransmitRequest', count(settings.maxRequestCount)],
    [
      'Response to a RetransmitRequest',
      `${count(settings.maxRetransmitCount)} messages or about ${settings.maxRetransmitBytes / 2 ** 20} MiB`,
    ],
    ['RetransmitRequests at a time', 'one in progress, and one queued'],
    [
      'Consecutive futile RetransmitRequests',
      `${settings.maxFutileRequests}, the last of which ends the session`,
    ],
    [
      'Gaps in one of your flows; at the next one the session ends with 202, and you negotiate a new one',
      count(settings.maxGaps),
    ],
    ['The highest sequence number of a flow', count(settings.maxSeqNo)],
    ['Messages stored for you while you are disconnected', count(settings.maxHeldMessages)],
    [
      'Failed logons of one user from one address',
      `${fixpLockout.offences} in ${seconds(fixpLockout.windowMs)} block the user there for ${seconds(fixpLockout.blockMs)}`,
    ],
    ['Consecutive rate-limit rejects', count(settings.maxRateRefusals)],
  ];
  return ['| What | Limit |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join(
    '\n',
  );
}

const signedText = ['Negotiate', signer.sessionId, String(conversation.firstTimestampNs)];
const signature = createHmac('sha256', signer.secret)
  .update(signedText.join('\x01'))
  .digest('base64');

const credentials = Buffer.from(writeCredentials({ username: signer.username, signature }))
  .toString()
  .replaceAll('\x01', '<SOH>');

function vector(): string {
  return `\`\`\`text
secret     ${signer.secret}
user       ${signer.username}
request    ${signedText[0]}
SessionId  ${signedText[1]}
Timestamp  ${signedText[2]}
signature  ${signature}
\`\`\`

\`\`\`
printf '${signedText.join('\\001')}' \\
  | openssl dgst -sha256 -hmac ${signer.secret} -binary | base64
\`\`\`

The Credentials of this Negotiate are \`${credentials}\`; the two fields may come in either order.`;
}

function textOf(value: Json): string {
  if (Array.isArray(value)) {
    const isOctets = value.length > 1 && value.every((one) => typeof one === 'number');
    if (isOctets) return Buffer.from(value as number[]).toString('hex');
    return `[${value.map(textOf).join(' ')}]`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return `(${Object.entries(value)
    .flatMap(([name, one]) => pairOf(name, one))
    .join(' ')})`;
}

/** What is null, Unset, empty or zero octets says nothing. */
function pairOf(name: string, value: Json): string[] {
  const isEmpty = Array.isArray(value) && value.every((one) => one === 0);
  if (value === null || value === '' || value === 'Unset' || isEmpty) return [];
  if (name === 'Credentials') {
    const text = Buffer.from(String(value), 'hex').toString().replaceAll('\x01', '<SOH>');
    return [`${name}=${text}`];
  }
  return [`${name}=${textOf(value)}`];
}

function step({ by, bytes }: Said, index: number): string {
  const schema = bytes.readUInt16LE(framingHeaderSize + 4) === fixp.id ? fixp : orders;
  const pieces: Piece[] = [];
  const decoded = decodeMessage(schema, bytes, framingHeaderSize, bytes.length, pieces);
  if (typeof decoded === 'string') throw new Error(decoded);
  expect(decoded.outOfRange).toEqual([]);
  // Every byte is in the table, and none twice.
  let covered = framingHeaderSize;
  for (const { offset, bytes: part } of pieces) {
    expect(offset).toBe(covered);
    covered += part.length;
  }
  expect(covered).toBe(bytes.length);
  return [
    `### ${index + 1}. ${by === 'client' ? 'Client' : 'Bridge'}: ${decoded.message}`,
    '',
    purposes[decoded.message] ?? '',
    '',
    '| Offset | Bytes | Field | Value |',
    '|---|---|---|---|',
    `| 0 | \`${bytes.toString('hex', 0, 4)}\` | framing: message length | ${bytes.readUInt32BE(0)} |`,
    `| 4 | \`${bytes.toString('hex', 4, 6)}\` | framing: encoding type | SBE, little-endian |`,
    ...pieces.map(({ offset, bytes: part, name, value }) => {
      const path = name.replace(`${decoded.message}.`, '');
      return `| ${offset} | \`${part.toString('hex')}\` | ${path} | ${meaningOf(path, value)} |`;
    }),
    '',
  ].join('\n');
}

/** Credentials are text; other values are as the decoder gives them. */
function meaningOf(name: string, value: Json): string {
  if (!name.startsWith('Credentials')) return cell(textOf(value));
  const isText = typeof value === 'string' && value.length > 2;
  if (!isText) return cell(textOf(value));
  return cell(Buffer.from(value, 'hex').toString().replaceAll('\x01', '<SOH>'));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<');
}

function document(): string {
  return `# FIXP: limits, a signature, and a session in bytes

Generated by running the bridge's own code: \`npx vitest run test/docs -u\` rewrites it. The rules are in [FIXP.md](FIXP.md), every field
is in [FIXP-MESSAGES.md](FIXP-MESSAGES.md).

## Limits

${limits()}

Message rates depend on the session (\`rates\` in the configuration, listed in the rules of engagement).

## A signature, worked

A FIXP or FIX user authenticates with a password, or with a signature made with its HMAC secret. The secret is a text of at
least 32 random characters, such as the output of \`openssl rand -hex 32\`, which the client and the operator of the bridge
exchange outside this connection. Its characters are the key as they are: hex is not decoded. The operator keeps it in a file
that only the bridge may read, the user's \`hmacSecretFile\`; surrounding white space is ignored. The bridge keeps only a hash of
a password, but it needs the secret itself to compute the same signature. A signature is valid for one request only: it covers
the name of the request, the session id and its Timestamp, and the bridge never accepts a Timestamp twice.

${vector()}

In a demo the user \`delta\` has a secret: \`causeway demo --info demo.json\` writes it as \`hmacSecret\` of the session DELTA.

## A session, byte by byte

Every byte of every message is shown: the framing header (length and encoding type, big-endian), the message header and the
message (little-endian). \`null\` and \`Unset\` mean that an optional field is absent. The client logs on, places an order that is
filled in part, asks for a message again, and ends the session. \`npm run interop\` plays the same conversation with a running
bridge and compares the bytes: only ids, times, the signatures and the fee (the sandbox charges makers none) differ in yours.

${conversation.said.map(step).join('\n')}`;
}

test('limits, the worked signature and the session in the documents are those of the code', async () => {
  const text = `${document().trimEnd()}\n`;
  await expect(text).toMatchFileSnapshot(join(root, 'docs/FIXP-EXAMPLES.md'));
});

test('the bridge accepts the worked signature', () => {
  const [negotiate, response] = conversation.said;
  expect(negotiate?.bytes.toString()).toContain(`96=${signature}\x01`);
  expect(response?.by).toBe('bridge');
  const decoded = decodeMessage(fixp, response?.bytes ?? Buffer.alloc(0), framingHeaderSize);
  expect(decoded).toMatchObject({ message: 'NegotiationResponse' });
});

test('the user of a demo that the documents name has a secret', () => {
  const delta = demoFixpSessions(1).find(({ name }) => name === 'DELTA');
  expect(delta).toMatchObject({
    username: signer.username,
    hmacSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
