/** The shipped dictionaries, and what the decoder looks up in them; test/interop compares them with two other engines. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { causeway44, fix44 } from '../../src/fix/dictionaries.ts';
import {
  compileDictionary,
  type Dictionary,
  isEnumerated,
  isGroup,
  kindOf,
  loadDictionary,
  maxDictionaryTag,
  requiredOf,
  sectionOf,
  sections,
} from '../../src/fix/dictionary.ts';
import { readDictionaryXml } from '../../src/fix/dictionary-xml.ts';
import { kind } from '../../src/fix/value-kind.ts';

const folder = join(import.meta.dirname, '../../dictionaries');
const ruleOf = (dictionary: Dictionary, msgType: string, tag: number) =>
  dictionary.messages.get(msgType)?.rules[dictionary.fieldOf[tag] ?? 0] ?? 0;

test('FIX44.xml has the 93 messages and 912 fields of the standard', () => {
  expect(fix44().beginString).toBe('FIX.4.4');
  expect(fix44().messages.size).toBe(93);
  expect(fix44().fields.length - 1).toBe(912);
  expect([...fix44().messages.values()].filter(({ admin }) => admin)).toHaveLength(8);
});

test('a rule says section, requirement, values, group and kind', () => {
  const rule = (tag: number) => ruleOf(fix44(), 'D', tag);
  expect(sectionOf(rule(49))).toBe(sections.header);
  expect(sectionOf(rule(54))).toBe(sections.body);
  expect(sectionOf(rule(10))).toBe(sections.trailer);
  expect([54, 58].map((tag) => requiredOf(rule(tag)))).toEqual([1, 0]);
  expect([54, 58].map((tag) => isEnumerated(rule(tag)))).toEqual([true, false]);
  expect([453, 58].map((tag) => isGroup(rule(tag)))).toEqual([true, false]);
  expect(kindOf(rule(44))).toBe(kind.decimal);
  expect(rule(41)).toBe(0);
});

test('a field is required only if every component that holds it is', () => {
  expect(requiredOf(ruleOf(fix44(), 'D', 55))).toBe(0);
  expect(fix44().messages.get('A')?.required).toEqual([8, 9, 35, 49, 56, 34, 52, 98, 108, 10]);
});

test('CAUSEWAY44.xml offers the messages of the rules of engagement and no others', () => {
  const offered =
    '0 1 2 3 4 5 A D 8 F 9 G i b S AI Z q r H AF x y e f g h V W Y j B BE BF AD AE AQ AR'.split(
      ' ',
    );
  const own = ['UR', 'UA', 'UK', 'UT', 'UO'];
  expect([...causeway44().messages.keys()].sort()).toEqual([...offered, ...own].sort());
  for (const msgType of offered) expect(fix44().messages.has(msgType)).toBe(true);
});

test('CAUSEWAY44.xml has the custom tags 9101 to 9114', () => {
  const kinds = Array.from({ length: 14 }, (_, i) => {
    const field = causeway44().fields[causeway44().fieldOf[9101 + i] ?? 0];
    return `${field?.tag} ${field?.name} ${field?.kind}`;
  });
  const { text, int, decimal, count, boolean } = kind;
  expect(kinds).toEqual([
    `9101 VenueRejectNumber ${int}`,
    `9102 VenueCode ${text}`,
    `9103 Book ${text}`,
    `9104 StpMode ${text}`,
    `9105 TriggerDirection ${text}`,
    `9106 ConditionalKind ${text}`,
    `9107 AlgoKind ${text}`,
    `9108 SliceQty ${decimal}`,
    `9109 SliceIntervalMs ${int}`,
    `9110 VenueSeq ${count}`,
    `9111 NonceConsumed ${boolean}`,
    `9112 ParentOrderID ${text}`,
    `9113 LegIndex ${int}`,
    `9114 ReduceOnly ${boolean}`,
  ]);
  for (let tag = 9101; tag <= 9114; tag++) expect(ruleOf(causeway44(), '8', tag)).not.toBe(0);
});

test('CAUSEWAY44.xml says of each standard field what FIX44.xml says', () => {
  for (const field of causeway44().fields) {
    if (field === undefined || field.tag >= 9101 || field.tag === 35 || field.tag === 847) continue;
    expect(field).toEqual(fix44().fields[fix44().fieldOf[field.tag] ?? 0]);
  }
});

test.each(['FIX44.xml', 'CAUSEWAY44.xml'])('code can be generated from %s', (file) => {
  const xml = readFileSync(join(folder, file), 'utf8');
  const fields = xml.slice(xml.indexOf('<fields>')).split('<field ').slice(1);
  for (const field of fields) {
    const names = [...field.matchAll(/description="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size, field).toBe(names.length);
    for (const name of names) expect(name, field).toMatch(/^[A-Z][A-Z0-9_]*$/);
  }
  const used = new Set(
    [...xml.matchAll(/<(?:field|group) name="(\w+)" required/g)].map(([, n]) => n),
  );
  const defined = fields.map((field) => /name="(\w+)"/.exec(field)?.[1]);
  expect(defined.filter((name) => !used.has(name))).toEqual([]);
});

const minimal = (body: string, fields: string) =>
  compileDictionary(
    readDictionaryXml(
      `<fix major="4" minor="4"><header/><trailer/><messages><message name="M" msgtype="0" msgcat="admin">${body}</message></messages><components><component name="Loop"><component name="Loop"/></component><component name="Deep"><group name="A"><component name="Deep"/></group></component></components><fields>${fields}</fields></fix>`,
    ),
  );
const a = '<field number="1" name="A" type="STRING"/>';

test.each([
  ['<field name="B"/>', a, 'M: no field B'],
  ['<component name="C"/>', a, 'M: no component C'],
  ['<component name="Loop"/>', a, 'components nest without end'],
  ['<component name="Deep"/>', a, 'groups nest without end'],
  ['<field name="A"/><field name="A"/>', a, 'A appears twice in one message'],
  ['<group name="A"/>', a, 'group A is empty'],
  ['', a + a, 'A(1) is defined twice'],
  ['', '<field number="1" name="A" type="WHAT"/>', 'unknown type WHAT'],
  ['', '<field number="0" name="A" type="INT"/>', 'number 0 is not 1..9999'],
  ['', '<field number="10000" name="A" type="INT"/>', 'number 10000 is not'],
  ['', '<field number="x" name="A" type="INT"/>', 'number NaN is not'],
  ['', '<field number="1" name="A" type="DATA"/>', 'data field A: no ALen'],
])('a dictionary with %s %s is refused: %s', (body, fields, error) => {
  expect(() => minimal(body, fields)).toThrow(error);
});

test('a file that cannot be used is named', () => {
  expect(() => loadDictionary(import.meta.filename)).toThrow(/dictionary\.test\.ts: .*not XML/);
});

test('tags up to the highest are in the table', () => {
  expect(fix44().fieldOf).toHaveLength(maxDictionaryTag + 1);
});
