/**
 * Reads a FIX dictionary in the QuickFIX XML format into a plain model, checked for names that lead nowhere. The
 * same files are loaded by QuickFIX C++, QuickFIX/J and QuickFIX/n, so nothing is added to their format.
 */
import { SaxesParser } from 'saxes';

export interface XmlField {
  readonly tag: number;
  readonly name: string;
  readonly type: string;
  readonly values: readonly string[];
  /** What the dictionary calls each of the values, in their order. */
  readonly meanings: readonly string[];
}

export type XmlPart =
  | { readonly kind: 'field' | 'component'; readonly name: string; readonly required: boolean }
  | {
      readonly kind: 'group';
      readonly name: string;
      readonly required: boolean;
      readonly parts: XmlPart[];
    };

export interface XmlMessage {
  readonly name: string;
  readonly msgType: string;
  readonly admin: boolean;
  readonly parts: XmlPart[];
}

export interface XmlDictionary {
  readonly beginString: string;
  readonly header: readonly XmlPart[];
  readonly trailer: readonly XmlPart[];
  readonly messages: readonly XmlMessage[];
  readonly components: ReadonlyMap<string, readonly XmlPart[]>;
  readonly fields: readonly XmlField[];
}

/** What a dictionary file says wrong, and in which line. */
export class DictionaryError extends Error {}

type AttributeName =
  | 'type'
  | 'major'
  | 'minor'
  | 'name'
  | 'number'
  | 'required'
  | 'msgtype'
  | 'msgcat'
  | 'enum'
  | 'description';
type Attributes = Readonly<Partial<Record<AttributeName, string>>>;

class Reader {
  beginString = '';
  readonly header: XmlPart[] = [];
  readonly trailer: XmlPart[] = [];
  readonly messages: XmlMessage[] = [];
  readonly components = new Map<string, XmlPart[]>();
  readonly fields: (XmlField & { readonly values: string[]; readonly meanings: string[] })[] = [];
  readonly #open: { readonly element: string; readonly parts: XmlPart[] | undefined }[] = [];
  readonly #parser = new SaxesParser();

  read(xml: string): void {
    this.#parser.on('error', (error) => {
      throw new DictionaryError(`not XML: ${error.message}`);
    });
    this.#parser.on('opentag', ({ name, attributes }) => {
      const parent = this.#open.at(-1);
      const parts = this.#element(name, parent?.element, parent?.parts, attributes);
      this.#open.push({ element: name, parts });
    });
    this.#parser.on('closetag', () => this.#open.pop());
    this.#parser.write(xml).close();
  }

  /** Takes one element; answers the list that its children are added to, if it has one. */
  #element(
    name: string,
    parent: string | undefined,
    parts: XmlPart[] | undefined,
    attributes: Attributes,
  ): XmlPart[] | undefined {
    switch (`${parent ?? ''}/${name}`) {
      case '/fix': {
        const of = (attribute: AttributeName) => this.#attribute(attributes, attribute, name);
        this.beginString = `${attributes.type ?? 'FIX'}.${of('major')}.${of('minor')}`;
        return undefined;
      }
      case 'fix/header':
        return this.header;
      case 'fix/trailer':
        return this.trailer;
      case 'messages/message': {
        const message = {
          name: this.#attribute(attributes, 'name', name),
          msgType: this.#attribute(attributes, 'msgtype', name),
          admin: attributes.msgcat === 'admin',
          parts: [],
        };
        this.messages.push(message);
        return message.parts;
      }
      case 'components/component': {
        const children: XmlPart[] = [];
        this.components.set(this.#attribute(attributes, 'name', name), children);
        return children;
      }
      case 'fields/field':
        this.fields.push({
          tag: Number(this.#attribute(attributes, 'number', name)),
          name: this.#attribute(attributes, 'name', name),
          type: this.#attribute(attributes, 'type', name),
          values: [],
          meanings: [],
        });
        return undefined;
      case 'field/value':
        this.fields.at(-1)?.values.push(this.#attribute(attributes, 'enum', name));
        this.fields.at(-1)?.meanings.push(attributes.description ?? '');
        return undefined;
      default:
        return parts === undefined ? undefined : this.#part(name, parts, attributes);
    }
  }

  #part(kind: string, parts: XmlPart[], attributes: Attributes): XmlPart[] | undefined {
    const name = this.#attribute(attributes, 'name', kind);
    const required = attributes.required === 'Y';
    if (kind === 'field' || kind === 'component') {
      parts.push({ kind, name, required });
      return undefined;
    }
    if (kind !== 'group') throw this.#error(`<${kind}> has no place here`);
    const children: XmlPart[] = [];
    parts.push({ kind, name, required, parts: children });
    return children;
  }

  #attribute(attributes: Attributes, name: AttributeName, element: string): string {
    const value = attributes[name];
    if (value === undefined) throw this.#error(`<${element}> lacks ${name}`);
    return value;
  }

  #error(what: string): DictionaryError {
    return new DictionaryError(`line ${this.#parser.line}: ${what}`);
  }
}

export function readDictionaryXml(xml: string): XmlDictionary {
  const reader = new Reader();
  reader.read(xml);
  const { beginString, header, trailer, messages, components, fields } = reader;
  if (beginString === '') throw new DictionaryError('the root element is not <fix>');
  return { beginString, header, trailer, messages, components, fields };
}
