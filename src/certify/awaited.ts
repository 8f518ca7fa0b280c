/** Resolves when `onWake` is called, the time has passed, or the run is stopped; the caller then checks again. */
export function awaited(
  leftMs: number,
  signal: AbortSignal,
  onWake: (wake: () => void) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, leftMs);
    signal.addEventListener('abort', wake);
    onWake(wake);
  });
}
