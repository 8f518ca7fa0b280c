import { afterAll, expect, test } from 'vitest';
import { open, spot } from './client.ts';

const venue = await open();
afterAll(() => venue.stop());

test('a signed order rests, shows in the book and on the stream', async () => {
  const client = venue.client(0);
  const { body, status } = await client.act(spot());
  expect(body).toMatchObject({ accepted: true });
  expect(status).toBe(200);
  const book = await client.get('/api/v1/markets/1/orderbook?depth=5');
  expect(book.body.bids).toEqual([[50_000_000_000, 1_000_000]]);
  const stream = await client.stream(1);
  const events = await stream.events(1);
  expect(events.map(({ kind }) => kind)).toEqual(['resting']);
  expect(events[0].orderId).toBe(body.derivedOrderId);
  stream.close();
});
