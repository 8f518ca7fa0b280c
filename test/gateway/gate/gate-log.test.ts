import { expect, test } from 'vitest';
import type { MarketId } from '../../../src/domain/units.ts';
import { gateLog } from '../../../src/gateway/gate/gate-log.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import type { VenueState } from '../../../src/venue/gate.ts';

function opened() {
  const clock = new ManualClock();
  const lines: string[] = [];
  const write = (text: string, { event, code }: { event: string; code?: string | undefined }) =>
    lines.push(`${event} ${code ?? '-'} ${text}`);
  const log = gateLog({ clock, alarm: write, notice: write });
  const moved = (state: VenueState, reason: string) => log({ kind: 'venue', state, reason });
  return { clock, lines, log, moved };
}

test('a venue that takes no orders is an alarm with its state and reason, and that it takes them again is a line', () => {
  const { lines, moved } = opened();
  moved('unreachable', 'no answer within 5000 ms');
  moved('open', '');
  expect(lines).toEqual([
    'venue_closed unreachable no orders are placed: the venue is unreachable: no answer within 5000 ms',
    'venue_open - the venue accepts orders',
  ]);
});

test('a venue that opens and closes all the time is one alarm a minute for each of its states', () => {
  const { clock, lines, moved } = opened();
  for (let count = 0; count < 10; count += 1) {
    moved('not_ready', 'recovering');
    moved('open', '');
  }
  moved('halted', 'by the operator');
  clock.advance(60_000);
  moved('not_ready', 'recovering');
  expect(lines.filter((line) => line.startsWith('venue_closed'))).toEqual([
    'venue_closed not_ready no orders are placed: the venue is not ready: recovering',
    'venue_closed halted no orders are placed: the venue has halted trading: by the operator',
    'venue_closed not_ready no orders are placed: the venue is not ready: recovering; 9 more since the last one',
  ]);
});

test('a market that is halted and resumes is a line each', () => {
  const { lines, log } = opened();
  for (const state of ['halted', 'closed', 'open'] as const)
    log({ kind: 'market', market: 7 as MarketId, state });
  expect(lines).toEqual([
    'market_halted - market 7 is halted',
    'market_halted - market 7 is closed',
    'market_resumed - market 7 trades again',
  ]);
});
