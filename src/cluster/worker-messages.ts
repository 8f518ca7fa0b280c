/** What a node and its workers say to each other, over the channel that Node gives a process and its parent. */
import type { LaneName } from './lanes.ts';

/** From the node. A connection comes with its socket. */
export type ToWorker =
  | {
      readonly kind: 'own';
      readonly clusterFile: string;
      readonly node: string;
      readonly shard: string;
    }
  | {
      readonly kind: 'connection';
      readonly lane: LaneName;
      readonly address: string;
      readonly first: Uint8Array;
    }
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' };

/** From a worker. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly doors: Doors; readonly consoleUrl: string | undefined }
  /** It has the connection that was sent last, or has found it closed. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'offence'; readonly lane: LaneName; readonly address: string };

/** The private sockets of a worker, for connections that cannot be handed over. */
export type Doors = Readonly<Record<LaneName, string>>;

/** Exit codes beside those of the program: the shard belongs to another process now, so this node does not restart it. */
export const fencedExitCode = 64;
