/**
 * The dictionaries against QuickFIX C++: it loads both files unchanged and takes what our framer writes, and the
 * facts in them are those that its own FIX 4.4 headers were generated from. Needs Debian's libquickfix-dev. And against
 * jspurefix, which comes with a dictionary of its own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fix44 } from '../../src/fix/dictionaries.ts';
import {
  compileDictionary,
  type Dictionary,
  type GroupInfo,
  sectionOf,
  sections,
} from '../../src/fix/dictionary.ts';
import { readDictionaryXml } from '../../src/fix/dictionary-xml.ts';
import { message, toText } from '../support/fix-text.ts';
import { jspurefixHome } from '../support/jspurefix.ts';

const headers = '/usr/include/quickfix';
const dictionaries = join(import.meta.dirname, '../../dictionaries');
const folder = mkdtempSync(join(tmpdir(), 'causeway-dictionary-'));
const program = join(folder, 'check');

/** Answers one line for each message: the type of a good one, or what QuickFIX has against it. */
const source = `
#include <quickfix/DataDictionary.h>
#include <quickfix/Message.h>
#include <algorithm>
#include <iostream>
int main(int, char **argv) {
  const FIX::DataDictionary dictionary(argv[1]);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::replace(line.begin(), line.end(), '|', '\\001');
    try {
      FIX::Message message;
      message.setString(line, true, &dictionary, &dictionary);
      FIX::DataDictionary::validate(message, &dictionary, &dictionary);
      std::cout << message.getHeader().getField(35) << std::endl;
    } catch (const std::exception &error) {
      std::cout << error.what() << std::endl;
    }
  }
}`;

beforeAll(() => {
  const cpp = join(folder, 'check.cpp');
  writeFileSync(cpp, source);
  execFileSync('g++', ['-std=c++14', '-w', cpp, '-o', program, '-lquickfix']);
});

afterAll(() => rmSync(folder, { recursive: true }));

function quickFix(dictionary: string, messages: readonly Uint8Array[]): string[] {
  const input = messages.map((bytes) => `${toText(bytes)}\n`).join('');
  const output = execFileSync(program, [join(dictionaries, dictionary)], {
    input,
    encoding: 'utf8',
  });
  return output.trim().split('\n');
}

const order = '11=ID|21=1|38=2|40=2|44=1.5|54=1|55=BTC-USDC|60=20261121-10:38:16.123|';

test.each(['FIX44.xml', 'CAUSEWAY44.xml'])(
  'QuickFIX C++ loads %s and validates with it',
  (file) => {
    const good = [
      message('D', `${order}453=2|448=A|447=D|452=1|448=B|447=D|452=3|`),
      message('F', '41=ID|11=ID2|55=X|54=1|60=20261121-10:38:16|38=2|'),
      message('y', '320=a|322=b|560=0|146=2|55=X|15=USDC|55=Y|15=USDC|'),
      message('i', '117=Q|296=1|302=S|304=1|295=1|299=a|55=X|132=1|133=2|'),
    ];
    expect(quickFix(file, good)).toEqual(['D', 'F', 'y', 'i']);
    expect(quickFix(file, [message('D', `${order}41=x|`)])[0]).toMatch(/Tag not defined/);
  },
);

test('QuickFIX C++ knows the custom tags from CAUSEWAY44.xml', () => {
  const custom = message('D', `${order}847=1001|9103=YES|9104=none|9108=1.5|9114=Y|`);
  expect(quickFix('CAUSEWAY44.xml', [custom])).toEqual(['D']);
  const wrong = message('D', `${order}9109=soon|`);
  expect(quickFix('CAUSEWAY44.xml', [wrong])[0]).toMatch(/Incorrect data format/);
});

const tagByName = new Map(
  [...readFileSync(join(headers, 'FixFieldNumbers.h'), 'utf8').matchAll(/int (\w+) = (\d+);/g)].map(
    ([, name = '', tag]) => [name, Number(tag)],
  ),
);

