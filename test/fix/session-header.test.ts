import { expect, test } from 'vitest';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { HeaderCheck, isStandardType } from '../../src/fix/session-header.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

const wallMs = Date.UTC(2026, 0, 5, 12);
const check = new HeaderCheck(
  sessionSettings({ identity: { senderCompId: 'B', targetCompId: 'C' }, role: 'acceptor' }),
);

function message(fields: string) {
  const decoder = new Decoder(fix44());
  decoder.push(clientBytes(`0|34=1|${fields}`, { client: 'C', server: 'B' }, wallMs));
  expect(decoder.next()).toBe('message');
  return decoder.message;
}

test('CompIDs are compared whole', () => {
  expect(check.compIdsAndTime(message(''), wallMs)).toBeUndefined();
  expect(check.compIdsAndTime(message('49=CC'), wallMs)).toEqual({ reject: 'compId', tag: 49 });
  expect(check.compIdsAndTime(message('56=b'), wallMs)).toEqual({ reject: 'compId', tag: 56 });
});

test('SendingTime may be 120 seconds off, either way', () => {
  for (const seconds of [-120, 0, 120]) {
    expect(check.compIdsAndTime(message(''), wallMs + seconds * 1000)).toBeUndefined();
  }
  for (const ms of [-120_001, 120_001]) {
    const fault = { reject: 'sendingTime', tag: 52 };
    expect(check.compIdsAndTime(message(''), wallMs + ms)).toEqual(fault);
  }
});

test('OrigSendingTime must be there and not later', () => {
  expect(check.possDup(message('43=Y|122=now-1s'))).toBeUndefined();
  expect(check.possDup(message('43=Y|122=now'))).toBeUndefined();
  expect(check.possDup(message('43=Y|122=now+1s'))?.reject).toBe('sendingTime');
  expect(check.possDup(message('43=Y'))?.reject).toBe('requiredTagMissing');
});

test('the standard types are those of the dictionary', () => {
  const all = [...fix44().messages.keys()];
  expect(all).toHaveLength(93);
  for (const msgType of all) expect(isStandardType(msgType), msgType).toBe(true);
  for (const msgType of ['I', 'O', 'U', 'BI', 'ZZ', '', 'AAA', 'U1']) {
    expect(isStandardType(msgType), msgType).toBe(false);
  }
});
