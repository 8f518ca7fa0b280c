/**
 * Example messages of this session. The bridge's own code builds them: it parses the order like a client's, and writes
 * the reports that it would send, so that a client can compare them field by field with those that it receives.
 */
import { admit } from '../../domain/admission.ts';
import { isDenial } from '../../domain/denial.ts';
import { type Instrument, instrumentsOf } from '../../domain/instrument.ts';
import { createOrder } from '../../domain/order.ts';
import { type OrderInput, transition } from '../../domain/transition.ts';
import { type Account, formatAtoms, tenTo } from '../../domain/units.ts';
import { Decoder } from '../../fix/decoder.ts';
import type { Dictionary } from '../../fix/dictionary.ts';
import { FieldWriter } from '../../fix/field-writer.ts';
import { Framer } from '../../fix/framer.ts';
import type { Message } from '../../fix/message.ts';
import { nameOf } from '../../gateway/config/client-names.ts';
import {
  type Config,
  type FixSessionConfig,
  profileOf,
  type SessionConfig,
} from '../../gateway/config/config.ts';
import { orderRulesOf, reportSettings } from '../../gateway/config/engine-settings.ts';
import { admissionRules } from '../../gateway/features.ts';
import { readCommand } from '../../mapping/fix/read-command.ts';
import { writeRefusal } from '../../mapping/fix/refusal-message.ts';
import { writeReport } from '../../mapping/fix/report-message.ts';
import { blank } from '../../sandbox/engine/event.ts';
import { type Profile, profileMarkets } from '../../venue/profile.ts';
import { denialOf } from '../../venue/refusals.ts';

export interface Example {
  readonly title: string;
  readonly bytes: Buffer;
}

export interface ExampleInput {
  readonly config: Config;
  readonly session: FixSessionConfig;
  readonly profile: Profile;
  readonly dictionary: Dictionary;
}

/** The time of every example, so that the same configuration gives the same document. */
const atMs = Date.UTC(2026, 0, 15, 10, 30);
const orderId = `0x${'5'.repeat(64)}`;

type Sender = (title: string, msgType: string, write: (out: FieldWriter) => void) => Example;

/** Each example is the next message from this side. */
function exampleBy(senderCompId: string, targetCompId: string): Sender {
  const framer = new Framer({ senderCompId, targetCompId });
  let seq = 0;
  return (title, msgType, write) => {
    const out = new FieldWriter();
    write(out);
    seq += 1;
    return { title, bytes: Buffer.from(framer.frame(msgType, seq, atMs, out.bytes)) };
  };
}

export function examplesOf(input: ExampleInput): readonly Example[] {
  const { senderCompId, targetCompId, users, role } = input.session;
  const ask = exampleBy(senderCompId, targetCompId);
  const answer = exampleBy(targetCompId, senderCompId);
  const [instrument] = instrumentsIn(input.profile, input.session);
  const logon = ask('Logon, from the client', 'A', (out) => {
    out.int(98, 0).int(108, 30);
    out.text(553, users[0] ?? '').text(554, 'PASSWORD');
  });
  const examples = [logon, answer('Logon, the answer', 'A', (out) => out.int(98, 0).int(108, 30))];
  if (role === 'order-entry' && instrument !== undefined) {
    examples.push(...orders(input, instrument, ask, answer));
  } else if (role === 'market-data' && instrument !== undefined) {
    examples.push(
      ask('An order book as it changes', 'V', (out) => {
        out.text(262, 'book-1').char(263, '1').int(264, 5).int(265, 0).int(267, 2);
        out.char(269, '0').char(269, '1').int(146, 1).text(55, instrument.symbol);
      }),
    );
  }
  examples.push(ask('Logout', '5', (out) => out.text(58, 'end of day')));
  return examples;
}

/** The instruments of the session. */
export function instrumentsIn(profile: Profile, { markets }: SessionConfig): readonly Instrument[] {
  return profileMarkets(profile)
    .filter(({ symbol }) => markets === undefined || markets.includes(symbol))
    .flatMap(instrumentsOf);
}

