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
import { hashOf, sandbox, signed } from './samples.ts';

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
  const send = signed(3);
  const actionHash = hashOf(send);
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
});
