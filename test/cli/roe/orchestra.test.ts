import { expect, test } from 'vitest';
import { type MessageUse, messageUses } from '../../../src/cli/roe/message-uses.ts';
import { orchestra } from '../../../src/cli/roe/orchestra.ts';
import { causeway44 } from '../../../src/fix/dictionaries.ts';
import {
  compileDictionary,
  type Dictionary,
  type GroupInfo,
  type MessageInfo,
  sectionOf,
  tagsIn,
} from '../../../src/fix/dictionary.ts';
import { readDictionaryXml } from '../../../src/fix/dictionary-xml.ts';
import { kind, type ValueKind } from '../../../src/fix/value-kind.ts';
import { readXml, type XmlElement } from '../../../src/runtime/xml-tree.ts';

/** Presence and tag of each member in order; the members of a group follow its count field. */
type Members = (string | Members)[];

function inDictionary(of: MessageInfo | GroupInfo, dictionary: Dictionary): Members {
  const orderOf = (tag: number): number => {
    const number = dictionary.fieldOf[tag] ?? 0;
    return 'places' in of ? (of.places[number] ?? 0) : sectionOf(of.rules[number] ?? 0);
  };
  const tags = tagsIn(of.rules, dictionary).toSorted((a, b) => orderOf(a) - orderOf(b));
  return tags.flatMap((tag) => {
    const group = of.groups.get(tag);
    const own = `${of.required.includes(tag) ? 'required' : 'optional'} ${tag}`;
    return group === undefined ? [own] : [own, inDictionary(group, dictionary)];
  });
}

const attribute = (element: XmlElement, name: string) => element.attributes.get(name) ?? '';
const childrenOf = (element: XmlElement, name: string) =>
  element.children.find((child) => child.name === name)?.children ?? [];

function read(dictionary: Dictionary, uses: readonly Pick<MessageUse, 'msgType'>[], name = 'R') {
  const root = readXml(orchestra(name, dictionary, uses as readonly MessageUse[]));
  const groups = new Map(childrenOf(root, 'groups').map((one) => [attribute(one, 'id'), one]));
  const membersOf = (elements: readonly XmlElement[]): Members =>
    elements.flatMap((element) => {
      const id = attribute(element, 'id');
      const presence = attribute(element, 'presence');
      if (element.name === 'fieldRef') return [`${presence} ${id}`];
      const [count, ...members] = groups.get(id)?.children ?? [];
      expect([element.name, count?.name]).toEqual(['groupRef', 'numInGroup']);
      return [`${presence} ${attribute(count!, 'id')}`, membersOf(members)];
    });
  const messages = childrenOf(root, 'messages').map((message): [string, Members] => {
    return [attribute(message, 'msgType'), membersOf(childrenOf(message, 'structure'))];
  });
  const list = (section: string) => childrenOf(root, section);
  const fields = list('fields').map((field) => [...field.attributes.values()]);
  return { root, list, fields, messages: new Map(messages) };
}

const everything = read(causeway44(), messageUses);

test('each message has the fields and groups of its own, at any depth, in the order of the wire', () => {
  const infos = messageUses.map(({ msgType }) => causeway44().messages.get(msgType)!);
  expect(infos.length).toBeGreaterThan(30);
  for (const info of infos) {
    const found = everything.messages.get(info.msgType);
    expect(found, info.name).toEqual(inDictionary(info, causeway44()));
  }
});