/** An order of the session and its life cycle, and an order that is rejected. */
function orders(input: ExampleInput, instrument: Instrument, ask: Sender, answer: Sender) {
  const { session, profile, dictionary } = input;
  const { market, symbol } = instrument;
  const accountName = session.accounts[0] ?? '';
  const { price, qty } = sizesOf(instrument);
  const identify = (out: FieldWriter) =>
    out.text(1, accountName).text(55, symbol).char(54, '1').utc(60, atMs);
  const body = (out: FieldWriter, steps: bigint) =>
    identify(out)
      .text(38, formatAtoms(qty, market.qtyScale))
      .char(40, '2')
      .text(44, formatAtoms(price + steps * market.tick, market.priceScale))
      .char(59, '1');
  const place = (title: string, clOrdId: string) =>
    ask(title, 'D', (out) => body(out.text(11, clOrdId), 0n));
  const received = ({ bytes }: Example) => {
    const decoder = new Decoder(dictionary);
    decoder.push(bytes);
    decoder.next();
    return decoder.message;
  };
  const order = place('A limit order', 'my-1');
  const reports = reportsOf(input, instrument, received(order), answer);
  const replace = ask('Its change', 'G', (out) => body(out.text(41, 'my-1').text(11, 'my-2'), 1n));
  const cancel = ask('Its cancel', 'F', (out) => identify(out.text(41, 'my-2').text(11, 'my-3')));
  const another = place('Another order', 'my-4');
  const reason = denialOf({ code: 'rate_limited', number: null, text: 'slow down' });
  const facts = { execId: `${session.senderCompId}-${atMs}-r1`, nowMs: atMs };
  const out = new FieldWriter();
  const msgType = writeRefusal(out, received(another), reason, reportSettings(profile), facts);
  const reject = answer('It is rejected, with 9101 and 9102', msgType, (message) =>
    message.raw(out.bytes),
  );
  return [order, ...reports, replace, cancel, another, reject];
}

/** A price and a quantity that the market allows, and that can be partially filled. */
function sizesOf({ market }: Instrument): { readonly price: bigint; readonly qty: bigint } {
  const price = market.tick * (market.kind === 'spot' ? 10_000n : 100n);
  let qty = market.lot * 10n;
  while ((price * qty) / tenTo(market.qtyScale) < market.minNotional) qty *= 10n;
  return { price, qty };
}

/** The reports of an order that the venue accepts and partially fills. */
function reportsOf(
  { config, session, profile }: ExampleInput,
  instrument: Instrument,
  message: Message,
  answer: Sender,
): readonly Example[] {
  const name = nameOf(session);
  const client = profileOf(session, config);
  const settings = reportSettings(profile);
  const { putOrCallAsBook } = profile.fix;
  const command = readCommand(message, { session: name, ...client, ...settings, putOrCallAsBook });
  if (isDenial(command) || command.kind !== 'new_order') return [];
  const rules = {
    ...admissionRules(profile, config.environment),
    dayOrders: client.dayOrders,
    defaultStp: client.stp === 'none' ? null : client.stp,
  };
  const moment = { nowMs: atMs, bestBid: null, bestAsk: null };
  const terms = admit(command.terms, instrument, rules, moment);
  const own = config.accounts.find((one) => one.name === session.accounts[0]);
  if (isDenial(terms) || own === undefined) return [];
  const account = own.account as Account;
  const names = { accountName: own.name, tag: own.name, key: `${own.name}#1` };
  const owner = { session: name, account, quoteId: null, ...names };
  let order = createOrder(owner, command.clOrdId, instrument, terms, atMs);
  const orderRules = orderRulesOf(name, config, profile);
  const step = (title: string, input: object): Example[] => {
    const next = transition(order, input as OrderInput, orderRules);
    order = next.order;
    return next.reports.map((report) => {
      const out = new FieldWriter();
      const msgType = writeReport(out, report, settings);
      return answer(title, msgType, (body) => body.raw(out.bytes));
    });
  };
  const event = { ...blank, account, orderId, denial: null, venueRef: null, engineTsMs: atMs };
  const { price, qty } = sizesOf(instrument);
  const trade = { fillId: '1', price, qty: (qty * 4n) / 10n, feeMicro: 0n };
  const fill = { ...trade, liquidity: 'maker', tsMs: atMs };
  return [
    ...step('The order is recorded and in flight to the venue (Pending New)', {
      kind: 'sent',
      requestId: 'new',
      venueRef: '0x01',
      orderId,
      nowMs: atMs,
    }),
    ...step('The venue has the order (New)', {
      kind: 'event',
      event: { ...event, seq: 1, kind: 'resting' },
    }),
    ...step('A part of it trades (Fill)', {
      kind: 'event',
      event: { ...event, seq: 2, kind: 'fill', fill, status: 'partially_filled' },
    }),
  ];
}
