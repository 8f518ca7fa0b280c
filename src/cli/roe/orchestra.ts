/**
 * The machine-readable rules of engagement: a FIX Orchestra repository (FIX Orchestra 1.0, repository 2020) with the
 * fields, code sets, groups and messages of one session.
 */

import { type Dictionary, type GroupInfo, type MessageInfo, tagsIn } from '../../fix/dictionary.ts';
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
  const groups = new Map<number, GroupInfo>();
  for (const message of messages) gather(message, dictionary, groups);
  const sections = [...messages, ...groups.values()];
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
${[...groups.values()].map((group) => groupText(group, dictionary)).join('\n')}
  </fixr:groups>
  <fixr:messages>
${messages.map((message) => messageText(message, dictionary)).join('\n')}
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

/** Adds the groups in a message or group, at any depth. */
function gather(
  of: MessageInfo | GroupInfo,
  dictionary: Dictionary,
  groups: Map<number, GroupInfo>,
): void {
  for (const tag of tagsIn(of.rules, dictionary)) {
    const group = of.groups.get(tag);
    if (group === undefined || groups.has(tag)) continue;
    groups.set(tag, group);
    gather(group, dictionary, groups);
  }
}

function references({ groups, required, rules }: MessageInfo | GroupInfo, dictionary: Dictionary) {
  return tagsIn(rules, dictionary).map((tag) => {
    const presence = required.includes(tag) ? 'required' : 'optional';
    return `<fixr:${groups.has(tag) ? 'groupRef' : 'fieldRef'} id="${tag}" presence="${presence}"/>`;
  });
}

/** Each message has its own list of fields. */
function messageText(info: MessageInfo, dictionary: Dictionary): string {
  return [
    `    <fixr:message name="${info.name}" id="${idOf(info.msgType)}" msgType="${info.msgType}">`,
    '      <fixr:structure>',
    ...references(info, dictionary).map((line) => `        ${line}`),
    '      </fixr:structure>',
    '    </fixr:message>',
  ].join('\n');
}

function groupText(group: GroupInfo, dictionary: Dictionary): string {
  const { name } = fieldOf(group.countTag, dictionary);
  return [
    `    <fixr:group id="${group.countTag}" name="${name}Group">`,
    `      <fixr:numInGroup id="${group.countTag}"/>`,
    ...references(group, dictionary).map((line) => `      ${line}`),
    '    </fixr:group>',
  ].join('\n');
}

/** A number for a MsgType(35) of one or two characters. */
function idOf(msgType: string): number {
  return [...msgType].reduce((id, character) => id * 128 + character.charCodeAt(0), 0);
}