test('ids and names are given once in each list, and codes once in each field', () => {
  const { list } = everything;
  for (const section of ['codeSets', 'fields', 'groups', 'messages', 'datatypes']) {
    for (const key of ['id', 'name'].slice(section === 'datatypes' ? 1 : 0)) {
      const keys = list(section).map((element) => attribute(element, key));
      expect([section, key, keys.length]).toEqual([section, key, new Set(keys).size]);
    }
  }
  const codes = list('codeSets').map(({ children }) =>
    children.map((code) => attribute(code, 'name')),
  );
  for (const names of codes) expect(new Set(names).size).toBe(names.length);
  const ids = list('codeSets').flatMap(({ children }) =>
    children.map((code) => attribute(code, 'id')),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('there are the fields that the messages use and no others, each of a type that is listed', () => {
  const used = new Set(JSON.stringify([...everything.messages.values()]).match(/\d+/g));
  const ids = everything.fields.map(([id]) => id);
  expect(new Set(ids)).toEqual(used);
  expect(ids).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
  const [plain, sets] = [everything.list('datatypes'), everything.list('codeSets')];
  const known = new Set([...plain, ...sets].map((type) => attribute(type, 'name')));
  const named = [
    ...everything.fields.map(([, , type]) => type),
    ...sets.map((set) => attribute(set, 'type')),
  ];
  expect(named.filter((type) => !known.has(type ?? ''))).toEqual([]);
});

const field = (number: number, name: string, type: string, values = '') =>
  `<field number="${number}" name="${name}" type="${type}">${values}</field>`;

function dictionaryOf(parts: string, fields: string): Dictionary {
  const message = `<message name="Order" msgtype="XY" msgcat="app">${parts}</message>`;
  return compileDictionary(
    readDictionaryXml(
      `<fix major="4" minor="4"><header/><trailer/><components/><messages>${message}</messages><fields>${fields}</fields></fix>`,
    ),
  );
}

test('a value has its meaning as a name, or its number, and its text is escaped', () => {
  const values = [
    ['1', 'BUY-SIDE 2'],
    ['&lt;&quot;', 'ODD'],
    ['3', ''],
  ].map(([value, meaning]) => `<value enum="${value}" description="${meaning}"/>`);
  const dictionary = dictionaryOf(
    '<field name="Side" required="Y"/><field name="Text" required="N"/>',
    field(7, 'Side', 'CHAR', values.join('')) + field(58, 'Text', 'STRING', '<value enum="ONE"/>'),
  );
  const { fields, list, messages } = read(dictionary, [{ msgType: 'XY' }]);
  const codes = list('codeSets').map(({ attributes, children }) => [
    Object.fromEntries(attributes),
    ...children.map((code) => [...code.attributes.values()]),
  ]);
  expect(codes).toEqual([
    [
      { name: 'SideCodeSet', id: '7', type: 'char' },
      ['BUY_SIDE_2', '7001', '1'],
      ['ODD', '7002', '<"'],
      ['VALUE_2', '7003', '3'],
    ],
    [{ name: 'TextCodeSet', id: '58', type: 'String' }, ['VALUE_0', '58001', 'ONE']],
  ]);
  expect(fields).toEqual([
    ['7', 'Side', 'SideCodeSet'],
    ['58', 'Text', 'TextCodeSet'],
  ]);
  expect(messages).toEqual(new Map([['XY', ['required 7', 'optional 58']]]));
  expect(attribute(list('messages')[0]!, 'id')).toBe(String(88 * 128 + 89));
});

test('the title may have any text', () => {
  const { root } = read(causeway44(), [{ msgType: '0' }], 'A & "B" <C>');
  expect(attribute(root, 'name')).toBe('A & "B" <C>');
  expect(childrenOf(root, 'metadata')[0]?.text).toBe('A & "B" <C>');
});

test('every kind of value has a type of its own name or of its base', () => {
  const types: [ValueKind, type: string, orchestra: string][] = [
    [kind.text, 'CURRENCY', 'String'],
    [kind.int, 'INT', 'int'],
    [kind.count, 'SEQNUM', 'int'],
    [kind.decimal, 'PRICE', 'float'],
    [kind.char, 'CHAR', 'char'],
    [kind.boolean, 'BOOLEAN', 'Boolean'],
    [kind.utcTimestamp, 'UTCTIMESTAMP', 'UTCTimestamp'],
    [kind.date, 'LOCALMKTDATE', 'UTCDateOnly'],
    [kind.utcTime, 'UTCTIMEONLY', 'UTCTimeOnly'],
    [kind.monthYear, 'MONTHYEAR', 'MonthYear'],
    [kind.words, 'MULTIPLEVALUESTRING', 'MultipleStringValue'],
    [kind.data, 'DATA', 'data'],
  ];
  expect(types.map(([of]) => of).sort()).toEqual(Object.values(kind).sort());
  const dictionary = dictionaryOf(
    types.map((_, index) => `<field name="F${index}" required="N"/>`).join(''),
    [
      field(99, 'F11Len', 'LENGTH'),
      ...types.map(([, type], at) => field(at + 1, `F${at}`, type)),
    ].join(''),
  );
  const { fields } = read(dictionary, [{ msgType: 'XY' }]);
  expect(fields.map(([, , type]) => type)).toEqual(types.map(([, , type]) => type));
});

test('a message that the dictionary does not have is refused by its name', () => {
  expect(() => orchestra('R', causeway44(), [{ msgType: 'zz' }] as never)).toThrow(
    'message zz is not in the dictionary',
  );
});
