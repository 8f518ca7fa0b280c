/** The keys of a configuration with all that a reader needs to know of them, from the zod schema that checks it. */
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { unitOf } from '../../src/runtime/yaml-problem.ts';

export interface ConfigKey {
  /** `sessions[].copy.users`; `NAME` is a name that the configuration chooses. */
  readonly path: string;
  readonly steps: readonly Step[];
  readonly type: string;
  readonly isNumber: boolean;
  /** It has keys of its own. */
  readonly isSection: boolean;
  readonly isRequired: boolean;
  /** As YAML; undefined without a default. */
  readonly fallback: string | undefined;
  readonly unit: string | undefined;
  readonly meaning: string | undefined;
  /** As YAML. */
  readonly example: string | undefined;
  readonly accepts: (yaml: string) => boolean;
}

/** A key, the element of a list, or a key of a record. */
type Step = { readonly key: string } | '[]' | 'NAME';

/** A key of one object, or the same key of several variants of a union. */
interface Variants {
  readonly schemas: z.ZodType[];
  /** `protocol: fix`, where not every variant has the key. */
  readonly only: string[];
}

/** What `.describe` and `.meta` say of a schema; the title is the name of its type. */
interface Meta {
  readonly title?: string;
  readonly description?: string;
  readonly unit?: string;
  readonly examples?: readonly unknown[];
}

/** A schema without its wrappers, with what the wrappers add. */
interface Unwrapped {
  readonly core: z.ZodType;
  readonly meta: Meta;
  readonly isOptional: boolean;
  readonly fallback?: unknown;
}

const nameStep = 'NAME';

export function keysOf(schema: z.ZodType, steps: readonly Step[] = []): ConfigKey[] {
  const { core } = unwrapped(schema);
  if (core instanceof z.ZodArray) return keysOf(core.element as z.ZodType, [...steps, '[]']);
  if (core instanceof z.ZodRecord) return keysOf(core.valueType as z.ZodType, [...steps, nameStep]);
  return [...variantsOf(core)].flatMap(([key, variants]) => {
    const own = [...steps, { key }];
    const [first] = variants.schemas as [z.ZodType];
    return [keyOf(own, variants), ...keysOf(first, own)];
  });
}

function variantsOf(core: z.ZodType): Map<string, Variants> {
  const found = new Map<string, Variants>();
  if (core instanceof z.ZodObject) {
    for (const [key, schema] of Object.entries(core.shape)) {
      found.set(key, { schemas: [schema as z.ZodType], only: [] });
    }
  }
  if (core instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = core.def;
    const options = core.options as z.ZodObject[];
    for (const { shape } of options) {
      const { core: literal } = unwrapped(shape[discriminator] as z.ZodType);
      for (const [key, schema] of Object.entries(shape)) {
        const variants = found.get(key) ?? { schemas: [], only: [] };
        variants.schemas.push(schema as z.ZodType);
        variants.only.push(`${discriminator}: ${(literal as z.ZodLiteral).value}`);
        found.set(key, variants);
      }
    }
    for (const { only } of found.values()) if (only.length === options.length) only.length = 0;
  }
  return found;
}

function keyOf(steps: readonly Step[], { schemas, only }: Variants): ConfigKey {
  const all = schemas.map(unwrapped) as [Unwrapped, ...Unwrapped[]];
  const whole = all.find(({ fallback }) => fallback !== undefined) ?? all[0];
  const { core, fallback, meta } = whole;
  const isSection = keysOf(core).length > 0;
  const literals = all.map((one) => one.core).filter((one) => one instanceof z.ZodLiteral);
  const last = steps.at(-1);
  const name = typeof last === 'object' ? last.key : '';
  const example = isSection
    ? undefined
    : (meta.examples?.[0] ?? literals.at(-1)?.value ?? other(core, fallback));
  return {
    path: pathOf(steps),
    steps,
    type: literals.length > 0 ? choice(literals.map(({ value }) => value)) : typeOf(core, meta),
    isNumber: core instanceof z.ZodNumber,
    isSection,
    isRequired: all.every((one) => !one.isOptional),
    fallback: fallback === undefined ? undefined : yaml(fallback),
    unit: meta.unit ?? unitOf(name),
    meaning: meaningOf(meta.description, only),
    example: example === undefined ? undefined : yaml(example),
    accepts: (text) => schemas.some((schema) => schema.safeParse(parse(text)).success),
  };
}

function meaningOf(description: string | undefined, only: readonly string[]): string | undefined {
  if (description === undefined || only.length === 0) return description;
  return `${description} Only with ${only.map((one) => `\`${one}\``).join(' or ')}.`;
}

/** What is nearer to the outside outranks what is further in. */
function unwrapped(schema: z.ZodType): Unwrapped {
  const meta = (z.globalRegistry.get(schema) ?? {}) as Meta;
  const inside = (inner: unknown, more: Partial<Unwrapped> = {}): Unwrapped => {
    const under = unwrapped(inner as z.ZodType);
    return { ...under, ...more, meta: { ...under.meta, ...meta } };
  };
  if (schema instanceof z.ZodOptional) return inside(schema.unwrap(), { isOptional: true });
  if (schema instanceof z.ZodNullable) return inside(schema.unwrap());
  if (schema instanceof z.ZodPipe) return inside(schema.in);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return inside(schema.unwrap(), { isOptional: true, fallback: schema.def.defaultValue });
  }
  return { core: schema, meta, isOptional: false };
}

/** A choice other than the default shows more than the default would. */
function other(core: z.ZodType, fallback: unknown): unknown {
  if (core instanceof z.ZodBoolean) return fallback !== true;
  if (core instanceof z.ZodEnum) return core.options.find((option) => option !== fallback);
  return undefined;
}

function typeOf(core: z.ZodType, { title }: Meta): string {
  if (core instanceof z.ZodArray) {
    const element = unwrapped(core.element as z.ZodType);
    if (keysOf(element.core).length > 0) return 'list of sections';
    return `list of ${typeOf(element.core, element.meta)}`;
  }
  if (core instanceof z.ZodRecord) return 'sections by name';
  if (keysOf(core).length > 0) return 'section';
  if (title !== undefined) return title;
  if (core instanceof z.ZodBoolean) return choice([true, false]);
  if (core instanceof z.ZodEnum) return choice(core.options);
  if (core instanceof z.ZodNumber) return integer(core);
  return 'text';
}

function integer({ minValue, maxValue }: z.ZodNumber): string {
  const least = (minValue ?? 0).toLocaleString('en-US');
  if (maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER) return `integer, at least ${least}`;
  return `integer, ${least} to ${maxValue.toLocaleString('en-US')}`;
}

function choice(options: readonly unknown[]): string {
  return options.map((option) => `\`${option}\``).join(', ');
}

function pathOf(steps: readonly Step[]): string {
  const text = steps.map((step) =>
    step === '[]' ? step : step === nameStep ? `.${step}` : `.${step.key}`,
  );
  return text.join('').slice(1);
}

function yaml(value: unknown): string {
  return stringify(value, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trim();
}
