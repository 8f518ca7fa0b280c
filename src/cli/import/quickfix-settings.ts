/**
 * Parses the settings file of QuickFIX C++, QuickFIX/J and QuickFIX/n: `[DEFAULT]` and `[SESSION]` sections of
 * `Key=Value`, in which a session inherits the defaults. Keys are case-insensitive, as in QuickFIX.
 */

export interface Setting {
  readonly key: string;
  readonly value: string;
  /** The line of the file, from 1. */
  readonly line: number;
}

/** By lower-case key; a session's own settings override the defaults. */
export type QuickfixSession = ReadonlyMap<string, Setting>;

export function parseQuickfix(text: string) {
  const defaults = new Map<string, Setting>();
  const own: Map<string, Setting>[] = [];
  const faults: string[] = [];
  let section: Map<string, Setting> | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const words = raw.trim();
    if (words === '' || words.startsWith('#')) continue;
    const name = /^\[(\w+)\]$/.exec(words)?.[1]?.toUpperCase();
    if (name === 'DEFAULT') section = defaults;
    else if (name === 'SESSION') {
      section = new Map();
      own.push(section);
    } else {
      const [, key = '', value = ''] = /^([^=]+?)\s*=\s*(.*)$/.exec(words) ?? [];
      if (key === '') faults.push(`line ${line}: neither a section nor Key=Value`);
      else if (section === undefined)
        faults.push(`line ${line}: ${key} is before the first section`);
      else section.set(key.toLowerCase(), { key, value, line });
    }
  }
  if (own.length === 0) faults.push('no [SESSION] section');
  return { faults, sessions: own.map((session) => new Map([...defaults, ...session])) };
}

/** The value of the first of these keys that is set. */
export function textOf(session: QuickfixSession, ...keys: string[]): string | undefined {
  const values = keys.map((key) => session.get(key)?.value);
  return values.find((value) => value !== undefined && value !== '');
}

export function isOn(session: QuickfixSession, ...keys: string[]): boolean {
  return keys.some((key) => /^(y|yes|true)$/i.test(textOf(session, key) ?? ''));
}

/** An integer within the range; other values are ignored. */
export function numberOf(
  session: QuickfixSession,
  keys: readonly string[],
  least: number,
  most: number,
): number | undefined {
  const text = textOf(session, ...keys) ?? '';
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** An acceptor is the gateway that is replaced; an initiator is the client that remains. */
export function isOfGateway(session: QuickfixSession): boolean {
  return textOf(session, 'connectiontype')?.toLowerCase() === 'acceptor';
}
