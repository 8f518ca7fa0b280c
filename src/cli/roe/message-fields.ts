/** The table of the fields of one message: which are required, and when; their values; and what they mean here. */
import { requiredFields } from '../../domain/admission.ts';
import {
  type Dictionary,
  type FieldInfo,
  type GroupInfo,
  isGroup,
  type MessageInfo,
  type Rule,
  requiredOf,
  tagsIn,
} from '../../fix/dictionary.ts';
import type { ClientProfile } from '../../gateway/config/config.ts';
import { givenBackTags } from '../../mapping/fix/client-fields.ts';
import {
  massCancelTypes,
  massStatusTypes,
  quoteCancelTypes,
  securityListTypes,
} from '../../mapping/fix/codes.ts';
import { type Block, heading, type Row, table } from './document.ts';
import { fieldNotes } from './field-notes.ts';
import type { MessageUse } from './message-uses.ts';

export function fieldsOf(use: MessageUse, dictionary: Dictionary, profile: ClientProfile): Block[] {
  const { from, msgType, tags } = use;
  const info = messageInfo(msgType, dictionary);
  const shown = tags === 'all' ? tagsIn(info.rules, dictionary) : tags;
  const rows = shown.map((tag): Row => {
    const number = dictionary.fieldOf[tag] ?? 0;
    const rule = ruleIn(info, number);
    const field = dictionary.fields[number];
    const need = neededHere(use, tag) ?? (requiredOf(rule) === 0 ? '' : 'yes');
    const form = isGroup(rule) ? 'repeating group' : valuesOf(field);
    const where = info.rules[number] === 0 ? 'in the group' : '';
    const required = [need, where].filter(Boolean).join(', ');
    return [tag, field?.name ?? '', required, form, noteOf(tag, use, profile)];
  });
  return [
    heading(3, `${info.name}(${msgType}), from the ${from}`),
    table(['Tag', 'Name', 'Required', 'Values', 'What it means here'], rows),
  ];
}

export function messageInfo(msgType: string, { messages }: Dictionary): MessageInfo {
  const info = messages.get(msgType);
  if (info === undefined) throw new Error(`message ${msgType} is not in the dictionary`);
  return info;
}

/** The rule of a field in the message or in one of its groups. */
function ruleIn({ groups, rules }: MessageInfo | GroupInfo, number: number): Rule {
  const rule = rules[number] ?? 0;
  if (rule !== 0) return rule;
  for (const group of groups.values()) {
    const inner = ruleIn(group, number);
    if (inner !== 0) return inner;
  }
  return 0;
}

/** When a request must name an instrument: always, or with one value of a field. The others need not. */
const instrumentNeeded: Readonly<Record<string, string>> = {
  ...{ D: '', S: '', i: '', V: '', e: '' },
  q: `, if 530=${massCancelTypes.code.instrument}`,
  AF: `, if 585=${massStatusTypes.code.instrument}`,
  x: `, if 559=${securityListTypes.code.instrument}`,
  Z: `, if 298=${quoteCancelTypes.code.instruments}`,
};

/** Orders and replaces have the most conditions; `requiredFields` has them. */
const isOrder = ({ msgType }: MessageUse) => msgType === 'D' || msgType === 'G';

/** What the bridge requires beyond the dictionary; without it, the request is rejected. */
function neededHere(use: MessageUse, tag: number): string | undefined {
  const when = instrumentNeeded[use.msgType];
  if (tag === 55 && when !== undefined) return `55 or 48${when}`;
  if (!isOrder(use)) return undefined;
  if (tag === 38) return 'yes';
  const conditional = requiredFields.find(({ text }) => text.includes(`(${tag})`));
  if (conditional === undefined) return undefined;
  const tags = conditional.text.match(/\d+/g) ?? [];
  return `${tags.length > 1 ? `${tags.join(' or ')}, ` : ''}if ${conditional.when}`;
}

function noteOf(tag: number, use: MessageUse, { clientFields }: ClientProfile): string {
  if (isOrder(use) && givenBackTags.includes(tag)) {
    return clientFields === 'refuse' ? 'refused' : 'about the client: echoed in every report';
  }
  return fieldNotes[tag] ?? '';
}

const maxValuesShown = 12;

function valuesOf(field: FieldInfo | undefined): string {
  if (field === undefined || field.values.length === 0) return '';
  if (field.values.length > maxValuesShown) return 'as in the dictionary';
  return field.values.map((value, index) => `${value} ${field.meanings[index]}`).join(', ');
}
