/** Generates the classes of a schema's composites, and what they have in common with messages and group entries. */
import { isDeepStrictEqual } from 'node:util';
import { accessorsOf, blockAt, type Forms, plus } from './generate-fields.ts';
import type { CompositeEncoding, Field, Schema } from './model.ts';
import { className, memberName } from './naming.ts';

/** Whether something is read, written, or both. */
export interface Use {
  readonly reads: boolean;
  readonly writes: boolean;
}

/** What classes are generated for, and the classes of composites that they share. */
export interface Target {
  readonly schema: Schema;
  readonly composites: CompositeClasses;
  readonly use: Use;
}

export interface Members {
  /** The members whose composites are objects. */
  readonly objects: readonly CompositeMember[];
  readonly methods: readonly string[];
}

interface CompositeMember {
  readonly member: string;
  readonly type: string;
  readonly offset: number;
}

/** Where the fields of a class, or of a composite in it, are located. */
interface Place {
  /** The name in error messages. */
  readonly label: string;
  /** The names of the enclosing composites, with which the names of accessors start. */
  readonly names: readonly string[];
  /** The source expression of the position to which offsets are relative. */
  readonly from: string;
  readonly offset: number;
  readonly since: number;
}

interface CompositeClass {
  readonly name: string;
  readonly encoding: CompositeEncoding;
  readonly since: number;
  use: Use;
}

/** The classes of shared composites, each created when a field needs it. All other composites are flattened. */
export class CompositeClasses {
  readonly #forms: Forms;
  readonly #shared: ReadonlySet<string>;
  readonly #found: CompositeClass[] = [];

  constructor(forms: Forms, shared: ReadonlySet<string>) {
    this.#forms = forms;
    this.#shared = shared;
  }

  /** The members of a message's or an entry's fields. */
  ofBlock(fields: readonly Field[], label: string, use: Use): Members {
    const place = { label, names: [], from: blockAt, offset: 0, since: 0 };
    return this.#members(fields, place, use);
  }

  source(): string[] {
    const lines: string[] = [];
    // A class may need further classes, which follow it.
    for (const found of this.#found) lines.push(...this.#classSource(found));
    return lines;
  }

  #members(fields: readonly Field[], around: Place, use: Use): Members {
    const objects: CompositeMember[] = [];
    const methods: string[] = [];
    for (const field of fields) {
      const { encoding, name } = field;
      const names = [...around.names, name];
      const label = `${around.label}.${name}`;
      const offset = around.offset + field.offset;
      const since = Math.max(around.since, field.since);
      const member = memberName(...names);
      if (encoding.kind !== 'composite' || field.presence === 'constant') {
        const leaf = { field, member, label, at: plus(around.from, offset), since };
        const { read, write } = accessorsOf(leaf, this.#forms);
        methods.push(...(use.reads ? read : []), ...(use.writes ? write : []));
      } else if (this.#shared.has(encoding.typeName)) {
        objects.push({ member, type: this.#nameOf(encoding, since, use), offset });
      } else {
        const place = { label, names, from: around.from, offset, since };
        const flat = this.#members(encoding.members, place, use);
        objects.push(...flat.objects);
        methods.push(...flat.methods);
      }
    }
    return { objects, methods };
  }

  /** One class serves all fields with the same type and version. */
  #nameOf(encoding: CompositeEncoding, since: number, use: Use): string {
    const name = className(encoding.typeName) + (since === 0 ? '' : `Since${since}`);
    const found = this.#found.find((one) => one.name === name);
    if (found === undefined) this.#found.push({ name, encoding, since, use });
    else if (!isDeepStrictEqual(found.encoding, encoding)) {
      throw new Error(`two composites would share the class ${name}`);
    } else {
      const { reads, writes } = found.use;
      found.use = { reads: reads || use.reads, writes: writes || use.writes };
    }
    return name;
  }

  #classSource({ name, encoding, since, use }: CompositeClass): string[] {
    const from = `${blockAt} + this.#offset`;
    const place = { label: name, names: [], from, offset: 0, since };
    const { methods, objects } = this.#members(encoding.members, place, use);
    const isUsed = (member: string) => methods.some((line) => line.includes(`this.${member}`));
    const kept = ['#block', '#offset'].filter(isUsed);
    const { description } = encoding;
    return finished(name, [
      ...(description === '' ? [] : [`/** ${inComment(description)}. */`]),
      `export class ${name} {`,
      ...kept.map((one) => `  readonly ${one}: ${one === '#block' ? 'sbe.Block' : 'number'};`),
      ...objects.map(({ member, type }) => `  readonly ${member}: ${type};`),
      '',
      '  constructor(block: sbe.Block, offset: number) {',
      ...kept.map((one) => `    this.${one} = ${one.slice(1)};`),
      ...objects.map(
        (one) => `    this.${one.member} = new ${one.type}(block, ${plus('offset', one.offset)});`,
      ),
      '  }',
      '',
      ...methods,
      '}',
      '',
    ]);
  }
}

/** Throws if two members have the same name. */
export function finished(name: string, lines: string[]): string[] {
  const members = new Set<string>();
  for (const line of lines) {
    const [, member] = /^ {2}(?:get |readonly )?(#?\w+)(?:\(| = |;|:)/.exec(line) ?? [];
    if (member === undefined || member === 'constructor') continue;
    if (members.has(member)) {
      throw new Error(`${name} would have two members ${member}: rename the field of the schema`);
    }
    members.add(member);
  }
  return lines;
}

/** Text of a schema, escaped so that it cannot end its comment. */
export function inComment(text: string): string {
  return text.replaceAll('*/', '* /');
}
