/** A client's line to the cluster, whichever protocol it speaks: it can be lost at any time, and comes back at another address. */
import type { Heard, Report, Sent } from './history.ts';

export interface Request extends Omit<Sent, 'way' | 'atMs'> {
  /** In 1e-6. */
  readonly price: number;
}

export interface LaneEvents {
  sent(request: Request): void;
  heard(message: Omit<Heard, 'way' | 'atMs'>): void;
  /** Once each, in the order of the numbers. */
  report(report: Report): void;
}

export interface Lane {
  readonly isOpen: boolean;
  /** Milliseconds since the last bytes came. */
  readonly silentMs: number;
  /** What the bridge did that no bridge may do. */
  readonly fault: Error | undefined;
  readonly nextIn: number;
  /** Why the bridge ended or refused the last connection. */
  readonly ending: string | undefined;
  /** Logs on; true once it is open, false after so long. */
  open(port: number, withinMs: number): Promise<boolean>;
  send(request: Request): void;
  /** Something that has to be answered. */
  ping(): void;
  close(): Promise<void>;
}

export async function isSoon(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}
