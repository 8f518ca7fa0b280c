/**
 * Determines the books that a command needs before it can be checked: a market order for its price, any order for a
 * collar.
 */
import type { Command, RequestedTerms } from '../../domain/command.ts';
import { isDenial } from '../../domain/denial.ts';
import type { InstrumentList, InstrumentRef } from '../../domain/instrument.ts';
import { type Decimal, type Side, toAtoms } from '../../domain/units.ts';
import { referenceOf, type TopOfBook } from './authorize.ts';
import type { PriceNeed } from './book-watch.ts';
import type { Principal } from './principal.ts';

/** Whether a price collar of the session or of one of its accounts applies to its orders. */
export function isCollared({ accounts, guard }: Principal): boolean {
  return guard.hasCollar || accounts.some((bound) => bound.guard.hasCollar);
}

export function priceNeeds(
  command: Command,
  principal: Principal,
  instruments: InstrumentList,
): readonly PriceNeed[] {
  switch (command.kind) {
    case 'new_order':
    case 'replace_order':
      return ofTerms(command, principal, instruments);
    case 'mass_quote':
    case 'quote': {
      const entries =
        command.kind === 'quote' ? [command.entry] : command.sets.flatMap((set) => set.entries);
      return entries.flatMap(({ ask, bid, instrument }) => [
        ...ofPrice(instrument, 'Bid', bid?.price ?? null, principal, instruments),
        ...ofPrice(instrument, 'Ask', ask?.price ?? null, principal, instruments),
      ]);
    }
    default:
      return [];
  }
}

function ofTerms(
  { instrument: ref, terms }: { instrument: InstrumentRef; terms: RequestedTerms },
  principal: Principal,
  instruments: InstrumentList,
): readonly PriceNeed[] {
  const { ordType, price, side, stopPrice } = terms;
  // A conditional order is meant to be priced away from the market.
  if (stopPrice !== null) return [];
  if (ordType !== 'market' || price !== null) {
    return ofPrice(ref, side, price, principal, instruments);
  }
  const instrument = instruments.resolve(ref);
  return isDenial(instrument) ? [] : [{ instrument, isEnough: () => false }];
}

/** If an order is outside the collar by an older book, the book is read again. */
function ofPrice(
  ref: InstrumentRef,
  side: Side,
  price: Decimal | null,
  principal: Principal,
  instruments: InstrumentList,
): readonly PriceNeed[] {
  if (price === null || !isCollared(principal)) return [];
  const instrument = instruments.resolve(ref);
  if (isDenial(instrument)) return [];
  const atoms = toAtoms(price, instrument.market.priceScale);
  if (atoms === undefined) return [];
  const guards = [principal.guard, ...principal.accounts.map((bound) => bound.guard)];
  const isEnough = (top: TopOfBook) =>
    guards.every((guard) => guard.isWithinCollar(side, atoms, referenceOf(side, top)));
  return [{ instrument, isEnough }];
}