interface Facts {
  readonly tags: number[];
  readonly groups: Map<number, Facts & { order: string }>;
}

/** The fields and groups that a header declares, in the order of the standard. */
function readHeader(text: string): Facts {
  const whole: Facts = { tags: [], groups: new Map() };
  const stack: Facts[] = [whole];
  const found = text.matchAll(
    /FIELD_SET\(\*this, FIX::(\w+)\)|FIX::Group\((\d+),\d+,FIX::message_order\(([\d,]+),0\)\)|^\s*\};/gm,
  );
  for (const [, field, count, order] of found) {
    const top = stack.at(-1);
    if (top === undefined) break;
    if (field !== undefined) top.tags.push(tagByName.get(field) ?? 0);
    else if (count !== undefined) {
      const group = { tags: [], groups: new Map(), order: order ?? '' };
      top.groups.set(Number(count), group);
      stack.push(group);
    } else stack.pop();
  }
  return whole;
}

/** Without the groups inside, which the headers leave out of the order where a component holds them. */
function groupOrder(dictionary: Dictionary, group: GroupInfo): string {
  return [...group.places.entries()]
    .filter(([, place]) => place > 0)
    .sort(([, a], [, b]) => a - b)
    .map(([number]) => dictionary.fields[number]?.tag ?? 0)
    .filter((tag) => !group.groups.has(tag))
    .join(',');
}

function compareGroups(where: string, ours: ReadonlyMap<number, GroupInfo>, theirs: Facts): void {
  expect([...ours.keys()].sort(), where).toEqual([...theirs.groups.keys()].sort());
  for (const [count, group] of ours) {
    const other = theirs.groups.get(count);
    const order = other?.order.split(',').filter((tag) => !group.groups.has(Number(tag)));
    expect(groupOrder(fix44(), group), `${where}/${count}`).toBe(order?.join(','));
    if (other !== undefined) compareGroups(`${where}/${count}`, group.groups, other);
  }
}

test('FIX44.xml states the fields, groups and orders of the headers of QuickFIX C++', () => {
  const files = readdirSync(join(headers, 'fix44')).filter((file) => !file.startsWith('Message'));
  let compared = 0;
  for (const file of files) {
    const text = readFileSync(join(headers, 'fix44', file), 'utf8');
    const msgType = /MsgType\("(\w+)"\)/.exec(text)?.[1] ?? '';
    const ours = fix44().messages.get(msgType);
    if (ours === undefined) throw new Error(`${file}: no message ${msgType}`);
    const theirs = readHeader(text);
    const body = fix44().fields.filter(
      (field, number) => field && sectionOf(ours.rules[number] ?? 0) === sections.body,
    );
    const tags = body.map((field) => field?.tag ?? 0).sort((a, b) => a - b);
    expect(tags, file).toEqual(theirs.tags.toSorted((a, b) => a - b));
    compareGroups(file, new Map([...ours.groups].filter(([tag]) => tag !== 627)), theirs);
    compared += 1;
  }
  expect(compared).toBe(93);
});

test('jspurefix reads the same fields, types, values and messages', () => {
  const other = readDictionaryXml(readFileSync(join(jspurefixHome(), 'data/FIX44.xml'), 'utf8'));
  const ours = readDictionaryXml(readFileSync(join(dictionaries, 'FIX44.xml'), 'utf8'));
  const byTag = (fields: typeof ours.fields) =>
    new Map(fields.map(({ tag, type, values }) => [tag, { type, values: [...values].sort() }]));
  expect(byTag(ours.fields)).toEqual(byTag(other.fields));
  const compiled = compileDictionary(other);
  for (const [msgType, { name, required }] of fix44().messages) {
    const theirs = compiled.messages.get(msgType);
    expect(theirs?.name).toBe(name);
    expect([...(theirs?.required ?? [])].sort()).toEqual([...required].sort());
  }
});
