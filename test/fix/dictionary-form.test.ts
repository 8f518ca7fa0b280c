/**
 * What the loaders of QuickFIX/J and QuickFIX/n ask of a dictionary beyond what that of QuickFIX C++ does (which is
 * tried itself in test/interop/dictionary.test.ts): they stop at the first thing that is not so.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';

/** The types that both know by name; any other is an error in QuickFIX/n. */
const types = new Set(
  `CHAR PRICE AMT QTY CURRENCY MULTIPLEVALUESTRING EXCHANGE UTCTIMESTAMP BOOLEAN LOCALMKTDATE DATA FLOAT PRICEOFFSET
  MONTHYEAR DAYOFMONTH UTCDATEONLY UTCTIMEONLY NUMINGROUP PERCENTAGE SEQNUM TAGNUM LENGTH COUNTRY INT STRING`.split(
    /\s+/,
  ),
);

type Attribute =
  | 'name'
  | 'number'
  | 'type'
  | 'required'
  | 'enum'
  | 'description'
  | 'msgtype'
  | 'msgcat'
  | 'major'
  | 'minor';

interface Element {
  readonly name: string;
  readonly attributes: { readonly [Key in Attribute]?: string };
  readonly children: Element[];
}

function parse(file: string): Element {
  const path = join(import.meta.dirname, '../../dictionaries', file);
  const top: Element = { name: '', attributes: {}, children: [] };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Element['attributes'], children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(readFileSync(path, 'utf8')).close();
  const [root] = top.children;
  if (root === undefined) throw new Error(`${file} is empty`);
  return root;
}

function* within(element: Element): Generator<Element> {
  for (const child of element.children) {
    yield child;
    yield* within(child);
  }
}

describe.each(['FIX44.xml', 'CAUSEWAY44.xml'])('%s', (file) => {
  const root = parse(file);
  const part = (name: string) => root.children.find((child) => child.name === name)?.children ?? [];
  const fields = new Map(part('fields').map((field) => [field.attributes.name, field]));
  const components = new Map(part('components').map((one) => [one.attributes.name, one]));
  const bodies = ['header', 'trailer', 'messages', 'components'].flatMap(
    (name) => root.children.find((child) => child.name === name) ?? [],
  );
  const members = bodies
    .flatMap((body) => [...within(body)])
    .filter(({ name }) => name !== 'message');

  test('says which version of FIX it is of, and has the five parts in any order', () => {
    expect(root.name).toBe('fix');
    expect(root.attributes).toMatchObject({ type: 'FIX', major: '4', minor: '4' });
    expect(root.children.map(({ name }) => name).sort()).toEqual([
      'components',
      'fields',
      'header',
      'messages',
      'trailer',
    ]);
  });

  test('defines each field once, by number and by name, with a type that all loaders know', () => {
    const numbers = new Set(part('fields').map(({ attributes }) => attributes.number));
    expect([fields.size, numbers.size]).toEqual([part('fields').length, part('fields').length]);
    for (const { attributes } of fields.values()) {
      expect(attributes.number).toMatch(/^[1-9]\d*$/);
      expect(types, attributes.name).toContain(attributes.type);
    }
  });

  test('gives each value of a field once, with its words', () => {
    for (const [name, { children }] of fields) {
      const values = children.map(({ attributes }) => attributes.enum);
      expect(new Set(values).size, name).toBe(values.length);
      for (const { name: tag, attributes } of children) {
        expect([tag, typeof attributes.enum], name).toEqual(['value', 'string']);
        expect(attributes.description, name).toMatch(/^\S+$/);
      }
    }
  });

  test('uses only fields and components that it defines, and says of each whether it is required', () => {
    expect(members.length).toBeGreaterThan(500);
    for (const { name, attributes } of members) {
      if (name === 'component' && attributes.required === undefined) {
        expect(components.has(attributes.name)).toBe(true);
        continue;
      }
      expect(['field', 'group', 'component']).toContain(name);
      expect(attributes.required, attributes.name).toMatch(/^[YN]$/);
      const known = name === 'component' ? components : fields;
      expect(known.has(attributes.name), `${name} ${attributes.name}`).toBe(true);
    }
  });

  test('no message, component or group is empty, and a group begins with a field', () => {
    const nests = [...part('messages'), ...part('components'), ...members].filter(
      ({ name, attributes }) => name !== 'field' && attributes.required === undefined,
    );
    for (const { attributes, children } of nests) {
      // The standard gives this one nothing but header and trailer, and so do the files of QuickFIX.
      if (attributes.name === 'XMLnonFIX') continue;
      expect(children.length, attributes.name).toBeGreaterThan(0);
    }
    for (const { attributes, children } of members.filter(({ name }) => name === 'group')) {
      expect(fields.get(attributes.name)?.attributes.type, attributes.name).toBe('NUMINGROUP');
      expect(children[0]?.name, attributes.name).toMatch(/^(field|component)$/);
    }
  });

  test('names each message once, by type and by name, as administrative or of the application', () => {
    const messages = part('messages').map(({ attributes }) => attributes);
    expect(new Set(messages.map(({ msgtype }) => msgtype)).size).toBe(messages.length);
    expect(new Set(messages.map(({ name }) => name)).size).toBe(messages.length);
    for (const { msgcat, name } of messages) expect(msgcat, name).toMatch(/^(admin|app)$/);
  });

  test('holds no component inside itself', () => {
    const depth = (element: Element, path: readonly (string | undefined)[]): void => {
      for (const child of within(element)) {
        if (child.name !== 'component') continue;
        const { name } = child.attributes;
        expect(path).not.toContain(name);
        const inner = components.get(name);
        if (inner !== undefined) depth(inner, [...path, name]);
      }
    };
    for (const [name, component] of components) depth(component, [name]);
  });
});
