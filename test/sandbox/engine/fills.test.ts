import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExecutionFill } from '../../../src/sandbox/engine/event.ts';
import { type Filled, FillTable, noRow } from '../../../src/sandbox/engine/fills.ts';

function fillOf(tradeNo: number): ExecutionFill {
  const liquidity = tradeNo % 3 === 0 ? 'maker' : 'taker';
  const amounts = { price: 2 ** 52 + tradeNo, qty: tradeNo, feeMicro: -tradeNo };
  return { fillId: `t${tradeNo}`, ...amounts, liquidity, tsMs: 1_700_000_000_000 };
}

test('orders find their own fills, oldest first, whatever is taken back or forgotten beside them', () => {
  const owner = fc.nat({ max: 4 });
  const kind = fc.constantFrom('append', 'append', 'append', 'takeBack', 'forget');
  const steps = fc.array(fc.tuple(owner, kind), { maxLength: 200, size: 'max' });
  const property = fc.property(steps, (taken) => {
    const table = new FillTable();
    const owners = Array.from({ length: 5 }, () => ({ firstFill: noRow, lastFill: noRow }));
    const before: number[][] = owners.map(() => []);
    const kept: ExecutionFill[][] = owners.map(() => []);
    for (const [tradeNo, [index, what]] of taken.entries()) {
      const one = owners[index] as Filled;
      if (what === 'append') {
        before[index]?.push(one.lastFill);
        table.append(one, fillOf(tradeNo));
        kept[index]?.push(fillOf(tradeNo));
      } else if (what === 'takeBack' && kept[index]?.pop() !== undefined) {
        table.takeBack(one, before[index]?.pop() ?? noRow);
      } else if (what === 'forget') {
        table.forget(one);
        before[index] = [];
        kept[index] = [];
      }
    }
    expect(owners.map((each) => table.of(each))).toEqual(kept);
  });
  fc.assert(property, { numRuns: 200 });
});

test('the table grows, and rows that are free are used before it does', () => {
  const table = new FillTable();
  const owner: Filled = { firstFill: noRow, lastFill: noRow };
  for (let tradeNo = 0; tradeNo < 3000; tradeNo += 1) table.append(owner, fillOf(tradeNo));
  expect(table.of(owner)).toEqual(Array.from({ length: 3000 }, (_, tradeNo) => fillOf(tradeNo)));
  table.forget(owner);
  for (let tradeNo = 0; tradeNo < 3000; tradeNo += 1) table.append(owner, fillOf(tradeNo));
  expect(owner.lastFill).toBeLessThan(3000);
});
