/** The codes that the rules of engagement tell a counterparty, against what the bridge does with each of them. */
import { expect, test } from 'vitest';
import { fieldNotes } from '../../../src/cli/roe/field-notes.ts';
import type { AlgoRequest, Command } from '../../../src/domain/command.ts';
import { isDenial } from '../../../src/domain/denial.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import { readCommand } from '../../../src/mapping/fix/read-command.ts';
import { readSettings, received } from '../../mapping/fix/wire.ts';

const order = '11=A|55=BTC-USDC|60=20260105-12:00:00|38=1|44=1';
const terms = `${order}|40=2|54=1`;
const dictionary = causeway44();

/** A request that is whole but for the field in question. */
const requests: readonly (readonly [tag: number, msgType: string, rest: string])[] = [
  [18, 'D', terms],
  [40, 'D', `${order}|54=1`],
  [54, 'D', `${order}|40=2`],
  [59, 'D', terms],
  [77, 'D', terms],
  [847, 'D', `${terms}|848=slice_qty=1;interval_ms=1000`],
  [263, 'V', '262=R|264=0|267=1|269=0|146=1|55=BTC-USDC'],
  [298, 'Z', '117=Q|295=1|55=BTC-USDC'],
  [301, 'Z', '117=Q|298=4'],
  [530, 'q', '11=A|55=BTC-USDC|60=20260105-12:00:00'],
  [559, 'x', '320=R|55=BTC-USDC'],
  [585, 'AF', '584=R|55=BTC-USDC'],
  [924, 'BE', '923=R|553=me'],
];

function read(msgType: string, rest: string, tag: number, code: string) {
  const before = rest.replace(/(295|267|146)=/, `${tag}=${code}|$1=`);
  const body = before === rest ? `${rest}|${tag}=${code}` : before;
  return readCommand(received(msgType, body), readSettings);
}

test.each(requests)(
  'the note on %i of %s lists the codes that are taken, and no other',
  (...at) => {
    const [tag, msgType, rest] = at;
    const { values } = dictionary.fields[dictionary.fieldOf[tag]!]!;
    const isTaken = (code: string) => !isDenial(read(msgType, rest, tag, code));
    const isTold = (code: string) =>
      new RegExp(`(^|, |: )${code}( |,|;|$)`).test(fieldNotes[tag] ?? '');
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter(isTold)).toEqual(values.filter(isTaken));
  },
);

test('each code of TargetStrategy(847) is listed with the algo that it starts', () => {
  const started = (code: string): string => {
    const command = read('D', `${terms}|848=slice_qty=1;interval_ms=1000`, 847, code);
    const { algo } = (command as Extract<Command, { kind: 'new_order' }>).terms;
    return (algo as AlgoRequest).kind.toUpperCase();
  };
  for (const code of ['1', '1001']) {
    expect(fieldNotes[847]).toContain(`${code} ${started(code)}`);
  }
});
