/** Every wait of a test ends: with what was waited for, or with an error that says what that was. */
import { clearTimeout, setTimeout } from 'node:timers';

/** A busy machine takes its time; a test ends at 60 s. */
const patienceMs = 40_000;
const lookMs = 5;

/** `what` as a sentence without its end: "the bridge opens". */
export async function within<T>(
  what: string,
  wait: Promise<T>,
  limitMs: number = patienceMs,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, fail) => {
    const text = `waited ${limitMs} ms in vain until ${what}`;
    timer = setTimeout(() => fail(new Error(text)), limitMs);
  });
  try {
    return await Promise.race([wait, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when it is so. */
export async function until(isSo: () => boolean, limitMs: number = patienceMs): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!isSo()) {
    if (performance.now() >= endMs) throw new Error(`waited ${limitMs} ms in vain until ${isSo}`);
    await new Promise((done) => setTimeout(done, lookMs));
  }
}
