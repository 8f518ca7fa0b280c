/**
 * The rules of engagement of one session, from the configuration that the bridge runs with: what a counterparty needs
 * to connect, to trade and to understand every answer. Nothing in it is written by hand for one counterparty.
 */
import { createHash, type X509Certificate } from 'node:crypto';
import { requiredFields, unsupportedTerms } from '../../domain/admission.ts';
import { instrumentsOf } from '../../domain/instrument.ts';
import { venueNumber } from '../../domain/refusal.ts';
import { formatAtoms, type MarketId } from '../../domain/units.ts';
import type { Dictionary, FieldInfo } from '../../fix/dictionary.ts';
import { isGroup, requiredOf } from '../../fix/dictionary.ts';
import { sessionRejects } from '../../fix/reject.ts';
import type { Schedule } from '../../fix/session-schedule.ts';
import type { SessionSettings } from '../../fix/session-settings.ts';
import { profileOf } from '../../gateway/client-names.ts';
import { limitsOf } from '../../gateway/client-register.ts';
import type {
  ClientProfile,
  Config,
  FixSessionConfig,
  SessionConfig,
} from '../../gateway/config.ts';
import { fixEngine } from '../../gateway/fix-lane.ts';
import { descriptiveTags, givenBackTags } from '../../mapping/fix/client-fields.ts';
import type { RateLimit } from '../../runtime/token-bucket.ts';
import { defaultAcceptorLimits } from '../../transport/acceptor.ts';
import { defaultHostLimits } from '../../transport/host.ts';
import type { Profile } from '../../venue/profile.ts';
import { refusalNumberNames, refusals, type VenueRefusal } from '../../venue/refusals.ts';
import { timeOfDay } from './client-hours.ts';
import type { Endpoint } from './client-settings.ts';
import { type Block, code, contents, heading, type Row, table, words } from './document.ts';
import { examplesOf } from './examples.ts';
import { fieldNotes } from './field-notes.ts';
import { type MessageUse, usesOf } from './message-uses.ts';
import { remedyOf } from './remedies.ts';

export interface RulesInput {
  readonly config: Config;
  readonly session: SessionConfig;
  readonly profile: Profile;
  readonly dictionary: Dictionary;
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

/** The number of the document changes with every rule in it, and with nothing else. */
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
  const names = session.protocol === 'fix' ? ` to ${session.targetCompId}` : '';
  const standard = session.protocol === 'fix' ? 'FIX 4.4' : 'FIXP 1.1';
  const blocks = [
    heading(1, `Rules of engagement: ${session.senderCompId}${names}`),
    words(
      `Generated from the running configuration of the bridge. Everything else is as in the specification of ${standard}.`,
    ),
    ...connection(input),
  ];
  if (session.protocol === 'fix') {
    blocks.push(...sessionRules(session, fixEngine(session, config, profile)));
  }
  blocks.push(...tradingRules(session, config, profile));
  if (session.protocol === 'fix') {
    blocks.push(...messages(input));
  } else {
    blocks.push(
      heading(2, 'Messages'),
      words('The schemas beside this document describe every message, value and byte.'),
    );
  }
  blocks.push(...rejects(session, profile));
  if (session.protocol === 'fix') blocks.push(...examples(session, profile));
  return [...blocks, heading(2, 'Files beside this document'), table(['File', 'For'], input.files)];
}

function connection({ session, endpoint, config, issue }: RulesInput): Block[] {
  const { host, port, isTls, asksCertificate } = endpoint;
  const isCalled = session.connect !== undefined;
  const rows: Row[] = [
    ['Protocol', session.protocol === 'fix' ? 'FIX 4.4 over TCP' : 'FIXP 1.1 with SBE over TCP'],
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
    const { offences, windowMs, blockMs } = defaultAcceptorLimits.lockout;
    const blocked = `${offences} within ${windowMs / 1000} seconds block the CompID at its address for ${blockMs / 1000} seconds`;
    rows.push(['Failed logons', blocked]);
  }
  const unread = `${defaultHostLimits.unreadBytes / 1024 ** 2} MiB, then the connection is closed; the reports are kept`;
  rows.push(['Unread messages of the bridge', unread]);
  return [heading(2, 'Connection'), table(['', ''], rows)];
}

