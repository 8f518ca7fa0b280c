/**
 * A client reduces an order that it knows to be open, at its price, which a venue can do without a new order: random
 * commands seldom ask for that. By the habit `crossings` the order then often trades while the request is on its way.
 */
import type { Chain, ClientLog } from './client-log.ts';
import type { Dice } from './dice.ts';
import { instruments, qtyText } from './random-commands.ts';
import { replaceMark } from './venue-ledger.ts';

interface Reducing {
  readonly log: Pick<ClientLog, 'chains'>;
}

/** New, partially filled or replaced. */
const resting = new Set(['0', '1', '5']);

/** Sometimes: the client and its command, if it has such an order. Without the dice never. */
export function reduction<Client extends Reducing>(
  clients: readonly Client[],
  dice: Dice | undefined,
  serial: () => number,
): { readonly client: Client; readonly line: string } | undefined {
  if (dice?.hits(250) !== true) return undefined;
  const client = dice.pick(clients);
  const open = [...client.log.chains].filter(({ status }) => resting.has(status));
  if (open.length === 0) return undefined;
  const line = reducedBy(dice.pick(open), dice, `${replaceMark}r${serial()}`);
  return line === undefined ? undefined : { client, line };
}

function reducedBy({ side, symbol, told }: Chain, dice: Dice, id: string): string | undefined {
  const last = told.at(-1) ?? '';
  const of = (tag: string) => new RegExp(`\\|${tag}=([^|]+)`).exec(last)?.[1];
  const [clOrdId, price, qty, cumQty] = ['11', '44', '38', '14'].map(of);
  const instrument = instruments.find((one) => one.symbol === symbol);
  if (instrument === undefined || price === undefined || qty === undefined) return undefined;
  const lotsOf = (text = '0') =>
    Math.round((Number(text) * 10 ** instrument.qtyScale) / instrument.lot);
  const [all, done] = [lotsOf(qty), lotsOf(cumQty)];
  // An odd quantity is no other command's.
  const lots = done + 1 + dice.below(Math.max(1, all - done - 1));
  const odd = lots % 2 === 0 ? lots - 1 : lots;
  return `G|11=${id}|41=${clOrdId}|55=${symbol}|54=${side}|38=${qtyText(instrument, odd)}|40=2|44=${price}|59=1|60=now`;
}
