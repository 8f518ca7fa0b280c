/**
 * The fields of NewOrderSingle(D) and OrderCancelReplaceRequest(G) in addition to the terms of the order. Every field
 * is in one of the lists below or is rejected by name, so none is silently dropped.
 */
import type { ClientFields } from '../../domain/command.ts';
import { type Denial, deny } from '../../domain/denial.ts';
import { sectionOf, sections } from '../../fix/dictionary.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import { returned } from '../../fix/framer.ts';
import type { Message } from '../../fix/message.ts';
import type { CustomTags } from './tags.ts';

/** How a client's own reference fields are handled. */
export type ClientFieldsPolicy = 'echo' | 'refuse';

/** Fields that the bridge reads, in `read-command.ts` and `read-terms.ts`, apart from its custom tags. */
const readTags = [
  1, 11, 15, 18, 21, 22, 37, 38, 40, 41, 44, 48, 54, 55, 59, 60, 77, 99, 111, 126, 201, 423, 432,
  586, 847, 848,
];

/** Fields that describe the instrument, which Symbol(55) or SecurityID(48) identifies: they have no effect. */
export const descriptiveTags = [65, 106, 107, 167, 207, 460, 461, 541];

const noPartyIds = 453;
const partyTags = new Set([448, 447, 452, 802, 523, 803]);
const text = 58;
const firstUserTag = 5000;

/** The client's own reference fields: they are echoed in every report of the order. */
export const givenBackTags = [
  ...[noPartyIds, ...partyTags, text],
  ...[376, 526, 528, 529, 581, 582, 583, 660],
];

/** Header fields that identify the sender within the client's firm, and those that address the report to it. */
const route = [[50, 57] as const, ...returned];

/** The size limit for all echoed fields together, which are stored and sent in every report. */
const maxBytes = 1024;

const givenBack: ReadonlySet<number> = new Set(givenBackTags);
const settledTags = new WeakMap<CustomTags, ReadonlySet<number>>();

export function readClientFields(
  message: Message,
  tags: CustomTags,
  policy: ClientFieldsPolicy,
): ClientFields | undefined | Denial {
  const settled = settledOf(message, tags);
  // Few orders have other fields, and checking each field would take longer than everything else.
  if (message.hasOnly(settled)) return undefined;
  const { dictionary } = message.index;
  let [fields, parties, ownText] = ['', '', ''];
  for (const { tag, value } of message.fields()) {
    if (settled.has(tag) || route.some(([from]) => from === tag)) continue;
    const field = dictionary.fields[dictionary.fieldOf[tag] ?? 0];
    const isOwn = givenBack.has(tag) || (tag >= firstUserTag && field === undefined);
    if (!isOwn || policy === 'refuse') {
      const name = field === undefined ? `tag ${tag}` : `${field.name}(${tag})`;
      return deny('bridge.unsupported', name);
    }
    const bytes = bytesOf(value);
    if (tag === text) ownText = bytes;
    else if (partyTags.has(tag)) parties += `${tag}=${bytes}\x01`;
    else if (tag !== noPartyIds) fields += `${tag}=${bytes}\x01`;
  }
  const back = routeOf(message);
  if (fields.length + parties.length + ownText.length + back.length > maxBytes) {
    const what = 'the fields that come back in every report';
    return deny('bridge.value_out_of_range', `${what} are longer than ${maxBytes} bytes`);
  }
  return {
    fields,
    text: ownText === '' ? null : Buffer.from(ownText, 'latin1').toString(),
    parties,
    partyCount: message.int(noPartyIds) ?? 0,
    route: back,
  };
}

/** Header fields that route a response back to the requester; they precede its body. */
export function routeOf(message: Message): string {
  return route
    .flatMap(([from, to]) => {
      const value = message.bytes(from);
      return value === undefined || value.length === 0 ? [] : `${to}=${bytesOf(value)}\x01`;
    })
    .join('');
}

/** The bytes of a value in any encoding, one character for each. */
function bytesOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** The echoed fields, except for parties and text, which a report may have of its own. */
export function writeFields(out: FieldWriter, fields: string): void {
  if (fields === '') return;
  // Earlier versions stored header fields as text instead of as bytes.
  out.raw(Buffer.from(fields, fields.search(/[^\0-\xff]/) < 0 ? 'latin1' : 'utf8'));
}

/** Tags that need no further check: header, trailer, and fields that are read or describe the instrument. */
function settledOf({ index: { dictionary } }: Message, tags: CustomTags): ReadonlySet<number> {
  const known = settledTags.get(tags);
  if (known !== undefined) return known;
  const own = [tags.book, tags.stpMode, tags.reduceOnly, tags.triggerDirection];
  const ofAlgos = [tags.conditionalKind, tags.algoKind, tags.sliceQty, tags.sliceIntervalMs];
  const all = new Set([...readTags, ...descriptiveTags, ...own, ...ofAlgos]);
  const order = dictionary.messages.get('D');
  for (const [number, rule] of order?.rules.entries() ?? []) {
    const tag = dictionary.fields[number]?.tag;
    if (tag !== undefined && rule !== 0 && sectionOf(rule) !== sections.body) all.add(tag);
  }
  for (const [from] of route) all.delete(from);
  settledTags.set(tags, all);
  return all;
}
