// Generated from orders.xml by "causeway sbe generate". Change the schema, not this file.
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
import * as sbe from '../../../sbe/block.ts';
import { cut, wrongTemplate } from '../../../sbe/flyweight.ts';
import * as types from './types.ts';

const layout: sbe.Layout = {
  name: 'CopyAcknowledge',
  groups: [],
  data: [
    { name: 'ExecID', since: 0, type: types.data.name },
    { name: 'Account', since: 0, type: types.data.name },
  ],
};

/** Moves the end over ExecID, Account; answers what is wrong with them. */
function walkCopyAcknowledge(block: sbe.Block): string | undefined {
  const { dataAt, limit, view } = block;
  let next = block.end;
  if (next + 1 > limit) return block.refuseData(0, next);
  dataAt[0] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(0);
  if (next + 1 > limit) return block.refuseData(1, next);
  dataAt[1] = next;
  next += 1 + view.getUint8(next);
  if (next > limit) return block.refuseData(1);
  block.end = next;
  return undefined;
}

/** CopyAcknowledge (115). All of an account up to this copy is safe with the reader. */
export class CopyAcknowledge {
  static readonly templateId = 115;
  static readonly schemaId = 4144;
  static readonly schemaVersion = 0;
  static readonly blockLength = 0;
  readonly #block = new sbe.Block(layout);

  /** Takes the message whose header is at `at`; answers what is wrong with it. */
  wrap(bytes: Uint8Array, at = 0, end = bytes.length): string | undefined {
    const block = this.#block;
    const start = block.take(bytes, at);
    const limit = start - at + Math.min(end, bytes.length);
    const { view } = block;
    if (start + 8 > limit) return cut('CopyAcknowledge', 8, limit - start);
    if (view.getUint16(start + 2, true) !== 115 || view.getUint16(start + 4, true) !== 4144) return wrongTemplate('CopyAcknowledge');
    const version = view.getUint16(start + 6, true);
    return block.wrap(start + 8, view.getUint16(start, true), 0, version, limit) ?? walkCopyAcknowledge(block);
  }
  /** The version of the schema that the message was written in. */
  get actingVersion(): number { return this.#block.version; }
  /** With the header; groups and data that were not written are empty. */
  get length(): number { return this.#block.finish() - this.#block.at + 8; }
  /** The message with its header, lent until the buffer is used again. */
  get bytes(): Uint8Array { return this.#block.whole(8); }
  get execId(): string { return this.#block.text(0); }
  get execIdBytes(): Uint8Array { return this.#block.bytes(0); }
  get account(): string { return this.#block.text(1); }
  get accountBytes(): Uint8Array { return this.#block.bytes(1); }
}
