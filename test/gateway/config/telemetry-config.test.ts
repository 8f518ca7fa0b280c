import { expect, test } from 'vitest';
import {
  alarmWebhook,
  metricsExport,
  tracing,
} from '../../../src/gateway/config/telemetry-config.ts';

const url = 'http://127.0.0.1:4318/v1';

test('a webhook needs the file of its URL, which is not in the configuration itself', () => {
  expect(alarmWebhook.parse({ urlFile: 'u' })).toEqual({ urlFile: 'u' });
  expect(alarmWebhook.parse({ urlFile: 'u', tokenFile: 't' })).toEqual({
    urlFile: 'u',
    tokenFile: 't',
  });
  for (const wrong of [{}, { urlFile: '' }, { url }, { urlFile: 'u', url }]) {
    expect(alarmWebhook.safeParse(wrong).success).toBe(false);
  }
});

test('one order in a hundred is traced, from none to all', () => {
  expect(tracing.parse({ url })).toEqual({ url, ratio: 0.01 });
  const isTaken = (ratio: unknown) => tracing.safeParse({ url, ratio }).success;
  expect([0, 1, 0.5].map(isTaken)).toEqual([true, true, true]);
  expect([-0.01, 1.01, Number.NaN, '0.5'].map(isTaken)).toEqual([false, false, false, false]);
});

test('metrics are sent each minute, every 5 seconds at most, and once an hour at least', () => {
  expect(metricsExport.parse({ url })).toEqual({ url, everySeconds: 60 });
  const isTaken = (everySeconds: unknown) => metricsExport.safeParse({ url, everySeconds }).success;
  expect([4, 5, 3_600, 3_601, 7.5].map(isTaken)).toEqual([false, true, true, false, false]);
});

test.each([tracing, metricsExport])('a collector has a URL of HTTP', (schema) => {
  const isTaken = (text: unknown) => schema.safeParse({ url: text }).success;
  expect(['https://collector.example', 'http://localhost:4318'].map(isTaken)).toEqual([true, true]);
  expect(['ftp://collector.example', 'collector', '', undefined].map(isTaken)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
