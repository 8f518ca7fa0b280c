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

/** An element of the schema with the names of its parents. */
export interface Place {
  readonly element: XmlElement;
  readonly path: string;
}

export function inside(place: Place, element: XmlElement): Place {
  const name = element.attributes.get('name');
  const step = name === undefined ? element.name : `${element.name} ${name}`;
  return { element, path: place.path === '' ? step : `${place.path} / ${step}` };
}

export class Faults {
  readonly #faults: string[] = [];

  add(place: Place, what: string): undefined {
    const where = place.path === '' ? '' : `, ${place.path}`;
    this.#faults.push(`line ${place.element.line}${where}: ${what}`);
    if (this.#faults.length === maxFaults) throw new SchemaError(this.#faults);
    return undefined;
  }

  throwIfAny(): void {
    if (this.#faults.length > 0) throw new SchemaError(this.#faults);
  }

  required(place: Place, attribute: string): string | undefined {
    const value = place.element.attributes.get(attribute);
    return value ?? this.add(place, `the attribute ${attribute} is missing`);
  }

  /** A text for people, on one line because it is used in comments and tables. */
  words({ element }: Place, attribute: string): string {
    return (element.attributes.get(attribute) ?? '').replace(/\s+/g, ' ').trim();
  }

  /** A name that is also valid in a program; after a fault, returns a name that is not checked further. */
  name(place: Place): string {
    const name = this.required(place, 'name') ?? '';
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '') {
      this.add(place, `the name "${name}" is not made of letters, digits and _`);
    }
    return name;
  }

  /** A non-negative integer attribute: offset, length, id or version. */
  count(place: Place, attribute: string, max = 0xffff_ffff): number | undefined {
    const text = place.element.attributes.get(attribute);
    if (text === undefined) return undefined;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value <= max) return value;
    return this.add(place, `${attribute}="${text}" is not an integer from 0 to ${max}`);
  }

  primitive(place: Place, name: string | undefined): Primitive | undefined {
    if (name === undefined) return undefined;
    if (isPrimitiveName(name)) return primitives[name];
    return this.add(place, `there is no primitive type "${name}"`);
  }

  /** A value of a primitive type, within the native range of the type. */
  value(place: Place, primitive: Primitive, text: string): WireNumber | undefined {
    const value = parseValue(primitive, text);
    if (value === undefined) {
      return this.add(place, `"${text}" is not a value of ${primitive.name}`);
    }
    if (Number.isNaN(value) || (value >= primitive.min && value <= primitive.max)) return value;
    return this.add(place, `${text} is outside ${primitive.name}`);
  }

  unique(place: Place, seen: Set<string>, name: string): void {
    if (seen.has(name)) this.add(place, `the name ${name} is there already`);
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
