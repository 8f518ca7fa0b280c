/**
 * Resolves when `onWake` is called, the time has passed, or the run is stopped; the caller then checks again. After a
 * pause of the whole process its timers are due before its sockets are read, so what has arrived is read first.
 */
export function awaited(
  leftMs: number,
  signal: AbortSignal,
  onWake: (wake: () => void) => void = () => {},
): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(() => setImmediate(wake), leftMs);
    signal.addEventListener('abort', wake);
    onWake(wake);
  });
}
