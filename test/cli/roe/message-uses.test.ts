import { expect, test } from 'vitest';
import { messageUses } from '../../../src/cli/roe/message-uses.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';

const dictionary = causeway44();

test('every message of the dictionary that is not of the session layer has its purpose', () => {
  const offered = [...dictionary.messages.values()].filter(({ admin }) => !admin);
  expect(messageUses.map(({ msgType }) => msgType).sort()).toEqual(
    offered.map(({ msgType }) => msgType).sort(),
  );
});

test.each(messageUses)('each field of $msgType stands in the dictionary', ({ msgType, tags }) => {
  const info = dictionary.messages.get(msgType)!;
  const places = [info.rules, ...[...info.groups.values()].flatMap(placesOf)];
  for (const tag of tags === 'all' ? [] : tags) {
    const number = dictionary.fieldOf[tag] ?? 0;
    expect(
      places.some((table) => table[number] !== 0),
      `${tag} in ${msgType}`,
    ).toBe(true);
  }
});

type Group =
  typeof dictionary.messages extends ReadonlyMap<string, infer Info>
    ? Info extends { groups: ReadonlyMap<number, infer One> }
      ? One
      : never
    : never;

function placesOf(group: Group): Uint16Array[] {
  return [group.places, ...[...group.groups.values()].flatMap(placesOf)];
}