function sessionRules(session: FixSessionConfig, settings: SessionSettings): Block[] {
  const cod = session.cancelOnDisconnect;
  const cancels = {
    off: 'never: orders stay open',
    abrupt: `when the connection breaks, after ${cod.graceMs} ms`,
    always: `when the connection ends, after ${cod.graceMs} ms`,
  };
  return [
    heading(2, 'Session'),
    table(
      ['Rule', 'Value'],
      [
        ['CompIDs of the client', `49=${session.senderCompId}, 56=${session.targetCompId}`],
        ['Logon', "Username(553) and Password(554), or RawData(96) signed with the user's secret"],
        ['HeartBtInt(108)', `${settings.minHeartBtIntS} to ${settings.maxHeartBtIntS} seconds`],
        ['Hours', settings.schedule === undefined ? 'all' : hoursText(settings.schedule)],
        ['Sequence numbers', `continue after every disconnect${resetText(settings)}`],
        ['ResetSeqNumFlag(141)=Y', session.allowReset ? 'honoured' : 'refused'],
        ['SendingTime(52)', `within ${settings.sendingTimeToleranceMs / 1000} seconds of now`],
        ['ResendRequest(2)', `any range; the same one at most ${settings.maxSameResends} times`],
        ['NextExpectedMsgSeqNum(789)', 'is answered where the client sends it'],
        [
          'Characters',
          'UTF-8 without control characters, but in data fields; else Reject(3) 373=6',
        ],
        [
          'BodyLength(9)',
          `at most ${settings.maxMessageBytes}; a longer message uses up its number and is answered by Reject(3) 373=${sessionRejects.other.reason}`,
        ],
        ['Message rate limit', rateText(settings.rate)],
        ['Cancel rate limit', rateText(settings.cancelRate)],
        ['First message', `Logon within ${settings.logonWaitMs / 1000} seconds`],
        ['Cancel on disconnect', cancels[cod.when]],
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
    ? '; nothing resets them by itself'
    : '; the first logon of the hours begins at 1';
}

function rateText(rate: RateLimit | undefined): string {
  if (rate === undefined) return 'any number';
  return `${rate.perSecond} a second, ${rate.burst} at once; above it BusinessMessageReject(j) 380=0`;
}

function tradingRules(session: SessionConfig, config: Config, profile: Profile): Block[] {
  const bound = profileOf(session, config);
  const limits = limitsOf(config, session.limits);
  const limitRows = Object.entries(limits).map(([name, value]): Row => [name, String(value)]);
  const chosen = Object.entries(bound).map(([name, value]): Row => [name, String(value)]);
  const markets = profile.markets.filter(
    ({ symbol }) => session.markets === undefined || session.markets.includes(symbol),
  );
  return [
    heading(2, 'Instruments'),
    table(
      ['Symbol(55)', 'SecurityID(48)', 'Kind', 'Tick', 'Lot', 'Largest order', 'Least value'],
      markets.flatMap((market): Row[] => {
        const price = (atoms: bigint) => formatAtoms(atoms, market.priceScale);
        const qty = (atoms: bigint) => formatAtoms(atoms, market.qtyScale);
        return instrumentsOf({ ...market, marketId: market.marketId as MarketId }).map(
          ({ symbol, securityId }): Row => [
            symbol,
            securityId,
            market.kind,
            price(market.tick),
            qty(market.lot),
            qty(market.maxQty),
            price(market.minNotional),
          ],
        );
      }),
    ),
    words('SecurityList(y) has the values of today; this table is from the configuration.'),
    heading(2, 'Limits and settings'),
    table(['Limit', 'Value'], limitRows.length > 0 ? limitRows : [['none', '']]),
    table(['Setting', 'Value'], chosen),
  ];
}

/** The treatment of fields of an order that are not part of its terms. */
function otherFields({ clientFields, strictTags }: ClientProfile): string {
  const own = `Fields about the client itself (${givenBackTags.join(', ')}${strictTags ? '' : ', and any tag from 5000 on'})`;
  const policy =
    clientFields === 'refuse'
      ? 'are refused'
      : 'come back in every report of the order, as the last accepted D or G had it, with SenderSubID(50) as 57, 115 as 128 and 116 as 129; Text(58) only where the bridge has no text of its own';
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
    words('Fields that have a meaning here, in the order in which one reads them.'),
    ...(session.role === 'order-entry' ? [words(otherFields(profileOf(session, config)))] : []),
    ...uses.flatMap((use) => messageBlocks(use, dictionary)),
    ...(session.role === 'order-entry' ? conditions() : []),
  ];
}

/** From the tables that admit an order. */
function conditions(): Block[] {
  return [
    heading(3, 'Conditionally required fields of D and G'),
    words('Without them the order is refused with 9102=field_missing.'),
    table(
      ['When', 'Required'],
      requiredFields.map(({ text, when }) => [when, text]),
    ),
    heading(3, 'Combinations that are refused'),
    words('Each is refused with 9102=bridge.unsupported.'),
    table(
      ['Refused'],
      unsupportedTerms.map(({ text }) => [text]),
    ),
  ];
}

function messageBlocks({ msgType, from, tags }: MessageUse, dictionary: Dictionary): Block[] {
  const info = dictionary.messages.get(msgType);
  if (info === undefined) throw new Error(`message ${msgType} is not in the dictionary`);
  const all = () =>
    dictionary.fields.flatMap((field, number) => (field && info.rules[number] ? field.tag : []));
  const rows = (tags === 'all' ? all() : tags).map((tag): Row => {
    const number = dictionary.fieldOf[tag] ?? 0;
    const rule = info.rules[number] ?? 0;
    const field = dictionary.fields[number];
    const need = rule === 0 ? 'in group' : requiredOf(rule) === 1 ? 'yes' : '';
    const form = rule !== 0 && isGroup(rule) ? 'repeating group' : valuesOf(field);
    return [tag, field?.name ?? '', need, form, fieldNotes[tag] ?? ''];
  });
  return [
    heading(3, `${info.name}(${msgType}), from the ${from}`),
    table(['Tag', 'Name', 'Required', 'Values', 'What it means here'], rows),
  ];
}

const mostValuesShown = 12;

function valuesOf(field: FieldInfo | undefined): string {
  if (field === undefined || field.values.length === 0) return '';
  if (field.values.length > mostValuesShown) return 'as in the dictionary';
  return field.values.map((value, index) => `${value} ${field.meanings[index]}`).join(', ');
}

function rejects(session: SessionConfig, profile: Profile): Block[] {
  const shown = (value: number | string | null) => value ?? '';
  const ordering = session.role === 'order-entry';
  const rows = refusals.map((refusal): Row => {
    const { code: venueCode, order, cancel, replace, quote, massCancel, business } = refusal;
    const reasons = ordering ? [order, cancel, replace, quote, massCancel].map(shown) : [];
    return [
      venueCode ?? refusal.name,
      shown(numberOf(refusal, profile)),
      ...reasons,
      shown(business),
      remedyOf(refusal),
    ];
  });
  const columns = ordering ? ['103', '102 of F', '102 of G', '300, 368', '532'] : [];
  return [
    heading(2, 'Rejects'),
    words(
      'VenueCode(9102) and VenueRejectNumber(9101) give the reason; Text(58) begins with the code. Beside a 9101 the reason is 99. A request that is not served at all is answered by BusinessMessageReject(j) with 380.',
    ),
    table(['9102', '9101', ...columns, '380', 'What to do'], rows),
    ...venueRejects(profile),
  ];
}

function numberOf(refusal: VenueRefusal, profile: Profile): number | null {
  return venueNumber(refusal, profile.reject.numberMap);
}

function venueRejects(profile: Profile): Block[] {
  const rows = Object.entries(refusalNumberNames).map(([number, name]): Row => {
    const codes = refusals
      .filter((refusal) => numberOf(refusal, profile) === Number(number) && refusal.code !== name)
      .map(({ code: venueCode, name: own }) => venueCode ?? own);
    return [number, name, [...new Set(codes)].join(', ')];
  });
  return [heading(3, 'VenueRejectNumber(9101)'), table(['9101', 'Name', 'Comes with'], rows)];
}

function examples(session: FixSessionConfig, profile: Profile): Block[] {
  const market = profile.markets.find(
    ({ symbol }) => session.markets === undefined || session.markets.includes(symbol),
  );
  const shown = examplesOf(session, market?.symbol ?? 'BTC-USDC');
  return [
    heading(2, 'Examples'),
    words('Real bytes, with | for SOH; "causeway decode" reads them.'),
    ...shown.flatMap(({ title, bytes }) => [
      heading(3, title),
      code(bytes.toString('latin1').replaceAll('\x01', '|')),
    ]),
  ];
}
