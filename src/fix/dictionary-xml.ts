/**
 * Parses a FIX dictionary in the QuickFIX XML format into a plain model, and checks its references. QuickFIX C++,
 * QuickFIX/J and QuickFIX/n load the same files, so the format has no extensions.
 */
import { readXml, type XmlElement } from '../runtime/xml-tree.ts';

export type XmlField = Readonly<ReturnType<typeof fieldOf>>;

export type XmlPart =
  | { readonly kind: 'field' | 'component'; readonly name: string; readonly required: boolean }
  | {
      readonly kind: 'group';
      readonly name: string;
      readonly required: boolean;
      readonly parts: XmlPart[];
    };

export type XmlDictionary = Readonly<ReturnType<typeof readDictionaryXml>>;

/** An error in a dictionary file, with its line. */
export class DictionaryError extends Error {}

export function readDictionaryXml(xml: string) {
  const root = treeOf(xml);
  if (root.name !== 'fix') throw new DictionaryError('the root element is not <fix>');
  const within = (section: string, name: string) =>
    childrenOf(root, section).flatMap((part) => childrenOf(part, name));
  const partsWithin = (section: string) => childrenOf(root, section).flatMap(partsOf);
  const type = root.attributes.get('type') ?? 'FIX';
  return {
    beginString: `${type}.${attribute(root, 'major')}.${attribute(root, 'minor')}`,
    header: partsWithin('header'),
    trailer: partsWithin('trailer'),
    messages: within('messages', 'message').map(messageOf),
    components: new Map(
      within('components', 'component').map((one) => [attribute(one, 'name'), partsOf(one)]),
    ),
    fields: within('fields', 'field').map(fieldOf),
  };
}

function treeOf(xml: string): XmlElement {
  try {
    return readXml(xml);
  } catch (error) {
    throw new DictionaryError(error instanceof Error ? error.message : String(error));
  }
}

function messageOf(element: XmlElement) {
  return {
    name: attribute(element, 'name'),
    msgType: attribute(element, 'msgtype'),
    admin: element.attributes.get('msgcat') === 'admin',
    parts: partsOf(element),
  };
}

function fieldOf(element: XmlElement) {
  const values = childrenOf(element, 'value');
  return {
    tag: Number(attribute(element, 'number')),
    name: attribute(element, 'name'),
    type: attribute(element, 'type'),
    values: values.map((value) => attribute(value, 'enum')),
    // The dictionary's names of the values, in the same order.
    meanings: values.map(({ attributes }) => attributes.get('description') ?? ''),
  };
}

function partsOf({ children }: XmlElement): XmlPart[] {
  return children.map((element) => {
    const { name: kind, line, attributes } = element;
    const name = attribute(element, 'name');
    const required = attributes.get('required') === 'Y';
    if (kind === 'field' || kind === 'component') return { kind, name, required };
    if (kind === 'group') return { kind, name, required, parts: partsOf(element) };
    throw new DictionaryError(`line ${line}: <${kind}> has no place here`);
  });
}

function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name);
}

function attribute({ attributes, line, name: element }: XmlElement, name: string): string {
  const value = attributes.get(name);
  if (value === undefined) throw new DictionaryError(`line ${line}: <${element}> lacks ${name}`);
  return value;
}
