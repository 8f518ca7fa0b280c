/** What the page shows of a certification, from the lines of the program that plays it. */
import { expect, test } from 'vitest';
import { RunProgress } from '../../src/console/run-progress.ts';

const say = (progress: RunProgress, line: object) => progress.take(JSON.stringify(line));
const verdict = { name: 'MsgType(35)', wanted: 'A', got: '5', isMet: false, rule: 'Logon first' };

function begun(): RunProgress {
  const progress = new RunProgress('acme', 7);
  say(progress, { kind: 'waiting', text: 'waiting on 127.0.0.1:1', scenarios: ['S-01', 'O-01'] });
  say(progress, { kind: 'started', id: 'O-01', title: 'Limit order' });
  return progress;
}

test('a prompt is there until what it asks for was seen', () => {
  const progress = begun();
  say(progress, { kind: 'prompt', prompt: { scenario: 'O-01', text: 'Send D', line: 'D|11=x' } });
  expect(progress.state).toMatchObject({
    waiting: 'waiting on 127.0.0.1:1',
    total: 2,
    playing: { id: 'O-01' },
    prompt: { text: 'Send D', line: 'D|11=x' },
  });
  say(progress, { kind: 'promptOver' });
  expect(progress.state.prompt).toBeNull();
});

test('the ladder shows each message as text, and what was wanted of it in words', () => {
  const progress = begun();
  const raw = Buffer.from('8=FIX.4.4\x0135=5\x0158=<b>\x0110=000\x01').toString('base64');
  say(progress, {
    kind: 'rung',
    id: 'O-01',
    rung: { atMs: 1, from: 'peer', label: '5 Logout', raw, verdicts: [verdict] },
  });
  expect(progress.state.steps).toEqual([
    {
      atMs: 1,
      from: 'peer',
      label: '5 Logout',
      text: '8=FIX.4.4|35=5|58=<b>|10=000|',
      faults: ['MsgType(35): wanted A, got 5. Logon first'],
    },
  ]);
});

test('what is kept of a run has an end', () => {
  const progress = begun();
  const rung = { atMs: 1, from: 'desk', label: 'x', verdicts: [] };
  for (let count = 0; count < 200; count += 1) say(progress, { kind: 'rung', id: 'O-01', rung });
  expect(progress.state.steps).toHaveLength(60);
});

test('a scenario that is over takes its place in the list, and the end is told from a fall', () => {
  const progress = begun();
  const over = { id: 'O-01', title: 'Limit order', outcome: 'failed', reason: 'no answer' };
  say(progress, { kind: 'finished', ...over });
  expect(progress.state).toMatchObject({ playing: null, finished: [over], isOver: false });
  say(progress, { kind: 'done' });
  progress.end('');
  expect(progress.state).toMatchObject({ isRunning: false, isOver: true, fault: '' });
});

test.each(['', 'no JSON', '[]', '{"kind":"waiting"}', '{"passed":3}'])(
  'the line %j says nothing',
  (line) => {
    const progress = begun();
    const before = progress.state;
    progress.take(line);
    expect(progress.state).toBe(before);
  },
);
