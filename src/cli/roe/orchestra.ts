/**
 * The machine-readable rules of engagement: a FIX Orchestra repository (FIX Orchestra 1.0, repository 2020) with the
 * fields, code sets, groups and messages of one session.
 */

import {
  type Dictionary,
  type GroupInfo,
  type MessageInfo,
  sectionOf,
  tagsIn,
} from '../../fix/dictionary.ts';
import { kind, type ValueKind } from '../../fix/value-kind.ts';
import { escaped } from '../../runtime/xml-tree.ts';
import { messageInfo } from './message-fields.ts';
import type { MessageUse } from './message-uses.ts';

const namespace = 'http://fixprotocol.io/2020/orchestra/repository';
const dublinCore = 'http://purl.org/dc/elements/1.1/';

/** Orchestra's datatypes for the value kinds of the dictionary. */
const datatypes: Readonly<Record<ValueKind, string>> = {
  [kind.text]: 'String',
  [kind.int]: 'int',
  [kind.count]: 'int',
  [kind.decimal]: 'float',
  [kind.char]: 'char',
  [kind.boolean]: 'Boolean',
  [kind.utcTimestamp]: 'UTCTimestamp',
  [kind.date]: 'UTCDateOnly',
  [kind.utcTime]: 'UTCTimeOnly',
  [kind.monthYear]: 'MonthYear',
  [kind.words]: 'MultipleStringValue',
  [kind.data]: 'data',
};

export function orchestra(
  name: string,
  dictionary: Dictionary,
  uses: readonly MessageUse[],
): string {
  const messages = uses.map(({ msgType }) => messageInfo(msgType, dictionary));
  const groups: Groups = new Map();
  const messageTexts = messages.map((message) => messageText(message, dictionary, groups));
  const sections = [...messages, ...[...groups.values()].map(({ group }) => group)];
  const tags = new Set(sections.flatMap(({ rules }) => tagsIn(rules, dictionary)));
  const fields = [...tags].sort((a, b) => a - b).map((tag) => fieldOf(tag, dictionary));
  const enumerated = fields.filter(({ values }) => values.length > 0);
  const types = [...new Set(fields.map(({ type }) => type))].sort();
  return `<?xml version="1.0" encoding="UTF-8"?>
<fixr:repository xmlns:fixr="${namespace}" xmlns:dc="${dublinCore}" name="${escaped(name)}" version="FIX.4.4">
  <fixr:metadata><dc:title>${escaped(name)}</dc:title></fixr:metadata>
  <fixr:datatypes>
${types.map((type) => `    <fixr:datatype name="${type}"/>`).join('\n')}
  </fixr:datatypes>
  <fixr:codeSets>
${enumerated.map(codeSet).join('\n')}
  </fixr:codeSets>
  <fixr:fields>
${fields.map(fieldText).join('\n')}
  </fixr:fields>
  <fixr:groups>
${[...groups.values()].map(({ text }) => text).join('\n')}
  </fixr:groups>
  <fixr:messages>
${messageTexts.join('\n')}
  </fixr:messages>
</fixr:repository>
`;
}

type OrchestraField = ReturnType<typeof fieldOf>;

function fieldOf(tag: number, { fieldOf: numbers, fields }: Dictionary) {
  const found = fields[numbers[tag] ?? 0];
  if (found === undefined) throw new Error(`tag ${tag} is not in the dictionary`);
  return { ...found, type: datatypes[found.kind] };
}

function codeSet({ tag, name, type, values, meanings }: OrchestraField): string {
  const codes = values.map((value, index) => {
    const label = (meanings[index] || `VALUE_${index}`).replace(/\W/g, '_');
    return `<fixr:code name="${label}" id="${tag * 1000 + index + 1}" value="${escaped(value)}"/>`;
  });
  return entry('codeSet', `name="${name}CodeSet" id="${tag}" type="${type}"`, codes);
}

function fieldText({ tag, name, type, values }: OrchestraField): string {
  return `    <fixr:field id="${tag}" name="${name}" type="${values.length > 0 ? `${name}CodeSet` : type}"/>`;
}

/** By their members: the same count field may have other members in another message. */
type Groups = Map<string, { id: number; group: GroupInfo; text: string }>;

/** In the order of the wire: the first field of a group starts each of its entries. */
function references(of: MessageInfo | GroupInfo, dictionary: Dictionary, groups: Groups): string[] {
  const order = 'places' in of ? of.places : of.rules.map(sectionOf);
  const placeOf = (tag: number) => order[dictionary.fieldOf[tag] ?? 0] ?? 0;
  const tags = tagsIn(of.rules, dictionary).toSorted((a, b) => placeOf(a) - placeOf(b));
  return tags.map((tag) => {
    const group = of.groups.get(tag);
    const presence = of.required.includes(tag) ? 'required' : 'optional';
    return group === undefined
      ? `<fixr:fieldRef id="${tag}" presence="${presence}"/>`
      : `<fixr:groupRef id="${groupId(group, dictionary, groups)}" presence="${presence}"/>`;
  });
}

/** Each message has its own list of fields. */
function messageText(info: MessageInfo, dictionary: Dictionary, groups: Groups): string {
  const lines = references(info, dictionary, groups).map((line) => `  ${line}`);
  const attributes = `name="${info.name}" id="${idOf(info.msgType)}" msgType="${info.msgType}"`;
  return entry('message', attributes, ['<fixr:structure>', ...lines, '</fixr:structure>']);
}

/** Adds the group if it is new. The first with a count field has the id and name of that; a later one adds a number. */
function groupId(group: GroupInfo, dictionary: Dictionary, groups: Groups): number {
  const tag = group.countTag;
  const members = [`<fixr:numInGroup id="${tag}"/>`, ...references(group, dictionary, groups)];
  const key = members.join();
  const known = groups.get(key);
  if (known !== undefined) return known.id;
  const before = [...groups.values()].filter((other) => other.group.countTag === tag).length;
  const id = before * 10_000 + tag;
  const name = `${fieldOf(tag, dictionary).name}Group${before === 0 ? '' : before + 1}`;
  groups.set(key, { id, group, text: entry('group', `id="${id}" name="${name}"`, members) });
  return id;
}

function entry(name: string, attributes: string, lines: readonly string[]): string {
  const inner = lines.map((line) => `      ${line}\n`).join('');
  return `    <fixr:${name} ${attributes}>\n${inner}    </fixr:${name}>`;
}

/** A number for a MsgType(35) of one or two characters. */
function idOf(msgType: string): number {
  return [...msgType].reduce((id, character) => id * 128 + character.charCodeAt(0), 0);
}
