/** An operator's preferences on this machine, such as hidden columns. A browser without storage uses the defaults. */
import { useState } from 'htm/preact';

export function useKept<T>(name: string, usual: T): readonly [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    try {
      const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as T | null;
      return kept !== null && Array.isArray(kept) === Array.isArray(usual) ? kept : usual;
    } catch {
      return usual;
    }
  });
  const set = (now: T) => {
    setValue(now);
    try {
      localStorage.setItem(name, JSON.stringify(now));
    } catch {
      // In private browsing, the preference lasts as long as the page.
    }
  };
  return [value, set];
}
