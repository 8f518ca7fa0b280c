/**
 * Values of one form as the rows of a table. A column is a member, or a member of a member that is an object. What all
 * rows have in common is written once, and a column whose members all have their default value not at all. A column of
 * words lists them, and its cells are places in that list.
 */
import { type Form, hasDefault } from './form.ts';

/** As it is stored: the path of the member, and the words of its column. */
export type Column = readonly [path: string, words?: readonly unknown[]];

/** As it is stored: the members that have one value in all rows, by their paths, and the other columns. */
export interface Heading {
  readonly common: Readonly<Record<string, unknown>>;
  readonly columns: readonly Column[];
}

type Members = Record<string, unknown>;

/** A value, or an object in it, which is a member of the object with the number `of`. */
interface Shape {
  readonly of: number;
  readonly name: string;
  readonly members: Members;
}

/** A member of the object with that number. */
interface Leaf {
  readonly object: number;
  readonly name: string;
  readonly form: Form<unknown>;
}

export class Rows<T extends object> {
  readonly #shapes: Shape[] = [];
  readonly #leaves = new Map<string, Leaf>();

  constructor(form: Form<T>) {
    this.#enter(form as Form<unknown>, 0, '', '');
  }

  /** Returns JSON: the heading, and a list for each value. */
  write(values: readonly T[]): { readonly heading: string; readonly rows: readonly string[] } {
    const found = values.map((value) => this.#objectsIn(value));
    const rows = values.map((): string[] => []);
    const common: string[] = [];
    const columns: string[] = [];
    for (const [path, { form, name, object }] of this.#leaves) {
      const cells = found.map((objects) => form.write(objects[object]?.[name]));
      const [first] = cells;
      if (cells.every((cell) => cell === first)) {
        if (first !== undefined) common.push(`"${path}":${first}`);
        continue;
      }
      const words = form.isWord ? [...new Set(cells)].filter((cell) => cell !== undefined) : [];
      columns.push(form.isWord ? `["${path}",[${words}]]` : `["${path}"]`);
      for (const [index, cell] of cells.entries()) {
        const isPlace = form.isWord && cell !== undefined;
        rows[index]?.push(isPlace ? `${words.indexOf(cell)}` : (cell ?? 'null'));
      }
    }
    const heading = `{"common":{${common}},"columns":[${columns}]}`;
    return { heading, rows: rows.map((cells) => `[${cells}]`) };
  }

  /** Reads the rows under this heading. */
  reader({ columns, common }: Heading): (row: readonly unknown[]) => T {
    const shapes = this.#shapes.map((shape) => ({ ...shape, members: { ...shape.members } }));
    for (const [path, stored] of Object.entries(common)) {
      const { form, name, object } = this.#leaf(path);
      (shapes[object] as Shape).members[name] = form.read(stored);
    }
    const leaves = columns.map(([path, words]) => {
      const { form, name, object } = this.#leaf(path);
      const known = words?.map((word) => form.read(word));
      const read = known === undefined ? form.read : (place: unknown) => known[place as number];
      return { name, object, read, maySkip: hasDefault(form) };
    });
    return (row) => {
      const objects: Members[] = [];
      for (const { members, name, of } of shapes) {
        const object = { ...members };
        if (objects.length > 0) (objects[of] as Members)[name] = object;
        objects.push(object);
      }
      for (let index = 0; index < leaves.length; index += 1) {
        const { maySkip, name, object, read } = leaves[index] as (typeof leaves)[number];
        const cell = row[index];
        if (cell !== null || !maySkip) (objects[object] as Members)[name] = read(cell);
      }
      return objects[0] as T;
    };
  }

  #enter(form: Form<unknown>, of: number, name: string, path: string): void {
    const object = this.#shapes.length;
    this.#shapes.push({ of, name, members: form.shape ?? {} });
    for (const member of form.members ?? []) {
      const at = path === '' ? member.name : `${path}.${member.name}`;
      if (member.form.members === undefined) this.#leaves.set(at, { object, ...member });
      else this.#enter(member.form, object, member.name, at);
    }
  }

  #objectsIn(value: T): readonly Members[] {
    const objects: Members[] = [];
    for (const { name, of } of this.#shapes) {
      objects.push((objects.length === 0 ? value : objects[of]?.[name]) as Members);
    }
    return objects;
  }

  #leaf(path: string): Leaf {
    const leaf = this.#leaves.get(path);
    if (leaf === undefined) throw new Error(`the column ${path} is unknown`);
    return leaf;
  }
}
