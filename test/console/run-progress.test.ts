/** What the page shows of a certification, from the lines of the program that plays it. */
import { expect, test } from 'vitest';
import { afterLine, begun as begin, ended, type RunState } from '../../src/console/run-progress.ts';

const say = (state: RunState, line: object) => afterLine(state, JSON.stringify(line));
const verdict = { name: 'MsgType(35)', wanted: 'A', got: '5', isMet: false, rule: 'Logon first' };

function begun(): RunState {
  const waiting = { text: 'waiting on 127.0.0.1:1', scenarios: ['S-01', 'O-01'] };
  const state = say(begin('acme', 7), { kind: 'waiting', ...waiting });
  return say(state, { kind: 'started', id: 'O-01', title: 'Limit order' });
}

test('a prompt is there until what it asks for was seen', () => {
  let state = begun();
  state = say(state, {
    kind: 'prompt',
    prompt: { scenario: 'O-01', text: 'Send D', line: 'D|11=x' },
  });
  expect(state).toMatchObject({
    waiting: 'waiting on 127.0.0.1:1',
    total: 2,
    playing: { id: 'O-01' },
    prompt: { text: 'Send D', line: 'D|11=x' },
  });
  state = say(state, { kind: 'promptOver' });
  expect(state.prompt).toBeNull();
});

test('the ladder shows each message as text, and what was wanted of it in words', () => {
  let state = begun();
  const raw = Buffer.from('8=FIX.4.4\x0135=5\x0158=<b>\x0110=000\x01').toString('base64');
  state = say(state, {
    kind: 'rung',
    id: 'O-01',
    rung: { atMs: 1, from: 'peer', label: '5 Logout', raw, verdicts: [verdict] },
  });
  expect(state.steps).toEqual([
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
  let state = begun();
  const rung = { atMs: 1, from: 'desk', label: 'x', verdicts: [] };
  for (let count = 0; count < 200; count += 1)
    state = say(state, { kind: 'rung', id: 'O-01', rung });
  expect(state.steps).toHaveLength(60);
});

test('a scenario that is over takes its place in the list, and the end is told from a fall', () => {
  let state = begun();
  const over = { id: 'O-01', title: 'Limit order', outcome: 'failed', reason: 'no answer' };
  state = say(state, { kind: 'finished', ...over });
  expect(state).toMatchObject({ playing: null, finished: [over], isOver: false });
  state = say(state, { kind: 'done' });
  state = ended(state, '');
  expect(state).toMatchObject({ isRunning: false, isOver: true, fault: '' });
});

test.each(['', 'no JSON', '[]', '{"kind":"waiting"}', '{"passed":3}'])(
  'the line %j says nothing',
  (line) => {
    const state = begun();
    expect(afterLine(state, line)).toBe(state);
  },
);
