/** What became of an action, by its receipt, over a real socket to a scripted venue. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { HttpClient } from '../../src/venue/http-client.ts';
import { reconcile } from '../../src/venue/reconcile.ts';
import { VenueReads } from '../../src/venue/venue-reads.ts';
import {
  type ScriptedAnswer,
  type ScriptedVenue,
  startScriptedVenue,
} from '../support/scripted-venue.ts';
import { sandbox, signed } from './samples.ts';

let venue: ScriptedVenue;
let http: HttpClient;
let reads: VenueReads;
const says = (answer: ScriptedAnswer) => venue.answer(() => answer);

beforeAll(async () => {
  venue = await startScriptedVenue(() => ({}));
  http = new HttpClient({ baseUrl: venue.baseUrl, rules: sandbox.http, clock: systemClock });
  reads = new VenueReads(http, sandbox);
});
afterAll(async () => {
  await http.close();
  await venue.stop();
});

describe('R48: what became of an action is what its receipt says', () => {
  const { account, hash } = signed(3);
  const send = { account, hash, nonce: null };
  const actionHash = `0x${hash}`;
  test.each([
    [[{ actionHash, status: 'resting', seq: 4 }], { kind: 'applied', seq: 4 }],
    [[{ actionHash, status: 'filled' }], { kind: 'applied', seq: null }],
    [
      [
        {
          actionHash,
          status: 'rejected',
          rejectCode: 'ENGINE_REJECTED',
          rejectReason: 'fok_not_filled',
        },
      ],
      { kind: 'refused', refusal: { name: 'fok_not_filled' } },
    ],
    [[{ actionHash, status: 'rejected' }], { kind: 'refused', refusal: { name: 'no_reason' } }],
    [
      [
        { actionHash, status: 'rejected', rejectCode: 'NONCE_REJECTED' },
        { actionHash, status: 'resting', seq: 9 },
      ],
      { kind: 'applied', seq: 9 },
    ],
    [
      [
        { actionHash, status: 'rejected', rejectCode: 'NONCE_REJECTED' },
        { actionHash, status: 'rejected', rejectCode: 'insufficient_balance' },
      ],
      { kind: 'refused', refusal: { name: 'insufficient_balance' } },
    ],
    [[{ actionHash, status: 'rejected', rejectCode: 'NONCE_REJECTED' }], { kind: 'nothing' }],
    [[{ actionHash, status: 'rejected', rejectCode: 'DUPLICATE_NONCE' }], { kind: 'nothing' }],
    [[{ actionHash, status: 'rejected', rejectCode: 'duplicate_order_id' }], { kind: 'nothing' }],
    [[{ actionHash: `0x${'00'.repeat(32)}`, status: 'resting' }], { kind: 'nothing' }],
    [[], { kind: 'nothing' }],
  ])('%j', async (receipts, found) => {
    says({ body: { receipts } });
    expect(await reconcile(reads, send)).toMatchObject(found);
    expect(venue.requests.at(-1)?.target).toContain(`actionHash=${actionHash}`);
  });

  test('receipts that cannot be read are no proof', async () => {
    says({ status: 503, body: 'down' });
    expect(await reconcile(reads, send)).toMatchObject({ kind: 'unreadable' });
  });

  describe('an action that has been unknown for long', () => {
    const long = { ...send, nonce: 3 };
    const other = `0x${'11'.repeat(32)}`;
    const refused = { actionHash: other, nonce: 3, status: 'rejected' };

    test.each([
      ['a refused fence', [{ ...refused, rejectCode: 'order_not_found' }], 'superseded'],
      ['an action of another program', [{ ...refused, status: 'resting' }], 'superseded'],
      ['an action with another nonce', [{ ...refused, nonce: 4 }], 'nothing'],
      ['a refusal for the nonce itself', [{ ...refused, rejectCode: 'NONCE_REJECTED' }], 'nothing'],
      ['its own receipt, shown only now', [{ ...refused, actionHash }], 'nothing'],
    ])('asks who used its nonce: %s', async (_, newest, kind) => {
      venue.answer(({ target }) => ({
        body: { receipts: target.includes('actionHash') ? [] : newest },
      }));
      expect(await reconcile(reads, long)).toMatchObject({ kind });
    });

    test('asks who used its nonce, even if the venue kept the refusal of a copy for that nonce', async () => {
      const copy = { ...refused, actionHash, rejectCode: 'nonce_replayed' };
      const newest = [copy, { ...refused, status: 'resting' }];
      venue.answer(({ target }) => ({
        body: { receipts: target.includes('actionHash') ? [copy] : newest },
      }));
      expect(await reconcile(reads, long)).toMatchObject({ kind: 'superseded' });
    });

    test('is applied if its own receipt says so, whoever else used the nonce', async () => {
      says({
        body: {
          receipts: [
            { ...refused, status: 'resting' },
            { actionHash, status: 'resting' },
          ],
        },
      });
      expect(await reconcile(reads, long)).toMatchObject({ kind: 'applied' });
    });
  });
});
