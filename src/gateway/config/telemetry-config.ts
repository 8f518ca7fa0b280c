/** The telemetry part of a configuration: alarms, metrics and traces that leave the gateway. */
import { z } from 'zod';
import { key } from '../../runtime/yaml-problem.ts';
import { file, integerOr } from './config-keys.ts';

export const alarmWebhook = z
  .strictObject({
    urlFile: key(
      file,
      'The file with the URL that receives alarms, because such a URL often contains a secret; other users must not be able to read it.',
      'secrets/alarm-url',
    ),
    tokenFile: key(
      file.optional(),
      'The file with a token that is sent as `Authorization: Bearer`; other users must not be able to read it.',
      'secrets/alarm-token',
    ),
  })
  .describe(
    'Sends each alarm of the log to a URL as JSON, besides the log itself. See [operating](OPERATING.md#alarms-to-a-webhook).',
  );

export const tracing = z
  .strictObject({
    url: key(
      z.url({ protocol: /^https?$/ }).meta({ title: 'URL' }),
      'The OpenTelemetry collector that receives the traces, over OTLP/HTTP.',
      'http://127.0.0.1:4318/v1/traces',
    ),
    ratio: key(
      z.number().min(0).max(1).default(0.01).meta({ unit: 'share of orders' }),
      'How many orders are traced: 0.01 is one in a hundred.',
      0.1,
    ),
  })
  .describe(
    'Sends traces of orders to OpenTelemetry. Needs packages that are installed separately, see [operating](OPERATING.md#traces).',
  );

export const metricsExport = z
  .strictObject({
    url: key(
      z.url({ protocol: /^https?$/ }).meta({ title: 'URL' }),
      'The OpenTelemetry collector that receives the metrics, over OTLP/HTTP.',
      'http://127.0.0.1:4318/v1/metrics',
    ),
    everySeconds: key(
      integerOr(60, 5, 3_600).meta({ unit: 's' }),
      'How often the metrics are sent.',
      15,
    ),
  })
  .describe(
    'Sends the [metrics](METRICS.md) to OpenTelemetry, besides `/metrics`. Needs `console` and packages that are installed separately, see [operating](OPERATING.md#metrics-to-opentelemetry).',
  );
