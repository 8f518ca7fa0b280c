import { expect, test } from 'vitest';
import { parseQuickfix } from '../../../src/cli/import/quickfix-settings.ts';

test('a session has the defaults, and its own words outrank them', () => {
  const { sessions, faults } = parseQuickfix(
    '# desk\r\n[DEFAULT]\r\nHeartBtInt=30\r\nBeginString = FIX.4.4\r\n\r\n[session]\r\nHEARTBTINT=10\r\nX=a=b\r\n[SESSION]\r\n',
  );
  expect(faults).toEqual([]);
  expect(sessions.map((session) => session.get('heartbtint')?.value)).toEqual(['10', '30']);
  expect(sessions[0]?.get('x')).toEqual({ key: 'X', value: 'a=b', line: 8 });
  expect(sessions[1]?.get('beginstring')?.line).toBe(4);
});

test.each([
  ['A=b', 'line 1: A is before the first section'],
  ['[SESSION]\nwords', 'line 2: neither a section nor Key=Value'],
  ['[SESSION]\n=x', 'line 2: neither'],
  ['', 'no [SESSION] section'],
])('%j is told with its line', (text, fault) => {
  expect(parseQuickfix(text).faults.join('\n')).toContain(fault);
});
