/** The client part of a configuration: users, sessions, and the profiles that sessions share. */
import { z } from 'zod';
import { key } from '../../runtime/yaml-problem.ts';
import {
  addressRange,
  choice,
  compId,
  file,
  host,
  integerOr,
  limits,
  list,
  milliseconds,
  name,
  off,
  optionalList,
  port,
  text,
} from './config-keys.ts';
import { fixEngineKeys, messageRates } from './engine-config.ts';

export const profile = z.strictObject({
  iocRemainder: choice(['canceled', 'expired'], 'canceled').describe(
    'How the unfilled rest of an immediate-or-cancel order is reported: OrdStatus(39)=4 (`canceled`) or C (`expired`).',
  ),
  pending: choice(['full', 'reduced'], 'full').describe(
    'Whether PendingNew(A), PendingCancel(6) and PendingReplace(E) are reported (`full`) or left out (`reduced`).',
  ),
  dayOrders: choice(['end_of_day', 'gtc', 'reject'], 'end_of_day').describe(
    'What a day order becomes, because the venue has none: an order that expires at 00:00 UTC, an order good till canceled, or a reject.',
  ),
  stp: choice(
    ['cancel_maker', 'cancel_taker', 'reject', 'skip_self', 'none'],
    'cancel_taker',
  ).describe(
    'Self-trade prevention of an order without StpMode(9104). `none` sends no mode, so the default of the venue applies.',
  ),
  strictTags: off.describe('Rejects messages with user-defined tags that the dictionary lacks.'),
  quoteResponse: choice(['none', 'refusals', 'all'], 'none').describe(
    'Which quote messages without QuoteResponseLevel(301) are acknowledged. The default of FIX is `none`.',
  ),
  clientFields: choice(['echo', 'refuse'], 'echo').describe(
    'What happens to fields that only describe the client, such as Parties(453) or Text(58) on D and G: they are echoed in every report of the order, or the message is refused.',
  ),
  maxOrderAgeMs: key(
    milliseconds.default(120_000),
    'An order, a replace or a quote that would be placed is refused if its SendingTime(52), or OrigSendingTime(122) if it is sent again, or its TransactTime(60) is older than this.',
    5_000,
  ),
  massCancelScope: choice(['session', 'account'], 'session').describe(
    'Whether OrderMassCancelRequest(q) cancels the orders of this session, or all orders of its accounts.',
  ),
  reportQuoteOrders: off.describe(
    'Sends every report of the orders behind quotes. Without it only their trades, the answers to cancels and replaces of them, an unknown outcome, and one that contradicts the refusal of its quote are reported.',
  ),
  reportOtherChannels: off.describe(
    'Also sends reports of orders in its accounts that no session of the gateway sent, such as those from the web page of the venue.',
  ),
  restateOrders: off.describe(
    'After sequence numbers restart, sends each open order again as a restatement (ExecType(150)=D, ExecRestatementReason(378)=1).',
  ),
});

const cancelOnDisconnect = z
  .strictObject({
    when: choice(['off', 'abrupt', 'always'], 'off').describe(
      'Which end of a connection cancels the open orders of the session: none, one without Logout(5), or every one. A crash of the gateway counts as `abrupt`.',
    ),
    graceMs: key(
      integerOr(0, 0, 600_000),
      'How long the client has to log on again before the orders are canceled.',
      5_000,
    ),
  })
  .describe(
    'Cancel on disconnect. A FIXP client may ask for other values when it establishes its session.',
  );

export const user = z.strictObject({
  name: key(name, 'Username(553), or the name in the credentials of a FIXP client.', 'alpha'),
  secretHashFile: key(
    file.optional(),
    'The scrypt hash of the password, created by `causeway keys hash`.',
    'secrets/alpha.hash',
  ),
  hmacSecretFile: key(
    file.optional(),
    'The secret itself, needed only if the client logs on with an HMAC in RawData(96). A user needs this key or `secretHashFile`.',
    'secrets/alpha.hmac',
  ),
});

