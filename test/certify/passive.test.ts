import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lineBytes, readable } from '../../src/certify/fix-line.ts';
import { parseInterview, select } from '../../src/certify/interview.ts';
import { judgeLog, readLog } from '../../src/certify/passive.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';
import { fixpMessage } from './messages.ts';

const { scenarios } = loadCatalogue(join(import.meta.dirname, '../../certification'));
const interview = parseInterview(
  JSON.stringify({
    counterparty: { name: 'a', software: 'b', version: '1' },
    direction: 'acceptor',
    session: { senderCompId: 'PEER', targetCompId: 'CAUSEWAY', heartBtInt: 30 },
    address: { port: 0 },
    features: ['orders'],
  }),
  'test',
);
const selected = select(scenarios, interview);
const wallMs = Date.UTC(2026, 0, 5, 12);

/** `> 1 …` of the counterparty, `< 1 …` of ours. */
function log(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [, sign, seq, text = ''] = /^([<>]) (\d+) (.*)$/.exec(line) ?? [];
      const isPeer = sign === '>';
      const [senderCompId, targetCompId] = isPeer ? ['PEER', 'CAUSEWAY'] : ['CAUSEWAY', 'PEER'];
      const header = { senderCompId, targetCompId, msgSeqNum: Number(seq), wallMs };
      return `12:00:00 INFO ${readable(lineBytes(text, header))}`;
    })
    .join('\n');
}

const order = 'D|11=mine|55=ETH-USDC|54=1|38=3|40=2|44=1999|59=1|60=now';
const report = '37=O|17=E|55=ETH-USDC|54=1|6=0|38=3';
const traffic = [
  '> 1 A|98=0|108=30',
  '< 1 A|98=0|108=30',
  `> 2 ${order}`,
  `< 2 8|11=mine|150=0|39=0|151=3|14=0|${report}`,
  '> 3 F|11=gone|41=mine|55=ETH-USDC|54=1|60=now',
  `< 3 8|11=gone|41=mine|150=4|39=4|151=0|14=0|${report}`,
];

test('a scenario is shown where its messages stand in their order, with its own symbols', () => {
  const { messages, sightings, faults } = judgeLog(
    readLog(log(traffic), interview),
    selected,
    interview,
  );
  expect(messages).toBe(6);
  expect(faults).toEqual([]);
  const of = (id: string) => sightings.find((one) => one.id === id)?.lines;
  expect(of('X-01')).toEqual([3, 4, 5, 6]);
  expect(of('X-06')).toEqual([]);
});

test('what is in another order shows nothing, and a broken rule is told with its line', () => {
  const mixed = [...traffic.slice(0, 2), traffic[4]!, traffic[3]!, traffic[2]!, traffic[5]!];
  const { sightings, faults } = judgeLog(readLog(log(mixed), interview), selected, interview);
  expect(sightings.find(({ id }) => id === 'X-01')?.lines).toEqual([]);
  expect(faults.map(({ line, verdict }) => [line, verdict.tag])).toEqual([
    [3, 34],
    [5, 34],
  ]);
});

test('over FIXP an answer repeats the Timestamp of a request of ours, and 0 is none', () => {
  const fixp = { ...interview, protocol: 'fixp', direction: 'initiator' } as const;
  const SessionId = 'ab'.repeat(16);
  const requested = String(BigInt(Date.now()) * 1_000_000n);
  const faultsOf = (RequestTimestamp: string) =>
    judgeLog(
      [
        fixpMessage('Negotiate', { SessionId, Timestamp: requested }),
        fixpMessage('UnsequencedHeartbeat', { SessionId }),
        fixpMessage('NegotiationResponse', { SessionId, RequestTimestamp }),
      ].map((message, at) => ({ line: at + 1, isPeer: at === 2, message })),
      [],
      fixp,
    ).faults.map(({ verdict }) => verdict.name);
  expect(faultsOf(requested)).toEqual([]);
  expect(faultsOf('0')).toEqual(['RequestTimestamp']);
});
