/**
 * What ends a verb that runs until it is told to stop. It is called before the verb says that it is ready: whoever waits
 * for that may tell it to stop at once.
 */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
