/** The class of a repeating group: read with `next()`, written with `add()`. */
import { blankBlock } from './blank.ts';
import { putImage, versionedLength } from './generate-block.ts';
import { finished, inComment } from './generate-class.ts';
import { accessorsOf, leavesOf } from './generate-fields.ts';
import {
  groupClass,
  hasParts,
  type Owner,
  partCount,
  partFields,
  partMethods,
  read,
  walk,
  write,
} from './generate-parts.ts';
import type { Dimension, Group } from './model.ts';

/** The class and, before it, those of the groups inside. */
export function groupSource(owner: Owner, group: Group): string[] {
  const inner: Owner = {
    ...owner,
    className: groupClass(owner, group),
    label: `${owner.label}.${group.name}`,
    section: group,
  };
  const leaves = leavesOf(group.fields, inner.label);
  const description = group.description === '' ? '' : `: ${inComment(group.description)}`;
  return [
    ...group.groups.flatMap((one) => groupSource(inner, one)),
    ...finished(inner.className, [
      `/** The entries of ${inner.label}${description}. */`,
      `export class ${inner.className} {`,
      `  static readonly blockLength = ${group.blockLength};`,
      ...state,
      ...partFields(inner),
      '',
      ...reading(inner, group),
      ...writing(inner, group),
      ...leaves.flatMap((leaf) => accessorsOf(leaf, owner.littleEndian)),
      ...partMethods(inner),
      '}',
      '',
    ]),
  ];
}

const state = [
  '  #view = noView;',
  '  #octets = noOctets;',
  '  #version = 0;',
  '  #limit = 0;',
  '  #dimension = 0;',
  '  #blockLength = 0;',
  '  #count = 0;',
  '  #index = 0;',
  '  /** The entry that is read or written, and the one to be read after it. */',
  '  #at = 0;',
  '  #next = 0;',
  '  #end = 0;',
];

function reading(owner: Owner, group: Group): string[] {
  const { dimension } = group;
  const { label, littleEndian } = owner;
  const needed = versionedLength(owner, 'this.#version', 'needed');
  return [
    '  /** For the message: takes the group at `at` and answers what is wrong with it. */',
    '  wrap(view: DataView, octets: Buffer, at: number, limit: number, version: number): string | undefined {',
    ...takeState(),
    ...(group.since === 0
      ? []
      : [
          `    if (version < ${group.since}) {`,
          '      this.clear();',
          '      return undefined;',
          '    }',
        ]),
    `    const left = limit - at - ${dimension.size};`,
    `    if (left < 0) return cut('${label}', ${dimension.size}, limit - at);`,
    `    const blockLength = ${read('view', 'at', dimension.blockLength, littleEndian)};`,
    `    const count = ${read('view', 'at', dimension.numInGroup, littleEndian)};`,
    '    this.#blockLength = blockLength;',
    '    this.#count = count;',
    `    if (count > ${dimension.numInGroup.max}) return beyond('${label}', count, ${dimension.numInGroup.max});`,
    '    // An entry takes a byte at least, so that no count makes a long loop of a short frame.',
    `    if (count * Math.max(blockLength, 1) > left) return cut('${label}', count * blockLength, left);`,
    `    const needed = ${needed};`,
    `    if (count > 0 && blockLength < needed) return shorter('${label}', blockLength, needed, this.#version);`,
    ...(hasParts(owner)
      ? [
          '    this.rewind();',
          '    for (let index = 0; index < count; index += 1) {',
          '      const fault = this.#enter();',
          '      if (fault !== undefined) return fault;',
          '    }',
          '    this.#end = this.#next;',
        ]
      : [`    this.#end = at + ${dimension.size} + count * blockLength;`]),
    '    this.rewind();',
    '    return undefined;',
    '  }',
    '  /** For the message: behind the last entry. */',
    '  get end(): number {',
    '    return this.#end;',
    '  }',
    '  /** For the message: the group is not there. */',
    '  clear(): void {',
    '    this.#count = 0;',
    '    this.#end = this.#dimension;',
    '  }',
    '  get count(): number {',
    '    return this.#count;',
    '  }',
    '  /** Goes before the first entry. */',
    '  rewind(): this {',
    '    this.#index = 0;',
    `    this.#next = this.#dimension + ${dimension.size};`,
    '    return this;',
    '  }',
    '  /** Goes to the next entry, if there is one. */',
    '  next(): boolean {',
    '    if (this.#index === this.#count) return false;',
    '    this.#index += 1;',
    ...(hasParts(owner)
      ? ['    this.#enter();']
      : ['    this.#at = this.#next;', '    this.#next += this.#blockLength;']),
    '    return true;',
    '  }',
    ...(hasParts(owner) ? enter(owner) : []),
  ];
}

function enter(owner: Owner): string[] {
  const { label } = owner;
  return [
    '  #enter(): string | undefined {',
    '    const view = this.#view;',
    '    const limit = this.#limit;',
    '    this.#at = this.#next;',
    '    let next = this.#at + this.#blockLength;',
    `    if (next > limit) return cut('${label}', this.#blockLength, limit - this.#at);`,
    ...walk(owner),
    `    this.#part = ${partCount(owner)};`,
    '    this.#next = next;',
    '    return undefined;',
    '  }',
  ];
}

function writing(owner: Owner, group: Group): string[] {
  const { dimension } = group;
  const { label, littleEndian } = owner;
  const put = (field: Dimension['blockLength'], value: string | number) =>
    `    ${write('view', 'at', field, value, littleEndian)};`;
  const { numGroups, numVarDataFields } = dimension;
  return [
    '  /** For the message: writes an empty group at `at`. */',
    '  begin(view: DataView, octets: Buffer, at: number, limit: number, version: number): void {',
    ...takeState(),
    `    this.#blockLength = ${versionedLength(owner, 'version', 'written')};`,
    '    this.#count = 0;',
    `    if (at + ${dimension.size} > limit) throw noRoom('${label}');`,
    `    this.#octets.fill(0, at, at + ${dimension.size});`,
    put(dimension.blockLength, 'this.#blockLength'),
    ...(numGroups === undefined ? [] : [put(numGroups, group.groups.length)]),
    ...(numVarDataFields === undefined ? [] : [put(numVarDataFields, group.data.length)]),
    `    this.#end = at + ${dimension.size};`,
    '    this.rewind();',
    '  }',
    '  /** Begins the next entry. */',
    '  add(): this {',
    `    if (this.#count === ${dimension.numInGroup.max}) throw noRoom('${label}');`,
    '    const at = this.finish();',
    `    if (at + ${group.blockLength} > this.#limit) throw noRoom('${label}');`,
    '    const view = this.#view;',
    '    this.#count += 1;',
    `    ${write('view', 'this.#dimension', dimension.numInGroup, 'this.#count', littleEndian)};`,
    ...putImage(blankBlock(group, littleEndian), 'view', 'at'),
    '    this.#at = at;',
    '    this.#end = at + this.#blockLength;',
    ...(hasParts(owner) ? ['    this.#part = 0;'] : []),
    '    return this;',
    '  }',
    '  /** For the message: closes the last entry and answers where it ends. */',
    '  finish(): number {',
    ...(hasParts(owner) ? [`    if (this.#count > 0) this.#reach(${partCount(owner)});`] : []),
    '    return this.#end;',
    '  }',
  ];
}

function takeState(): string[] {
  return [
    '    this.#view = view;',
    '    this.#octets = octets;',
    '    this.#dimension = at;',
    '    this.#limit = limit;',
    '    this.#version = version;',
  ];
}
