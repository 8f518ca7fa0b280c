/** Collects all faults of a schema, each with its line and the path of names. */

import type { XmlElement } from '../runtime/xml-tree.ts';
import { isPrimitiveName, type Primitive, primitives, type WireNumber } from './primitive.ts';

const maxFaults = 50;

export class SchemaError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** An element of the schema with the names of its parents, and the faults of the whole schema. */
export class Place {
  readonly element: XmlElement;
  readonly #path: string;
  readonly #faults: string[];

  constructor(element: XmlElement, path = '', faults: string[] = []) {
    this.element = element;
    this.#path = path;
    this.#faults = faults;
  }

  inside(element: XmlElement): Place {
    const name = element.attributes.get('name');
    const step = name === undefined ? element.name : `${element.name} ${name}`;
    return new Place(element, this.#path === '' ? step : `${this.#path} / ${step}`, this.#faults);
  }

  fault(what: string): undefined {
    const where = this.#path === '' ? '' : `, ${this.#path}`;
    this.#faults.push(`line ${this.element.line}${where}: ${what}`);
    if (this.#faults.length === maxFaults) throw new SchemaError(this.#faults);
    return undefined;
  }

  throwIfFaulty(): void {
    if (this.#faults.length > 0) throw new SchemaError(this.#faults);
  }

  text(attribute: string): string | undefined {
    return this.element.attributes.get(attribute);
  }

  required(attribute: string): string | undefined {
    return this.text(attribute) ?? this.fault(`the attribute ${attribute} is missing`);
  }

  /** The number that identifies a schema or a message. */
  id(): number | undefined {
    this.required('id');
    return this.count('id');
  }

  /** A text for people, on one line because it is used in comments and tables. */
  words(attribute: string): string {
    return (this.text(attribute) ?? '').replace(/\s+/g, ' ').trim();
  }

  /** A name that is also valid in a program; after a fault, returns a name that is not checked further. */
  name(): string {
    const name = this.required('name') ?? '';
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '') {
      this.fault(`the name "${name}" is not made of letters, digits and _`);
    }
    return name;
  }

  /** A non-negative integer attribute: offset, length, id or version. */
  count(attribute: string, max = 0xffff_ffff): number | undefined {
    const text = this.text(attribute);
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value <= max) return value;
    return this.fault(`${attribute}="${text}" is not an integer from 0 to ${max}`);
  }

  primitive(): Primitive | undefined {
    const name = this.required('primitiveType');
    if (name === undefined) return undefined;
    return isPrimitiveName(name)
      ? primitives[name]
      : this.fault(`there is no primitive type "${name}"`);
  }

  /** A value of a primitive type, within the native range of the type. */
  value(primitive: Primitive, text: string): WireNumber | undefined {
    const value = parseValue(primitive, text);
    if (value === undefined) return this.fault(`"${text}" is not a value of ${primitive.name}`);
    if (Number.isNaN(value) || (value >= primitive.min && value <= primitive.max)) return value;
    return this.fault(`${text} is outside ${primitive.name}`);
  }

  unique(seen: Set<string>, name: string): void {
    if (seen.has(name)) this.fault(`the name ${name} is there already`);
    seen.add(name);
  }
}

function parseValue(primitive: Primitive, text: string): WireNumber | undefined {
  if (primitive.name === 'char') {
    return text.length === 1 ? BigInt(text.charCodeAt(0)) : undefined;
  }
  if (primitive.isFloat) {
    const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
    return isNumber || text === 'NaN' ? Number(text) : undefined;
  }
  return /^(-?\d{1,20}|0[xX][0-9a-fA-F]{1,16})$/.test(text) ? BigInt(text) : undefined;
}
