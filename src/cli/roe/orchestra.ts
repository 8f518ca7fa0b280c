/**
 * The machine-readable rules of engagement: a FIX Orchestra repository (FIX Orchestra 1.0, repository 2020) with the
 * fields, code sets, groups and messages of one session.
 */

import { type Dictionary, type GroupInfo, tagsIn } from '../../fix/dictionary.ts';
import { kind, type ValueKind } from '../../fix/value-kind.ts';
import { escaped } from '../../runtime/xml-tree.ts';
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
  const tags = new Set<number>();
  const groups = new Map<number, GroupInfo>();
  const messages = uses.map((use) => message(use, dictionary, tags, groups));
  const groupTexts = [...groups.values()].map((group) => groupText(group, dictionary));
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
${groupTexts.join('\n')}
  </fixr:groups>
  <fixr:messages>
${messages.join('\n')}
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
    return `      <fixr:code name="${label}" id="${tag * 1000 + index + 1}" value="${escaped(value)}"/>`;
  });
  const open = `    <fixr:codeSet name="${name}CodeSet" id="${tag}" type="${type}">`;
  return [open, ...codes, '    </fixr:codeSet>'].join('\n');
}

function fieldText({ tag, name, type, values }: OrchestraField): string {
  return `    <fixr:field id="${tag}" name="${name}" type="${values.length > 0 ? `${name}CodeSet` : type}"/>`;
}

function reference(tag: number, isGroup: boolean, isRequired: boolean): string {
  const presence = isRequired ? 'required' : 'optional';
  return `<fixr:${isGroup ? 'groupRef' : 'fieldRef'} id="${tag}" presence="${presence}"/>`;
}

/** Each message has its own list of fields; the groups in it are collected as well. */
function message(
  { msgType }: MessageUse,
  dictionary: Dictionary,
  tags: Set<number>,
  groups: Map<number, GroupInfo>,
): string {
  const info = dictionary.messages.get(msgType);
  if (info === undefined) throw new Error(`message ${msgType} is not in the dictionary`);
  const references = tagsIn(info.rules, dictionary).map((tag) => {
    tags.add(tag);
    const group = info.groups.get(tag);
    if (group !== undefined) gather(group, dictionary, tags, groups);
    return `        ${reference(tag, group !== undefined, info.required.includes(tag))}`;
  });
  return [
    `    <fixr:message name="${info.name}" id="${idOf(msgType)}" msgType="${msgType}">`,
    '      <fixr:structure>',
    ...references,
    '      </fixr:structure>',
    '    </fixr:message>',
  ].join('\n');
}

function gather(
  group: GroupInfo,
  dictionary: Dictionary,
  tags: Set<number>,
  groups: Map<number, GroupInfo>,
): void {
  if (groups.has(group.countTag)) return;
  groups.set(group.countTag, group);
  for (const tag of tagsIn(group.places, dictionary)) tags.add(tag);
  for (const inner of group.groups.values()) gather(inner, dictionary, tags, groups);
}

function groupText(group: GroupInfo, dictionary: Dictionary): string {
  const { name } = fieldOf(group.countTag, dictionary);
  const members = tagsIn(group.places, dictionary).map(
    (tag) => `      ${reference(tag, group.groups.has(tag), group.required.includes(tag))}`,
  );
  return [
    `    <fixr:group id="${group.countTag}" name="${name}Group">`,
    `      <fixr:numInGroup id="${group.countTag}"/>`,
    ...members,
    '    </fixr:group>',
  ].join('\n');
}

/** A number for a MsgType(35) of one or two characters. */
function idOf(msgType: string): number {
  return [...msgType].reduce((id, character) => id * 128 + character.charCodeAt(0), 0);
}
