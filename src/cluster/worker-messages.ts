/** What a node and its workers say to each other, over the channel that Node gives a process and its parent. */
import type { DoneAct } from '../gateway/shared-acts.ts';
import type { Claim } from '../store/postgres/lease.ts';
import type { LaneName } from './lanes.ts';
import type { ForWorker } from './node-acts.ts';
import type { AnswerMessage, AskMessage } from './node-link.ts';
import type { Offence } from './node-questions.ts';

/** From the node. A connection comes with its socket. */
export type ToWorker =
  /** To one that owns nothing yet: it does once what costs time at a start and is the same for each shard. */
  | { readonly kind: 'prepare'; readonly clusterFile: string; readonly node: string }
  | {
      readonly kind: 'own';
      readonly clusterFile: string;
      readonly node: string;
      readonly shard: string;
      /** With a database: which owner the worker replaces. */
      readonly claim?: Pick<Claim, 'owner' | 'seenEpoch' | 'isOver'>;
    }
  | {
      readonly kind: 'connection';
      readonly lane: LaneName;
      readonly address: string;
      readonly first: Uint8Array;
    }
  /** The node is alive. It says so again and again. */
  | { readonly kind: 'alive' }
  | ForWorker
  | AnswerMessage
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' };

/** From a worker. */
export type FromWorker =
  /** It owns nothing, and what costs time at a start is done. */
  | { readonly kind: 'prepared' }
  /** The shard of the database is its own. */
  | { readonly kind: 'took'; readonly epoch: number }
  | {
      readonly kind: 'serving';
      readonly doors: Doors;
      readonly consoleUrl: string | undefined;
      /** The number of the last shared act that the shard has recorded, and the last of them in full. */
      readonly acts: { readonly last: number; readonly done: readonly DoneAct[] };
    }
  | ActMessage
  /** It has the connection that was sent last, or has found it closed. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'offence'; readonly offence: Offence };

/** About shared acts. */
export type ActMessage = AskMessage | { readonly kind: 'act_done'; readonly done: DoneAct };

/** The private sockets of a worker, for connections that cannot be handed over. */
export type Doors = Readonly<Record<LaneName, string>>;

/** Exit codes beside those of the program: the shard belongs to another process now, so this node does not restart it. */
export const fencedExitCode = 64;
/** The database has forgotten commits of the shard. The node may have read their number after that, so the worker says so. */
export const forgottenExitCode = 65;
