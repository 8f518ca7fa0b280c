/**
 * The rules of engagement of one session, from the bridge's running configuration: everything that a counterparty needs
 * to connect, to trade and to understand every response. No part of it is written by hand for a single counterparty.
 */
import { createHash, type X509Certificate } from 'node:crypto';
import { requiredFields, unsupportedTerms } from '../../domain/admission.ts';
import { venueNumber } from '../../domain/refusal.ts';
import { formatAtoms } from '../../domain/units.ts';
import { sessionRejects } from '../../fix/reject.ts';
import type { Schedule } from '../../fix/session-schedule.ts';
import type { SessionSettings } from '../../fix/session-settings.ts';
import { fixpLockout } from '../../fixp/fixp-directory.ts';
import { type FixpSettings, maxSentBytes } from '../../fixp/settings.ts';
import { fixEngine } from '../../gateway/clients/fix-lane.ts';
import { fixpEngine } from '../../gateway/clients/fixp-lane.ts';
import {
  type ClientProfile,
  type Config,
  type FixSessionConfig,
  profileOf,
  type SessionConfig,
} from '../../gateway/config/config.ts';
import { limitsOf } from '../../gateway/gate/risk.ts';
import { descriptiveTags, givenBackTags } from '../../mapping/fix/client-fields.ts';
import type { RateLimit } from '../../runtime/token-bucket.ts';
import { defaultAcceptorLimits } from '../../transport/acceptor.ts';
import { defaultHostLimits } from '../../transport/host.ts';
import type { Profile } from '../../venue/profile.ts';
import { refusalNumberNames, refusals } from '../../venue/refusals.ts';
import { timeOfDay } from './client-hours.ts';
import type { Endpoint } from './client-settings.ts';
import { type Block, code, contents, heading, type Row, table, words } from './document.ts';
import { type ExampleInput, examplesOf, instrumentsIn } from './examples.ts';
import { limitColumns, limitRows, settingRows } from './limit-rows.ts';
import { fieldsOf } from './message-fields.ts';
import { usesOf } from './message-uses.ts';
import { remedyOf } from './remedies.ts';

export interface RulesInput extends Omit<ExampleInput, 'session'> {
  readonly session: SessionConfig;
  readonly endpoint: Endpoint;
  readonly files: readonly (readonly [name: string, purpose: string])[];
  readonly issue: Issue;
}

/** The identification of this document. */
export interface Issue {
  readonly program: string;
  readonly date: string;
  readonly contacts: readonly string[];
  /** The certificate that the bridge presents. */
  readonly certificate: Pick<X509Certificate, 'fingerprint256' | 'subject' | 'validTo'> | undefined;
}

/** The number of the document changes with every rule in it, and only then. */
export function rulesOf(input: RulesInput): Block[] {
  const [title, introduction, ...rules] = rulesOfSession(input) as [Block, Block, ...Block[]];
  const number = createHash('sha256')
    .update(JSON.stringify([title, rules]))
    .digest('hex');
  const { contacts, date, program } = input.issue;
  const rows: Row[] = [
    ['Version', `${number.slice(0, 12)}; the same rules have the same version`],
    ['Date', date],
    ['Written by', program],
    ...contacts.map((contact): Row => ['Contact', contact]),
  ];
  return [title, introduction, table(['', ''], rows), contents, ...rules];
}

function rulesOfSession(input: RulesInput): Block[] {
  const { session, config, profile } = input;
  const isFix = session.protocol === 'fix';
  const names = isFix ? ` to ${session.targetCompId}` : '';
  const standard = isFix ? 'FIX 4.4' : 'FIXP 1.1';
  return [
    heading(1, `Rules of engagement: ${session.senderCompId}${names}`),
    words(
      `Generated from the running configuration of the bridge. Where this document has no rule, the specification of ${standard} applies.`,
    ),
    ...connection(input),
    ...(isFix
      ? sessionRules(session, fixEngine(session, config, profile), config)
      : fixpRules(session, fixpEngine(session, config))),
    ...tradingRules(session, config, profile),
    ...(isFix ? messages(input) : schemaNote),
    ...rejects(session, profile),
    ...(isFix ? examples({ ...input, session }) : []),
    heading(2, 'Files that come with this document'),
    table(['File', 'For'], input.files),
  ];
}

const schemaNote = [
  heading(2, 'Messages'),
  words(
    'The schemas that come with this document define every message; the .md files list their fields and show each one in bytes.',
  ),
];

