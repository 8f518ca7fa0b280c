import { expect, test, vi } from 'vitest';
import { readAgain, writeAlarm, writeLine } from '../../src/cli/operator-log.ts';
import { createLog } from '../../src/runtime/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }));
  return lines.map((line) => JSON.parse(line));
}

test('a line has its event, its facts and the level of its event, and no key for folding', () => {
  const facts = {
    event: 'connection_refused',
    address: '10.0.0.7',
    tls: true,
    about: 'x',
  } as const;
  const [line] = logged((log) => writeLine(log, 'refused: wrong password', facts));
  expect(line).toEqual({
    runbook: 'docs/OPERATING.md#a-client-cannot-log-on',
    level: 'warn',
    time: expect.any(String),
    event: 'connection_refused',
    address: '10.0.0.7',
    tls: true,
    msg: 'refused: wrong password',
  });
});

test('an alarm is an error with a link to the runbook', () => {
  const [line] = logged((log) =>
    writeAlarm(log, 'the stream is latched', { event: 'stream_latched', account: 'desk' }),
  );
  expect(line).toMatchObject({
    level: 'error',
    alarm: true,
    event: 'stream_latched',
    runbook: 'docs/OPERATING.md#reports-are-late',
    account: 'desk',
  });
});

test('a secret in the text is masked', () => {
  const [line] = logged((log) => writeLine(log, 'got 554=hunter2\u0001', { event: 'logged_on' }));
  expect(JSON.stringify(line)).not.toContain('hunter2');
});

test('a configuration that is read again is noted, and a wrong one is an alarm and changes nothing', async () => {
  const lines = { notice: vi.fn(), alarm: vi.fn() };
  expect(await readAgain('a.yaml', async () => 'new', lines)).toBe('new');
  expect(lines.notice).toHaveBeenCalledWith('a.yaml was read again', { event: 'config_read' });
  const wrong = () => {
    throw new Error('markets: missing');
  };
  expect(await readAgain('a.yaml', wrong, lines)).toBeUndefined();
  expect(lines.alarm).toHaveBeenCalledWith('the configuration stays as it was: markets: missing', {
    event: 'config_refused',
  });
});
