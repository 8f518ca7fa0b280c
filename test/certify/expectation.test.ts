import { expect, test } from 'vitest';
import { Bindings } from '../../src/certify/bindings.ts';
import { judge } from '../../src/certify/expectation.ts';
import { heard } from './messages.ts';

const basis = { rule: 'rule', ref: 'ref' };
const report = heard(
  '8|37=O|11=mine|17=E|150=0|39=0|55=X|54=1|151=1.50|14=0|6=0|58=too low by two',
);

function unmet(text: string): readonly string[] {
  const bindings = new Bindings(
    () => undefined,
    (name) => name,
    { leaves: '1.5' },
  );
  return judge({ text }, report, bindings, basis)
    .filter(({ isMet }) => !isMet)
    .map(({ name, wanted, got }) => `${name} ${wanted}/${got}`);
}

test('each tag of a line is a verdict of its own, with the rule that it follows', () => {
  const bindings = new Bindings(
    () => undefined,
    (name) => name,
    {},
  );
  const step = { text: '8|11=$a|150=0', tags: { '150': { rule: 'own', ref: 'own ref' } } };
  const verdicts = judge(step, report, bindings, basis);
  expect(verdicts.map(({ tag, rule, isMet }) => [tag, rule, isMet])).toEqual([
    [35, 'rule', true],
    [11, 'rule', true],
    [150, 'own', true],
  ]);
  expect(bindings.value('$a')).toBe('mine');
});

test('values may be any, one of some, a part, absent, or the same decimal', () => {
  expect(unmet('8|37=*|39=(A,0)|58=~TOO LOW|151=$leaves|-41')).toEqual([]);
});

test('what is not so is named', () => {
  expect(unmet('8|39=(1,2)|58=~high|41=*|-58|151=2')).toEqual([
    'OrdStatus(39) 1 or 2/0',
    'Text(58) contains "high"/too low by two',
    'OrigClOrdID(41) any value/absent',
    'LeavesQty(151) 2/1.50',
    'Text(58) absent/too low by two',
  ]);
  expect(unmet('9|11=mine')).toEqual(['MsgType(35) 9 OrderCancelReject/8 ExecutionReport']);
});

test('another value than one that is known', () => {
  expect(unmet('8|11=!yours')).toEqual([]);
  expect(unmet('8|11=!mine')).toEqual(['ClOrdID(11) not mine/mine']);
});

test('credentials are in no verdict', () => {
  const logon = heard('A|98=0|108=30|553=me|554=hunter2');
  const bindings = new Bindings(
    () => undefined,
    (name) => name,
    {},
  );
  const verdicts = judge({ text: 'A|553=*|554=*' }, logon, bindings, basis);
  expect(verdicts.every(({ isMet }) => isMet)).toBe(true);
  expect(JSON.stringify(verdicts)).not.toContain('hunter2');
});