function connection({ session, endpoint, config, issue }: RulesInput): Block[] {
  const { host, port, isTls, asksCertificate } = endpoint;
  const isCalled = session.connect !== undefined;
  const isFix = session.protocol === 'fix';
  const rows: Row[] = [
    ['Protocol', isFix ? 'FIX 4.4 over TCP' : 'FIXP 1.1 with SBE over TCP'],
    ['Address', isCalled ? `the bridge connects to ${host}:${port}` : `${host}:${port}`],
    ['TLS', isTls ? `yes${asksCertificate ? ', with a certificate of the client' : ''}` : 'no'],
    ['From', session.allowFrom?.join(', ') ?? 'any address'],
    ['Users', session.users.join(', ')],
    ['Accounts', session.accounts.join(', ') || 'none'],
    ['Role', session.role],
    ['May send', session.role === 'order-entry' ? session.actions.join(', ') : 'requests'],
    ['Environment', config.environment],
  ];
  if (session.certificateSha256 !== undefined) {
    rows.push(['Certificate of the client', `SHA-256 ${session.certificateSha256}`]);
  }
  if (issue.certificate !== undefined) {
    const { fingerprint256, subject, validTo } = issue.certificate;
    const name = subject.replaceAll('\n', ', ');
    const text = `${name}; SHA-256 ${fingerprint256}; valid until ${validTo}`;
    rows.push(['Certificate of the bridge', text]);
  }
  if (!isCalled) {
    const { offences, windowMs, blockMs } = isFix ? defaultAcceptorLimits.lockout : fixpLockout;
    const blocked = `${offences} within ${windowMs / 1000} seconds block the ${isFix ? 'CompID' : 'user'} at its address for ${blockMs / 1000} seconds`;
    rows.push(['Failed logons', blocked]);
  }
  const unread = `${defaultHostLimits.unreadBytes / 1024 ** 2} MiB, then the connection is closed; the bridge keeps the reports for a resend`;
  rows.push(['Unread messages of the bridge', unread]);
  return [heading(2, 'Connection'), table(['', ''], rows)];
}

function cancelText({ cancelOnDisconnect: { graceMs, when } }: SessionConfig): string {
  if (when === 'off') return 'never: orders stay open';
  return `when the connection ${when === 'abrupt' ? 'breaks' : 'ends'}, after ${graceMs} ms`;
}

/** A FIXP session has fewer rules, because the protocol leaves less open. */
function fixpRules(session: SessionConfig, settings: FixpSettings): Block[] {
  const { keepaliveMs, minKeepaliveMs, maxKeepaliveMs } = settings;
  const reject = 'above it BusinessReject';
  const rows: Row[] = [
    ['Framing header', `u32 length with the header, u16 0xEB50; ${settings.byteOrder}-endian`],
    [
      'Credentials of Negotiate',
      '553=USER<SOH>554=PASSWORD<SOH>, or 553=USER<SOH>96=SIGNATURE<SOH>',
    ],
    [
      'SIGNATURE',
      "base64 of the HMAC-SHA256, with the user's secret, of: Negotiate or Establish, <SOH>, the session id in 32 lower-case hex digits, <SOH>, Timestamp",
    ],
    [
      'Timestamp',
      `within ${settings.timestampToleranceMs / 1000} seconds of now, each later than the last`,
    ],
    ['Establish', `within ${settings.establishWaitMs / 1000} seconds of the connection`],
    [
      'KeepaliveInterval',
      `${minKeepaliveMs} to ${maxKeepaliveMs} ms; two silent intervals end the session`,
    ],
    ['KeepaliveInterval of the bridge', `${keepaliveMs} ms`],
    [
      'Message length',
      `at most ${settings.maxMessageBytes} bytes to the bridge, ${maxSentBytes} from it`,
    ],
    [
      'RetransmitRequest',
      `Count at most ${settings.maxRequestCount}; a response has at most ${settings.maxRetransmitCount} messages`,
    ],
    ['Message rate limit', rateText(settings.rate, reject)],
    ['Cancel rate limit', rateText(settings.cancelRate, reject)],
    [
      'Cancel on disconnect',
      `${cancelText(session)}; CancelOnDisconnectType in Establish overrides it`,
    ],
  ];
  return [heading(2, 'Session'), table(['Rule', 'Value'], rows)];
}

