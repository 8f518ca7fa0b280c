/**
 * What a client says in NewOrderSingle(D) and OrderCancelReplaceRequest(G) beyond the terms of the order. Every field is in
 * one of the lists below or is refused by its name, so that none is taken and dropped.
 */
import type { ClientFields } from '../../domain/command.ts';
import { type Denial, deny } from '../../domain/denial.ts';
import { sectionOf, sections } from '../../fix/dictionary.ts';
import type { FieldWriter } from '../../fix/field-writer.ts';
import type { Message } from '../../fix/message.ts';
import type { CustomTags } from './tags.ts';

/** What becomes of the fields that a client says of itself. */
export type ClientFieldsPolicy = 'echo' | 'refuse';

/** Fields that the bridge reads, in `read-command.ts` and `read-terms.ts`, beside its own tags. */
const readTags = [
  1, 11, 15, 18, 21, 22, 37, 38, 40, 41, 44, 48, 54, 55, 59, 60, 77, 99, 111, 126, 201, 423, 432,
  586, 847, 848,
];

/** Fields that describe the instrument, which Symbol(55) or SecurityID(48) has named: they change nothing. */
export const descriptiveTags = [65, 106, 107, 167, 207, 460, 461, 541];

const noPartyIds = 453;
const partyTags = new Set([448, 447, 452, 802, 523, 803]);
const text = 58;
const firstUserTag = 5000;

/** Fields that a client says of itself and of its own books: they come back in every report of the order. */
export const givenBackTags = [
  ...[noPartyIds, ...partyTags, text],
  ...[376, 526, 528, 529, 581, 582, 583, 660],
];

/** Header fields that say who in the client's house asks, and those that send the report back to the same place. */
const route: readonly (readonly [from: number, back: number])[] = [
  [50, 57],
  [128, 115],
  [129, 116],
  [115, 128],
  [116, 129],
  [145, 144],
  [144, 145],
];

/** All fields given back, in one order; longer ones would be kept for ever and sent in every report. */
const maxBytes = 1024;

const givenBack: ReadonlySet<number> = new Set(givenBackTags);
const settledTags = new WeakMap<CustomTags, ReadonlySet<number>>();

export function readClientFields(
  message: Message,
  tags: CustomTags,
  policy: ClientFieldsPolicy,
): ClientFields | undefined | Denial {
  const settled = settledOf(message, tags);
  // Few orders have another field, and to look at each takes longer than all else.
  if (message.hasOnly(settled)) return undefined;
  const { dictionary } = message.index;
  let [fields, parties, said] = ['', '', ''];
  for (const { tag, value } of message.fields()) {
    if (settled.has(tag) || route.some(([from]) => from === tag)) continue;
    const field = dictionary.fields[dictionary.fieldOf[tag] ?? 0];
    const isOwn = givenBack.has(tag) || (tag >= firstUserTag && field === undefined);
    if (!isOwn || policy === 'refuse') {
      const name = field === undefined ? `tag ${tag}` : `${field.name}(${tag})`;
      return deny('bridge.unsupported', name);
    }
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1');
    if (tag === text) said = bytes;
    else if (partyTags.has(tag)) parties += `${tag}=${bytes}\x01`;
    else if (tag !== noPartyIds) fields += `${tag}=${bytes}\x01`;
  }
  const back = routeOf(message);
  if (fields.length + parties.length + said.length + back.length > maxBytes) {
    const what = 'the fields that come back in every report';
    return deny('bridge.value_out_of_range', `${what} are longer than ${maxBytes} bytes`);
  }
  return {
    fields,
    text: said === '' ? null : said,
    parties,
    partyCount: message.int(noPartyIds) ?? 0,
    route: back,
  };
}

/** Header fields that take an answer back to whoever asked; they stand in front of its body. */
export function routeOf(message: Message): string {
  return route
    .flatMap(([from, to]) => (message.size(from) > 0 ? `${to}=${message.text(from)}\x01` : []))
    .join('');
}

/** What is given back in a report, but for the parties and the text, which a report may have of its own. */
export function writeFields(out: FieldWriter, fields: string): void {
  if (fields !== '') out.raw(Buffer.from(fields, 'latin1'));
}

/** Tags that ask for no further look: the header and the trailer, and what is read or describes the instrument. */
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
