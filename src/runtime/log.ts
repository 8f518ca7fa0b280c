/** The log: one JSON line for each event, redacted so that no secret leaves the process (`redact.ts`). */
import { type DestinationStream, type Logger, pino } from 'pino';
import { redact, redactText } from './redact.ts';
import { standardOutput } from './standard-output.ts';

export type Log = Logger;

export interface LogSettings {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly destination?: DestinationStream;
}

export function createLog({ level, destination = standardOutput }: LogSettings): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: redactRecord,
      },
      // Everything is redacted above; the usual serializers would restore the text.
      serializers: { err: (shown) => shown },
      hooks: {
        logMethod(parts, log) {
          log.apply(this, withTextRedacted(parts) as Parameters<typeof log>);
        },
      },
    },
    destination,
  );
  // pino hands the members of a child to no formatter; children inherit this method.
  const { child } = log;
  log.child = function (this: Log, members: object, ...more: []) {
    return child.call(this, redactRecord(members), ...more);
  } as typeof log.child;
  return log;
}

function redactRecord(record: object): Record<string, unknown> {
  return redact(record) as Record<string, unknown>;
}

/** `log.info('text')`, `log.info({…}, 'text', …)`, `log.error(error, 'text')`. */
function withTextRedacted(parts: readonly unknown[]): unknown[] {
  const [first, ...more] = parts;
  if (first instanceof Error)
    return [
      { err: first },
      ...(more.length > 0 ? more.map(textRedacted) : [redactText(first.message)]),
    ];
  return [textRedacted(first), ...more.map(textRedacted)];
}

function textRedacted(part: unknown): unknown {
  return typeof part === 'string' ? redactText(part) : part;
}
