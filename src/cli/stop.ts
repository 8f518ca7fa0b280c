/**
 * Ends a verb that runs until a signal stops it. It is called before the verb reports that it is ready, because a program
 * that waits for that may send the signal at once.
 */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
