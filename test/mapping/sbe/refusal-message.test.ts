/** Refusals over SBE tell the facts of the FIX lane, for every code of contract D and every kind of request (D.0, D.6). */

import { describe, expect, test } from 'vitest';
import { writeRefusal } from '../../../src/mapping/fix/refusal-message.ts';
import { takeRequest } from '../../../src/mapping/sbe/requests.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import { refusalNumbers, refusals } from '../../../src/venue/refusals.ts';
import { fixLine } from '../../acceptance/parity/fix-words.ts';
import { orders, requestOf } from '../../acceptance/parity/fixp-words.ts';
import { fieldOf } from '../../support/fix-peer.ts';
import { denied } from '../../support/venue-denial.ts';
import { nowMs, received, said, settings } from '../fix/wire.ts';

const at = '60=20260105-12:00:00';
const bodies = {
  D: `11=ORD-1|1=desk|55=BTC-USDC|54=1|${at}|38=1.5|40=2|44=10`,
  F: `11=C-1|41=ORD-1|1=desk|55=BTC-USDC|54=1|${at}`,
  G: `11=R-1|41=ORD-1|1=desk|55=BTC-USDC|54=1|${at}|38=1|40=2|44=10`,
  i: '117=Q1|1=desk|296=1|302=s1|304=1|295=1|299=e1|55=BTC-USDC|132=1|134=1',
  S: '117=Q2|1=desk|55=BTC-USDC|132=10|134=1',
  Z: '117=Q3|298=4',
  q: `11=M-1|530=7|${at}`,
  H: '11=ORD-1|790=S1|55=BTC-USDC|54=1',
  AF: '584=S2|585=7',
  V: '262=V1|263=0|264=1|267=1|269=0|146=1|55=BTC-USDC',
  x: '320=X1|559=4',
  e: '324=E1|55=BTC-USDC|263=0',
  g: '335=G1|263=0',
  BE: '923=U1|924=4|553=ann',
} as const;

/** MsgType, states, reasons, the venue's number and code, the words, and the names by which a client knows the request. */
const tags =
  '35 150 39 434 531 103 102 532 297 300 380 281 560 326 340 567 926 9101 9102 58 9111 11 41 117 262 320 324 335 584 790 923 372 379';

function factsOf(line: string): Record<string, string | undefined> {
  return Object.fromEntries(tags.split(' ').map((tag) => [tag, fieldOf(line, tag)]));
}

function overSbe(
  msgType: keyof typeof bodies,
  name: string,
  nonceConsumed: boolean | null,
): string {
  const message = requestOf(`${msgType}|${bodies[msgType].replace(/60=[^|]*/, '60=now')}`);
  const request = takeRequest(encodeMessage(orders, message));
  if (typeof request === 'string') throw new Error(request);
  const denial = { ...denied(name, 'because'), isSpent: nonceConsumed };
  const out = Buffer.alloc(4096);
  const bytes = request.refuse(out, {
    denial,
    settings,
    execId: 'A1-r7',
    nowMs,
    about: undefined,
    seq: 9,
  });
  const told = decodeMessage(orders, bytes);
  if (typeof told === 'string') throw new Error(told);
  // A generated decoder of another language throws for a value that the schema does not have.
  expect(told.outOfRange).toEqual([]);
  return fixLine(told, []);
}

function overFix(
  msgType: keyof typeof bodies,
  name: string,
  nonceConsumed: boolean | null,
): string {
  const message = received(msgType, bodies[msgType]);
  const denial = { ...denied(name, 'because'), isSpent: nonceConsumed };
  const facts = { execId: 'A1-r7', nowMs };
  return `${said((out) => writeRefusal(out, message, denial, settings, facts))}|`;
}

describe('R59, R116: every row of the table of refusals reads the same on both lanes', () => {
  test.each(Object.keys(bodies) as (keyof typeof bodies)[])('as the answer to %s', (msgType) => {
    for (const { name } of refusals) {
      const [fix, sbe] = [
        factsOf(overFix(msgType, name, null)),
        factsOf(overSbe(msgType, name, null)),
      ];
      expect(sbe, name).toEqual(fix);
    }
  });
});

test('VenueRejectNumber is one of the table, or null', () => {
  const numbers = refusals.map(({ name }) => fieldOf(overSbe('D', name, null), '9101'));
  for (const number of numbers) {
    if (number !== undefined) expect(refusalNumbers).toContain(Number(number));
  }
  expect(new Set(numbers).size).toBeGreaterThan(10);
});