const copy = z
  .strictObject({
    users: key(optionalList(name), 'Copies only the orders of sessions with one of these users.', [
      'alpha',
    ]),
    sessions: key(
      optionalList(compId),
      'Copies only the orders of the sessions with these CompIDs. If absent, orders from other channels of the venue are copied too.',
      ['ALPHA'],
    ),
    reports: z
      .boolean()
      .default(true)
      .describe(
        'Sends a copy of every report. If false, the reader gets only the trades it subscribes to.',
      ),
    requests: off.describe('Also copies the requests of clients: D, F and G as they arrived.'),
    openOrders: off.describe('Sends the open orders when the reader first logs on.'),
    acknowledge: choice(['session', 'reader'], 'session').describe(
      'What marks a copy as read: its delivery in the session, or an explicit CopyAcknowledge(UK) from the reader.',
    ),
  })
  .describe(
    'What a drop-copy session receives of its accounts and markets. See [drop copy](DROPCOPY.md).',
  );

const connect = z
  .strictObject({
    host: key(host, 'The host of the consumer.', 'clearer.example'),
    port: key(port.min(1), 'The port of the consumer.', 9001),
    username: key(
      text.max(64).optional(),
      'Username(553) in the Logon of the gateway, or in its FIXP credentials, where the default is `senderCompId`.',
      'bridge',
    ),
    passwordFile: key(
      file.optional(),
      'The file with Password(554) for that user.',
      'secrets/clearer.password',
    ),
    tls: z
      .strictObject({
        caFile: key(
          file.optional(),
          'The authorities that may have signed the certificate of the consumer. If absent, those that Node.js trusts.',
          'tls/clearer-ca.pem',
        ),
        certFile: key(
          file.optional(),
          'The certificate that the gateway presents, in PEM.',
          'tls/bridge.pem',
        ),
        keyFile: key(
          file.optional(),
          'The private key of that certificate; other users must not be able to read it.',
          'tls/bridge.key',
        ),
        serverName: key(
          host.optional(),
          'The name in the certificate of the consumer, if it is not `host`.',
          'fix.clearer.example',
        ),
      })
      .optional()
      .describe('TLS to the consumer; without it the connection is cleartext.'),
  })
  .describe(
    'Only for drop copies: the gateway connects to the consumer instead of listening for it. `senderCompId` remains the CompID of the consumer.',
  );

/** The keys that every session has, in either protocol. */
const client = {
  senderCompId: key(
    compId,
    'SenderCompID(49) of a FIX client. A FIXP client is recognized by its user, and this names its session in reports, copies and logs. Unique among all sessions.',
    'ALPHA',
  ),
  role: z
    .enum(['order-entry', 'market-data', 'drop-copy'])
    .describe('What the session may do. Roles other than `market-data` need `accounts`.'),
  users: key(
    list(name),
    'The users that may log on to the session. A user of a FIXP session belongs to that session alone.',
    ['alpha'],
  ),
  accounts: key(z.array(name).default([]), 'The trading accounts of the session, by their names.', [
    'desk-1',
  ]),
  markets: key(
    z.array(text).optional(),
    'The symbols that the session may use. If absent, every market.',
    ['BTC-USDC'],
  ),
  actions: key(
    z.array(z.enum(['order', 'quote', 'algo', 'conditional'])).default(['order']),
    'The kinds of order that the session may place.',
    ['order', 'quote'],
  ),
  profile: key(
    name.optional(),
    'The profile of the session, by its name in `profiles`.',
    'careful',
  ),
  cancelOnDisconnect: cancelOnDisconnect.prefault({}),
  copy: copy.prefault({}),
  connect: connect.optional(),
  limits: limits
    .prefault({})
    .describe('Limits across the accounts of the session, each in place of the one in `limits`.'),
  rates: messageRates.prefault({}),
  allowFrom: key(
    z.array(addressRange).optional(),
    'The addresses or networks from which the client may connect. If absent, any.',
    ['192.0.2.0/24'],
  ),
  certificateSha256: key(
    z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .meta({ title: '64 lowercase hex digits' }),
    'SHA-256 fingerprint of the certificate that the client must present.',
    '0f'.repeat(32),
  ),
};

export const session = z.discriminatedUnion('protocol', [
  z.strictObject({
    protocol: z.literal('fix').default('fix').describe('The protocol of the session.'),
    ...client,
    targetCompId: key(
      compId,
      'TargetCompID(56) that the client sends: the name of the gateway.',
      'CAUSEWAY',
    ),
    allowReset: off.describe(
      'Accepts ResetSeqNumFlag(141)=Y, with which the client restarts the sequence numbers.',
    ),
    engine: fixEngineKeys.prefault({}),
  }),
  z.strictObject({
    protocol: z.literal('fixp').describe('The protocol of the session.'),
    ...client,
  }),
]);
