/**
 * The domain's values and their codes in orders.xml: one table for both directions. If FIX 4.4 has a one-letter code,
 * the schema uses the same letter, so those tables are shared with FIX.
 */
import type {
  AlgoKind as AlgoWord,
  ConditionalKind as ConditionalWord,
  TriggerDirection as DirectionWord,
} from '../../domain/command.ts';
import type { MarketKind as MarketWord } from '../../domain/instrument.ts';
import type { Book as BookWord, StpMode as StpWord } from '../../domain/units.ts';
import * as fix from '../fix/codes.ts';
import {
  AlgoKind,
  Book,
  ConditionalKind,
  MarketKind,
  StpMode,
  TriggerDirection,
} from './generated/codes.ts';

export interface ByteCodes<Word extends string> {
  readonly code: Readonly<Record<Word, number>>;
  readonly word: (code: number) => Word | undefined;
  /** Whether this code means absent in a request. */
  readonly isUnset: (code: number) => boolean;
}

/** The null value of a one-byte number in SBE. */
const nullByte = 255;

function byteCodes<Word extends string>(code: Readonly<Record<Word, number>>): ByteCodes<Word> {
  const words: (Word | undefined)[] = new Array(256).fill(undefined);
  for (const word of Object.keys(code) as Word[]) words[code[word]] = word;
  return {
    code,
    word: (byte) => words[byte],
    isUnset: (byte) => byte === 0 || byte === nullByte,
  };
}

/** The letters of a FIX table as char values. */
function letters<Word extends string>({ code }: fix.Codes<Word>): ByteCodes<Word> {
  const bytes: Partial<Record<Word, number>> = {};
  for (const word of Object.keys(code) as Word[]) bytes[word] = code[word].charCodeAt(0);
  // Only zero is the null value of a char.
  return { ...byteCodes(bytes as Record<Word, number>), isUnset: (byte) => byte === 0 };
}

export const sides = letters(fix.sides);
export const ordTypes = letters(fix.ordTypes);
export const lifetimes = letters(fix.lifetimes);
export const execTypes = letters(fix.execTypes);
export const ordStatuses = letters(fix.ordStatuses);
export const quoteResponses = letters(fix.quoteResponses);
export const subscriptions = letters(fix.subscriptions);

export const books = byteCodes<BookWord>({ YES: Book.YES, NO: Book.NO });
export const stpModes = byteCodes<StpWord | 'none'>({
  cancel_maker: StpMode.CancelMaker,
  cancel_taker: StpMode.CancelTaker,
  reject: StpMode.Reject,
  skip_self: StpMode.SkipSelf,
  none: StpMode.None,
});
export const triggerDirections = byteCodes<DirectionWord>({
  at_or_above: TriggerDirection.AtOrAbove,
  at_or_below: TriggerDirection.AtOrBelow,
});
export const conditionalKinds = byteCodes<ConditionalWord>({
  take_profit: ConditionalKind.TakeProfit,
  stop_loss: ConditionalKind.StopLoss,
});
export const algoKinds = byteCodes<AlgoWord>({
  iceberg: AlgoKind.Iceberg,
  twap: AlgoKind.Twap,
  vwap: AlgoKind.Vwap,
});
export const marketKinds = byteCodes<MarketWord>({
  spot: MarketKind.Spot,
  binary: MarketKind.Binary,
  prediction: MarketKind.Prediction,
});
