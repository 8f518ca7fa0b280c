/**
 * How records are stored as JSON: a table for each type, with the form of every member. A member that has its default value
 * is not written. The compiler notices a member that its table lacks.
 */
import { exactJson, exactValue } from './exact-json.ts';

export interface Form<T> {
  /** JSON; undefined if the member is not written. */
  write(value: T): string | undefined;
  /** `stored` is undefined if the member was not written. */
  read(stored: unknown): T;
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

/** Text with few different values, of which each is kept in memory once. */
export function word<T extends string>(): Form<T> {
  const known = new Map<unknown, T>();
  const read = (stored: unknown) => {
    const found = known.get(stored);
    if (found !== undefined) return found;
    if (known.size < mostShared) known.set(stored, stored as T);
    return stored as T;
  };
  return { write: exactJson, read };
}

/** An integer of any size, as text. */
export function amount<T extends bigint>(): Form<T> {
  return { write: (value) => `"${value}"`, read: (stored) => BigInt(stored as string) as T };
}

/** The default value is not written, and neither is a member that is absent. */
export function unless<T>(value: T, form: Form<Exclude<T, null>> | Form<T>): Form<T> {
  const { read, write } = form as Form<T>;
  return {
    write: (member) => (member === value || member === undefined ? undefined : write(member)),
    read: (stored) => (stored === undefined ? value : read(stored)),
  };
}

export function orNull<T>(form: Form<T>): Form<T | null> {
  return unless<T | null>(null, form as Form<T | null>);
}

/** A member that may be absent. */
export function optional<T>(form: Form<T>): Form<T | undefined> {
  return unless<T | undefined>(undefined, form as Form<T | undefined>);
}

/** A list, which is not written if it is empty. */
export function list<T>({ read, write }: Form<T>): Form<readonly T[]> {
  return {
    write(values) {
      if (values.length === 0) return undefined;
      let text = '';
      for (const value of values) text += `${text === '' ? '[' : ','}${write(value) ?? 'null'}`;
      return `${text}]`;
    },
    read: (stored) => (stored === undefined ? [] : (stored as unknown[]).map(read)),
  };
}

export function members<T extends object>(forms: Members<T>): Form<T> {
  const named = Object.entries<Form<unknown>>(forms).map(([name, { read, write }]) => ({
    name: name as keyof T,
    key: `"${name}":`,
    read,
    write,
  }));
  return {
    write(value) {
      let text = '';
      for (const { key, name, write } of named) {
        const member = write(value[name]);
        if (member !== undefined) text += `${text === '' ? '{' : ','}${key}${member}`;
      }
      return text === '' ? '{}' : `${text}}`;
    },
    read(stored) {
      const value = {} as Record<keyof T, unknown>;
      for (const { name, read } of named) {
        const member = read((stored as Record<keyof T, unknown>)[name]);
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

/** Few different values that never change: each is written out once, and is in memory once. */
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
    read(stored) {
      const text = JSON.stringify(stored);
      const known = values.get(text);
      if (known !== undefined) return known;
      const value = read(stored);
      if (values.size < mostShared) values.set(text, value);
      return value;
    },
  };
}

/** So many different values are kept once; further ones are kept each time. */
const mostShared = 10_000;
