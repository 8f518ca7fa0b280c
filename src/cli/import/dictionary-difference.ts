/** Finds fields that only a counterparty's dictionary has, and fields that only ours requires. */
import { type Dictionary, type MessageInfo, tagsIn } from '../../fix/dictionary.ts';

export type DictionaryDifference = ReturnType<typeof differences>;

export function differences(theirs: Dictionary, ours: Dictionary) {
  const unknown = new Map<string, string[]>();
  const required: { message: string; fields: string[] }[] = [];
  const messagesNotOffered: string[] = [];
  for (const message of theirs.messages.values()) {
    const name = `${message.name}(${message.msgType})`;
    const own = ours.messages.get(message.msgType);
    if (own === undefined) {
      messagesNotOffered.push(name);
      continue;
    }
    for (const tag of tagsIn(message.rules, theirs)) {
      if (has(own, ours, tag)) continue;
      const field = fieldName(theirs, tag);
      unknown.set(field, [...(unknown.get(field) ?? []), name]);
    }
    const missing = own.required.filter((tag) => !message.required.includes(tag));
    if (missing.length > 0) {
      required.push({ message: name, fields: missing.map((tag) => fieldName(ours, tag)) });
    }
  }
  return {
    /** The counterparty's messages that the bridge answers with BusinessMessageReject(j), 380=3. */
    messagesNotOffered,
    /** The counterparty's fields that the bridge does not know, as `Name(tag)`, with the messages that contain them. */
    fieldsUnknown: [...unknown].map(([field, messages]) => ({ field, messages })),
    /** The counterparty's values that are refused with 373=5. */
    valuesUnknown: valuesUnknown(theirs, ours),
    /** Fields that the bridge requires, and that are missing or optional in the counterparty's dictionary. */
    required,
  };
}

const msgTypeTag = 35;

function valuesUnknown(theirs: Dictionary, ours: Dictionary) {
  return theirs.fields.flatMap((field) => {
    const own = field && ours.fields[ours.fieldOf[field.tag] ?? 0];
    if (field === undefined || own === undefined || own.values.length === 0) return [];
    // Its values are the message types, which are listed separately by name.
    if (field.tag === msgTypeTag) return [];
    const values = field.values.filter((value) => !own.values.includes(value));
    return values.length === 0 ? [] : [{ field: `${field.name}(${field.tag})`, values }];
  });
}

function has({ rules }: MessageInfo, { fieldOf }: Dictionary, tag: number): boolean {
  const number = fieldOf[tag] ?? 0;
  return number !== 0 && rules[number] !== 0;
}

function fieldName({ fieldOf, fields }: Dictionary, tag: number): string {
  return `${fields[fieldOf[tag] ?? 0]?.name ?? '?'}(${tag})`;
}
