import { expect, test } from 'vitest';
import { createLog } from '../../src/runtime/log.ts';

function logged(use: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  use(createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }));
  return lines;
}

test('a canary secret is in no line, whichever way it was handed to the log', () => {
  const canary = 'canary-4711';
  const lines = logged((log) => {
    log.info(`logon 554=${canary}\x01`);
    log.info({ raw: Buffer.from(`35=A\x01554=${canary}\x01`) }, 'received');
    log.info({ password: canary, deep: { secret: canary } }, 'settings');
    log.info('said %s', `sps_${canary}`);
    log.info({ err: new Error(`Bearer ${canary}`) }, 'failed');
    log.error(new Error(`554=${canary}\x01`));
    log.error(new Error(`554=${canary}\x01`), `925=${canary}`);
    log.child({ token: canary }).child({ secret: canary }).info('as a child');
  });
  expect(lines).toHaveLength(8);
  expect(lines.join('')).not.toContain(canary);
});

test('each event is one line of JSON with its time and level by name', () => {
  const [line = ''] = logged((log) => log.warn({ session: 'A' }, 'line one\nline two\x1b[2J'));
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(JSON.parse(line)).toMatchObject({
    level: 'warn',
    session: 'A',
    msg: 'line one\\x0aline two\\x1b[2J',
  });
  expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('an error keeps its type, text and cause', () => {
  const [line = ''] = logged((log) =>
    log.error(new RangeError('too much', { cause: new Error('full') }), 'stopped'),
  );
  const { err, msg } = JSON.parse(line);
  expect(msg).toBe('stopped');
  expect(err).toMatchObject({ type: 'RangeError', message: 'too much' });
  expect(err.cause).toMatchObject({ message: 'full' });
});

test('below its level the log says nothing', () => {
  expect(logged((log) => log.debug('hidden'))).toEqual([]);
});
