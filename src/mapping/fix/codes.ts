/** The domain's values and their FIX 4.4 codes: one table for both directions. */
import type {
  AlgoKind,
  ConditionalKind,
  Lifetime,
  OrdType,
  QuoteResponse,
  Subscription,
  TriggerDirection,
} from '../../domain/command.ts';
import type { OrdStatus } from '../../domain/order.ts';
import type { ExecType, Restatement } from '../../domain/report.ts';
import type { Book, Side, StpMode } from '../../domain/units.ts';

export interface Codes<Word extends string> {
  readonly code: Readonly<Record<Word, string>>;
  readonly word: (code: string | undefined) => Word | undefined;
}

function codes<Word extends string>(code: Readonly<Record<Word, string>>): Codes<Word> {
  const words = new Map((Object.keys(code) as Word[]).map((word) => [code[word], word]));
  return { code, word: (text) => (text === undefined ? undefined : words.get(text)) };
}

/** Creates a table for fields whose codes equal the values. */
function words<Word extends string>(...list: Word[]): Codes<Word> {
  const code: Partial<Record<Word, string>> = {};
  for (const word of list) code[word] = word;
  return codes(code as Record<Word, string>);
}

/** Side(54). */
export const sides = codes<Side>({ Bid: '1', Ask: '2' });

/** OrdType(40). */
export const ordTypes = codes<OrdType>({
  market: '1',
  limit: '2',
  stop: '3',
  stop_limit: '4',
  market_if_touched: 'J',
});

/** TimeInForce(59). */
export const lifetimes = codes<Lifetime>({ day: '0', gtc: '1', ioc: '3', fok: '4', gtd: '6' });

/** ExecInst(18). Nobody holds or works an order here, so the last two have no effect. */
export const execInsts = codes<'post_only' | 'not_held' | 'held'>({
  post_only: '6',
  not_held: '1',
  held: '5',
});

/** PositionEffect(77). */
export const positionEffects = codes<'open' | 'reduce_only'>({ open: 'O', reduce_only: 'C' });

/** TargetStrategy(847), which has no value for an iceberg. */
export const targetStrategies = codes<Exclude<AlgoKind, 'iceberg'>>({ twap: '1001', vwap: '1' });

/** MassCancelRequestType(530). */
export const massCancelTypes = codes<'instrument' | 'all'>({ instrument: '1', all: '7' });

/** MassStatusReqType(585). */
export const massStatusTypes = codes<'instrument' | 'all'>({ instrument: '1', all: '7' });

/** QuoteCancelType(298). */
export const quoteCancelTypes = codes<'instruments' | 'all'>({ instruments: '1', all: '4' });

/** SecurityListRequestType(559). */
export const securityListTypes = codes<'instrument' | 'all'>({ instrument: '0', all: '4' });

/** UserRequestType(924). */
export const userRequests = codes<'status'>({ status: '4' });

/** ExecType(150). */
export const execTypes = codes<ExecType>({
  new: '0',
  canceled: '4',
  replaced: '5',
  pending_cancel: '6',
  rejected: '8',
  pending_new: 'A',
  expired: 'C',
  restated: 'D',
  pending_replace: 'E',
  trade: 'F',
  trade_correct: 'G',
  trade_cancel: 'H',
  order_status: 'I',
});

/** OrdStatus(39). */
export const ordStatuses = codes<OrdStatus>({
  new: '0',
  partially_filled: '1',
  filled: '2',
  canceled: '4',
  pending_cancel: '6',
  rejected: '8',
  pending_new: 'A',
  expired: 'C',
  pending_replace: 'E',
});

/** ExecRestatementReason(378). */
export const restatements = codes<Restatement>({
  renewal: '1',
  broker_option: '4',
  partial_decline: '5',
  trading_halt: '6',
  market_option: '8',
  other: '99',
});

/** QuoteResponseLevel(301). */
export const quoteResponses = codes<QuoteResponse>({ none: '0', refusals: '1', all: '2' });

/** SubscriptionRequestType(263). */
export const subscriptions = codes<Subscription>({
  snapshot: '0',
  subscribe: '1',
  unsubscribe: '2',
});

export const books = words<Book>('YES', 'NO');
export const stpModes = words<StpMode | 'none'>(
  'cancel_maker',
  'cancel_taker',
  'reject',
  'skip_self',
  'none',
);
export const algoKinds = words<AlgoKind>('iceberg', 'twap', 'vwap');
export const triggerDirections = words<TriggerDirection>('at_or_above', 'at_or_below');
export const conditionalKinds = words<ConditionalKind>('take_profit', 'stop_loss');
