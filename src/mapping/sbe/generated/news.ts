// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { noRoom, notInVersion } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'News',
  groups: [
    {
      since: 0,
      dimension: types.dimensions.groupSizeEncoding,
      empty: sbe.image(4),
      blank: sbe.image(0),
      needed: [0],
      written: [0],
      entry: {
        name: 'News.Lines',
        groups: [],
        data: [
          { name: 'Text', since: 0, type: types.data.text },
        ],
      },
      walk: undefined,
    },
  ],
  data: [
    { name: 'Headline', since: 0, type: types.data.text },
  ],
};

/** The entries of News.Lines. */
export class NewsLines {
  static readonly blockLength = 0;
  readonly #entries: sbe.Entries;
  readonly #block: sbe.Block;

  constructor(entries: sbe.Entries) {
    this.#entries = entries;
    this.#block = entries.block;
  }

  get count(): number { return this.#entries.count; }
  /** Begins the next entry. */
  add(): this { this.#entries.add(); return this; }
  setText(value: string): this { this.#block.putText(0, value); return this; }
  setTextBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}

/** News (221). Something that a person should read. */
export class News {
  static readonly templateId = 221;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 0;
  readonly #block = new sbe.Block(layout);
  readonly #lines = new NewsLines(this.#block.group(0));

  /** Begins a message at `at`, every optional field null and the others zero; `version` is the reader's. */
  encode(bytes: Uint8Array, at = 0, version = 0): this {
    if (version > 0) throw notInVersion('News', version);
    if (at + 8 > bytes.length) throw noRoom('News');
    const start = this.#block.take(bytes, at);
    const { view } = this.#block;
    view.setUint32(start, 14483456, true);
    view.setUint32(start + 4, 4144, true);
    this.#block.begin(start + 8, 0, version, start - at + bytes.length);
    return this;
  }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  /** The group for writing: `add()` begins an entry. */
  writeLines(): NewsLines { this.#block.beginGroup(0); return this.#lines; }
  setHeadline(value: string): this { this.#block.putText(0, value); return this; }
  setHeadlineBytes(value: Uint8Array): this { this.#block.putBytes(0, value); return this; }
}