function sessionRules(
  session: FixSessionConfig,
  settings: SessionSettings,
  config: Config,
): Block[] {
  const reject = 'above it BusinessMessageReject(j) 380=0';
  return [
    heading(2, 'Session'),
    table(
      ['Rule', 'Value'],
      [
        ['CompIDs of the client', `49=${session.senderCompId}, 56=${session.targetCompId}`],
        ['Logon', 'Username(553) with Password(554), or with a signature in RawData(96)'],
        [
          'Signature',
          "RawData(96) is the base64 of the HMAC-SHA256, with the user's secret, of the values of 52, 35, 34, 49 and 56 with SOH between them",
        ],
        ['HeartBtInt(108)', `${settings.minHeartBtIntS} to ${settings.maxHeartBtIntS} seconds`],
        ['Hours', settings.schedule === undefined ? 'always open' : hoursText(settings.schedule)],
        ['Sequence numbers', `continue after every disconnect${resetText(settings)}`],
        ['ResetSeqNumFlag(141)=Y', session.allowReset ? 'accepted' : 'refused'],
        ['SendingTime(52)', `within ${settings.sendingTimeToleranceMs / 1000} seconds of now`],
        ['ResendRequest(2)', `any range; the same one at most ${settings.maxSameResends} times`],
        [
          'NextExpectedMsgSeqNum(789)',
          'if the client sends it, the bridge sends its own and resends what is missing',
        ],
        [
          'Characters',
          'UTF-8; control characters outside data fields are rejected with Reject(3) 373=6',
        ],
        [
          'BodyLength(9)',
          `at most ${settings.maxMessageBytes}; a longer message is rejected with Reject(3) 373=${sessionRejects.other.reason}, and its sequence number is used`,
        ],
        [
          'User-defined tags',
          profileOf(session, config).strictTags
            ? 'those of the dictionary; others are rejected'
            : 'any from 5000 on are accepted',
        ],
        ['Message rate limit', rateText(settings.rate, reject)],
        ['Cancel rate limit', rateText(settings.cancelRate, reject)],
        ['First message', `Logon within ${settings.logonWaitMs / 1000} seconds`],
        ['Cancel on disconnect', cancelText(session)],
      ],
    ),
    heading(3, 'Reject(3)'),
    table(
      ['373', 'Text(58)'],
      Object.values(sessionRejects).map(({ reason, text }) => [reason, text]),
    ),
  ];
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function hoursText({ timeZone, days, startS, endS, lengthDays }: Schedule): string {
  const [start, end] = [startS, endS].map(timeOfDay);
  const [first = 0] = days;
  if (days.length === 1 && lengthDays > 0) {
    const last = weekdays[(first + lengthDays) % weekdays.length];
    return `weekly, ${weekdays[first]} ${start} to ${last} ${end} ${timeZone}`;
  }
  const names = days.length === 7 ? 'daily' : days.map((day) => weekdays[day]).join(', ');
  return `${names}, ${start} to ${end} ${timeZone}`;
}

function resetText({ resetsOnLogon, schedule }: SessionSettings): string {
  if (resetsOnLogon) return ' only within a connection: each logon begins at 1';
  return schedule === undefined
    ? '; the bridge never resets them by itself'
    : '; the first logon of the hours begins at 1';
}

function rateText(rate: RateLimit | undefined, reject: string): string {
  if (rate === undefined) return 'none';
  return `${rate.perSecond} messages per second, in bursts of up to ${rate.burst}; ${reject}`;
}

function tradingRules(session: SessionConfig, config: Config, profile: Profile): Block[] {
  const own = limitRows(limitsOf(config, session.limits));
  return [
    heading(2, 'Instruments'),
    table(
      [
        'Symbol(55)',
        'SecurityID(48)',
        'Kind',
        'Tick',
        'Lot',
        'Largest quantity',
        'Smallest notional',
      ],
      instrumentsIn(profile, session).map(({ market, securityId, symbol }): Row => {
        const price = (atoms: bigint) => formatAtoms(atoms, market.priceScale);
        const qty = (atoms: bigint) => formatAtoms(atoms, market.qtyScale);
        return [
          symbol,
          securityId,
          market.kind,
          price(market.tick),
          qty(market.lot),
          qty(market.maxQty),
          price(market.minNotional),
        ];
      }),
    ),
    words('This table is from the configuration; SecurityList(y) has the current values.'),
    ...(session.role === 'order-entry'
      ? [
          heading(2, 'Limits'),
          own.length > 0
            ? table(limitColumns, own)
            : words('The bridge has no limits for this session. The limits of the venue apply.'),
          heading(2, 'Settings'),
          table(limitColumns, settingRows(profileOf(session, config), session.protocol)),
        ]
      : []),
  ];
}

/** How fields of an order that are not part of its terms are handled. */
function otherFields({ clientFields, strictTags }: ClientProfile): string {
  const own = `Fields about the client itself (${givenBackTags.join(', ')}${strictTags ? '' : ', and any tag from 5000 on'})`;
  const policy =
    clientFields === 'refuse'
      ? 'are refused'
      : 'are echoed in every report of the order, as in the last accepted D or G, with SenderSubID(50) as 57, 115 as 128 and 116 as 129; Text(58) only where the bridge has no text of its own';
  const rest = `Fields that describe the instrument (${descriptiveTags.join(', ')}) have no effect. Every other field is refused by its name, 103=11.`;
  return `NewOrderSingle(D) and OrderCancelReplaceRequest(G): ${own} ${policy}. ${rest} In other requests, fields that are not listed have no effect.`;
}

function messages({ session, config, dictionary }: RulesInput): Block[] {
  const uses = usesOf(session);
  const list = uses.map(
    ({ msgType, from, purpose }): Row => [
      `${dictionary.messages.get(msgType)?.name}(${msgType})`,
      from,
      purpose,
    ],
  );
  return [
    heading(2, 'Messages'),
    table(['Message', 'From', 'For'], list),
    words(
      'The tables list the fields that have an effect; header and trailer are those of FIX 4.4. A field without a note means what it means in FIX 4.4.',
    ),
    ...(session.role === 'order-entry' ? [words(otherFields(profileOf(session, config)))] : []),
    ...uses.flatMap((use) => fieldsOf(use, dictionary, profileOf(session, config))),
    ...(session.role === 'order-entry' ? conditions(profileOf(session, config)) : []),
  ];
}

/** Generated from the tables of the admission checks. */
function conditions({ dayOrders }: ClientProfile): Block[] {
  return [
    heading(3, 'Conditionally required fields of D and G'),
    words(
      'Without them the order is rejected with BusinessMessageReject(j), 380=5, and Text(58) names the field.',
    ),
    table(
      ['When', 'Required'],
      requiredFields.map(({ text, when }) => [when, text]),
    ),
    heading(3, 'Combinations that are refused'),
    words('Each is refused with 9102=bridge.unsupported.'),
    table(
      ['Refused'],
      unsupportedTerms
        .filter(({ only }) => only === undefined || only === dayOrders)
        .map(({ text }) => [text]),
    ),
  ];
}

function rejects(session: SessionConfig, profile: Profile): Block[] {
  const shown = (value: number | string | null) => value ?? '';
  const ordering = session.role === 'order-entry';
  const rows = refusals.map((refusal): Row => {
    const { code: venueCode, order, cancel, replace, quote, massCancel, business } = refusal;
    const reasons = ordering ? [order, cancel, replace, quote, massCancel].map(shown) : [];
    return [
      venueCode ?? `(${refusal.name})`,
      shown(venueNumber(refusal, profile.reject.numberMap)),
      ...reasons,
      shown(business),
      remedyOf(refusal),
    ];
  });
  const columns = ordering ? ['103', '102 of F', '102 of G', '300, 368', '532'] : [];
  return [
    heading(2, 'Rejects'),
    words(
      'VenueCode(9102) and VenueRejectNumber(9101) state the reason, and Text(58) begins with the code; MarketDataRequestReject(Y) has it there only. A code in parentheses is not sent. If 9101 is present, the reason field of FIX is 99. A request that the bridge cannot take at all is rejected with BusinessMessageReject(j) and a reason in 380.',
    ),
    table(['9102', '9101', ...columns, '380', 'What to do'], rows),
    ...venueRejects(profile),
  ];
}

function venueRejects({ reject: { numberMap } }: Profile): Block[] {
  const rows = Object.entries(refusalNumberNames).map(([number, name]): Row => {
    const codes = refusals
      .filter((one) => venueNumber(one, numberMap) === Number(number) && one.code !== name)
      .map(({ code: venueCode, name: own }) => venueCode ?? own);
    return [number, name, [...new Set(codes)].join(', ')];
  });
  return [heading(3, 'VenueRejectNumber(9101)'), table(['9101', 'Name', 'Comes with'], rows)];
}

function examples(input: ExampleInput): Block[] {
  const shown = examplesOf(input);
  return [
    heading(2, 'Examples'),
    words(
      'The bridge reads and writes exactly these messages, with other ids and times. | is SOH. "causeway decode" shows them with names.',
    ),
    ...shown.flatMap(({ title, bytes }) => [
      heading(3, title),
      code(bytes.toString('latin1').replaceAll('\x01', '|')),
    ]),
  ];
}
