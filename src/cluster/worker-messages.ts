/** The messages between a node and its workers, over Node's channel between parent and child process. */

import type { DoneAct } from '../gateway/operator/shared-acts.ts';
import type { PasswordProof } from '../gateway/passwords/password-proofs.ts';
import type { Claim } from '../store/postgres/lease.ts';
import type { LaneName } from './lanes.ts';
import type { ForWorker } from './node-acts.ts';
import type { AnswerMessage, AskMessage } from './node-link.ts';
import type { Offence } from './node-questions.ts';

/** What a worker belongs to. */
interface Home {
  readonly clusterFile: string;
  readonly node: string;
}

/** Messages from the node. A connection is sent with its socket. */
export type ToWorker =
  /** To a spare worker: do the part of a start that takes time and is the same for every shard. */
  | (Home & { readonly kind: 'prepare' })
  /** To a spare worker: the shard will probably be yours soon. The worker responds once it has read it, or cannot. */
  | (Home & { readonly kind: 'ahead'; readonly shard: string })
  | (Home & {
      readonly kind: 'own';
      readonly shard: string;
      /** With a database: the owner that the worker replaces. */
      readonly claim?: Pick<Claim, 'owner' | 'seenEpoch' | 'isOver'>;
      /** Its clients do not wait until their passwords have been checked once more. */
      readonly proofs: readonly PasswordProof[];
    })
  | {
      readonly kind: 'connection';
      readonly lane: LaneName;
      readonly address: string;
      readonly first: Uint8Array;
    }
  /** A periodic sign of life of the node. */
  | { readonly kind: 'alive' }
  | ForWorker
  | AnswerMessage
  | { readonly kind: 'reload' }
  | { readonly kind: 'stop' };

/** Messages from a worker. */
export type FromWorker =
  /** The worker has no shard, and is loaded. */
  | { readonly kind: 'prepared' }
  /** Undefined: the worker has read the shard and its signer answers, so it could serve the shard. */
  | { readonly kind: 'ahead'; readonly shard: string; readonly problem: string | undefined }
  /** The worker owns the shard of the database. */
  | { readonly kind: 'took'; readonly epoch: number }
  | { readonly kind: 'serving'; readonly doors: Doors; readonly consoleUrl: string | undefined }
  | ActMessage
  /** The worker has lost its signer, or has it again. */
  | { readonly kind: 'signer'; readonly isAway: boolean }
  /** The worker has the connection that was sent last, or has found it closed. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'offence'; readonly offence: Offence }
  | { readonly kind: 'proof'; readonly proof: PasswordProof };

/** Messages about shared acts. */
export type ActMessage =
  | AskMessage
  | {
      /** The journal of the shard is open. The worker sends nothing to the venue before the node's `acts_sent`. */
      readonly kind: 'opened';
      /** The number of the last shared act that the shard has recorded. */
      readonly last: number;
      /** The latest of them in full. */
      readonly done: readonly DoneAct[];
    }
  | { readonly kind: 'act_done'; readonly done: DoneAct };

/** The private sockets of a worker, for connections that cannot be handed over. */
export type Doors = Readonly<Record<LaneName, string>>;

/** Exit code: the shard now belongs to another process, so this node does not restart the worker. */
export const fencedExitCode = 64;
/**
 * Exit code: the database has lost commits of the shard. The node may have first read the shard's position after the
 * loss, so the worker has to report it.
 */
export const forgottenExitCode = 65;
