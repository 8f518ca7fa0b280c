/** What is packed, and for whom. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encoded } from '../../src/console/encoding.ts';

const text = JSON.stringify({ rows: Array.from({ length: 200 }, (_, id) => ({ id })) });
const json = 'application/json; charset=utf-8';

test.each(['gzip', 'gzip, deflate, br', 'br, gzip', 'br;q=1.0, gzip;q=0.8, *;q=0.1'])(
  'who takes %j gets it packed, and the same when unpacked',
  async (accepted) => {
    const { body, headers } = await encoded(text, json, accepted);
    expect(headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'gzip' });
    expect(body.length).toBeLessThan(text.length / 2);
    expect(gunzipSync(body).toString()).toBe(text);
  },
);

test.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.000, br', 'xgzip'])(
  'who takes %j gets it as it is',
  async (accepted) => {
    expect(await encoded(text, json, accepted)).toEqual({
      body: text,
      headers: { vary: 'accept-encoding' },
    });
  },
);

test('what is short, and what are bytes for a file, stays as it is', async () => {
  expect((await encoded('{"csrf":"x"}', json, 'gzip')).body).toBe('{"csrf":"x"}');
  expect(await encoded(text, 'application/octet-stream', 'gzip')).toEqual({
    body: text,
    headers: {},
  });
});

test('what is served again and again is packed once', async () => {
  const bytes = Buffer.from(text);
  const [first, again] = [await encoded(bytes, json, 'gzip'), await encoded(bytes, json, 'gzip')];
  expect(again.body).toBe(first.body);
});
