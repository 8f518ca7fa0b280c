/**
 * How records are stored as JSON: a table for each type, with the form of every member. A member with its default value
 * is not written. The compiler reports a member that is missing in its table.
 */
import { exactJson, exactValue } from './exact-json.ts';

export interface Form<T> {
  /** Returns JSON, or undefined if the member is not written. */
  write(value: T): string | undefined;
  /** `stored` is undefined if the member was not written. */
  read(stored: unknown): T;
  /** Whether the member may be absent. */
  readonly isOptional?: boolean;
  /** The value of a member that was not written. */
  readonly absent?: T;
  /** Whether there are few different values. */
  readonly isWord?: boolean;
  /** The members of an object, and an object with their default values. */
  readonly members?: readonly Member[];
  readonly shape?: Record<string, unknown>;
}

export interface Member {
  readonly name: string;
  readonly form: Form<unknown>;
}

type Members<T> = { readonly [Name in keyof T]-?: Form<T[Name]> };
type Kinds<T extends { readonly kind: string }> = {
  readonly [Kind in T['kind']]?: Form<Extract<T, { readonly kind: Kind }>>;
};

/** Any value, with all of its members. */
export function json<T>(): Form<T> {
  return { write: exactJson, read: (stored) => exactValue(stored) as T };
}

/** Text, a number, or a value that JSON has. */
export function plain<T>(): Form<T> {
  return { write: exactJson, read: (stored) => stored as T };
}

/** Text with few different values, each of which is in memory only once. */
export function word<T extends string>(): Form<T> {
  const known = new Map<unknown, T>();
  const read = (stored: unknown) => {
    const found = known.get(stored);
    if (found !== undefined) return found;
    if (known.size < maxShared) known.set(stored, stored as T);
    return stored as T;
  };
  return { write: exactJson, read, isWord: true };
}

/** An integer of any size, as text. */
export function amount<T extends bigint>(): Form<T> {
  return { write: (value) => `"${value}"`, read: (stored) => BigInt(stored as string) as T };
}

/** Neither the default value nor an absent member is written. */
export function unless<T>(value: T, form: Form<T>): Form<T> {
  return {
    write: (member) => (member === value || member === undefined ? undefined : form.write(member)),
    read: (stored) => (stored === undefined ? value : form.read(stored)),
    absent: value,
    ...(form.isWord && { isWord: true }),
  };
}

export function orNull<T>(form: Form<T>): Form<T | null> {
  return unless<T | null>(null, form as Form<T | null>);
}

/** A member that may be absent. */
export function optional<T>(form: Form<T>): Form<T | undefined> {
  return { ...unless<T | undefined>(undefined, form as Form<T | undefined>), isOptional: true };
}

/** A list, which is not written if it is empty. */
export function list<T>(form: Form<T>): Form<readonly T[]> {
  return {
    write(values) {
      if (values.length === 0) return undefined;
      let text = '';
      for (const value of values) {
        text += `${text === '' ? '[' : ','}${form.write(value) ?? 'null'}`;
      }
      return `${text}]`;
    },
    read: (stored) =>
      stored === undefined ? [] : (stored as unknown[]).map((one) => form.read(one)),
    absent: [],
  };
}

/** Whether a member of this form may be missing in a stored record. */
export function hasDefault({ absent, isOptional }: Form<unknown>): boolean {
  return isOptional === true || absent !== undefined;
}

export function members<T extends object>(forms: Members<T>): Form<T> {
  const named = Object.entries<Form<unknown>>(forms).map(([name, form]) => ({
    name: name as keyof T & string,
    key: `"${name}":`,
    form,
  }));
  // A copy of this has its final shape at once. An object that gets twenty members one by one takes twice the memory.
  const shape = Object.fromEntries(
    named.filter(({ form }) => !form.isOptional).map(({ form, name }) => [name, form.absent]),
  );
  return {
    members: named,
    shape,
    write(value) {
      let text = '';
      for (const { form, key, name } of named) {
        const member = form.write(value[name]);
        if (member !== undefined) text += `${text === '' ? '{' : ','}${key}${member}`;
      }
      return text === '' ? '{}' : `${text}}`;
    },
    read(stored) {
      const value = { ...shape } as Record<keyof T, unknown>;
      for (const { form, name } of named) {
        const member = form.read((stored as Record<keyof T, unknown>)[name]);
        if (member !== undefined) value[name] = member;
      }
      return value as T;
    },
  };
}

/** A value of several kinds. A table has the member `kind`; kinds without a table are written with all members. */
export function kinds<T extends { readonly kind: string }>(forms: Kinds<T>): Form<T> {
  const whole = json<T>();
  const of = (kind: string) => (forms[kind as T['kind']] ?? whole) as Form<T>;
  return {
    write: (value) => of(value.kind).write(value),
    read: (stored) => of((stored as T).kind).read(stored),
  };
}

/** Immutable objects with few different values: each is written out once, and is in memory once. */
export function shared<T extends object>({ read, write }: Form<T>): Form<T> {
  const texts = new WeakMap<T, string>();
  const values = new Map<string, T>();
  return {
    write(value) {
      const known = texts.get(value);
      if (known !== undefined) return known;
      const text = write(value) ?? '{}';
      texts.set(value, text);
      return text;
    },
    isWord: true,
    read(stored) {
      const text = JSON.stringify(stored);
      const known = values.get(text);
      if (known !== undefined) return known;
      const value = read(stored);
      if (values.size < maxShared) values.set(text, value);
      return value;
    },
  };
}

/** The maximum number of distinct values that are shared; others are stored each time. */
const maxShared = 10_000;
