/** The open submissions of an account, and the indexes that find them. */
import type { RequestRef } from '../../engine/venue-port.ts';
import { invariant } from '../../runtime/invariant.ts';
import { ShortLivedMap } from '../../runtime/short-lived-map.ts';
import type { Priority, SignedBytes, Submission } from './submission.ts';

export interface IndexState {
  readonly submissions: readonly Submission[];
  /** Ids of submissions that wait for a nonce, in order; absent in a state from records of an earlier version. */
  readonly waiting?: readonly number[];
}

/** A fence that is older than so many others is refused for its age, also if restarts made them in quick succession. */
const mostFences = 64;

export class SubmissionIndex {
  /** Submissions whose nonce is beyond the venue's window. */
  readonly beyond = new Set<number>();
  readonly #all = new ShortLivedMap<number, Submission>();
  readonly #waiting: Record<Priority, number[]> = { cancel: [], place: [] };
  readonly #byHash = new ShortLivedMap<string, number>();
  /** Contains no fences, because a fence shares the nonce of another submission. */
  readonly #byNonce = new ShortLivedMap<number, number>();

  get(id: number): Submission | undefined {
    return this.#all.get(id);
  }

  /** Returns a copy, because the caller may end some submissions. */
  all(): readonly Submission[] {
    return [...this.#all.values()];
  }

  /** Sorted, because a start does not know which of them the venue refused first. */
  beyondInOrder(): readonly number[] {
    return [...this.beyond].sort((a, b) => a - b);
  }

  byHash(hash: string): Submission | undefined {
    return this.#all.get(this.#byHash.get(hash) ?? 0);
  }

  /** Whether it is the hash of an open submission, or of a fence that was sent for the one with this nonce. */
  isOwn(hash: string, nonce: number): boolean {
    const { fences = [] } = this.byNonce(nonce) ?? {};
    return fences.includes(hash) || this.byHash(hash) !== undefined;
  }

  /** Whether another program made the action with this hash, although an order's open submission has its nonce. */
  isOfStranger(hash: string, nonce: number): boolean {
    const { asked = null, fences = [], formerNonce } = this.byNonce(nonce) ?? {};
    // A filler follows an action that is forgotten, and a cancel may be signed again for its own nonce.
    const isFirst = asked !== null && formerNonce !== nonce;
    return isFirst && !fences.includes(hash) && this.byHash(hash) === undefined;
  }

  byNonce(nonce: number): Submission | undefined {
    return this.#all.get(this.#byNonce.get(nonce) ?? 0);
  }

  /** The ids of submissions that wait for a nonce, in order. */
  waiting(priority: Priority): readonly number[] {
    return this.#waiting[priority];
  }

  get waitingCount(): Readonly<Record<Priority, number>> {
    return { cancel: this.#waiting.cancel.length, place: this.#waiting.place.length };
  }

  add(own: Submission): void {
    this.#all.set(own.id, own);
  }

  /** Returns a function that checks whether a request has a submission. */
  asked(): (asked: RequestRef) => boolean {
    const requests = new Map<string, Set<string>>();
    for (const { asked } of this.#all.values()) {
      if (asked === null) continue;
      const known = requests.get(asked.key);
      if (known === undefined) requests.set(asked.key, new Set([asked.requestId]));
      else known.add(asked.requestId);
    }
    return ({ key, requestId }) => requests.get(key)?.has(requestId) === true;
  }

  state(): IndexState {
    const submissions = this.all().map((own) => ({
      ...own,
      bytes: own.bytes && { ...own.bytes, made: undefined },
      nested: own.nested && { ...own.nested, bytes: { ...own.nested.bytes, made: undefined } },
    }));
    return { submissions, waiting: [...this.#waiting.cancel, ...this.#waiting.place] };
  }

  restore({ submissions, waiting = [] }: IndexState): void {
    for (const kept of submissions) {
      const own = { ...kept };
      this.add(own);
      if (own.bytes !== null && own.nonce !== null) this.carries(own, own.bytes, own.nonce);
      if (own.state === 'beyond') this.beyond.add(own.id);
    }
    for (const id of waiting) {
      const own = this.get(id);
      if (own !== undefined) this.wait(own);
    }
  }

  wait({ id, priority }: Submission): void {
    this.#waiting[priority].push(id);
  }

  waitFirst({ id, priority }: Submission): void {
    this.#waiting[priority].unshift(id);
  }

  leaveQueue({ id, priority }: Submission): void {
    const line = this.#waiting[priority];
    if (line[0] === id) line.shift();
    else if (line.includes(id)) line.splice(line.indexOf(id), 1);
  }

  /** Assigns these bytes to the submission. A nonce has one action, and possibly a fence in addition. */
  carries(own: Submission, bytes: SignedBytes, nonce: number): void {
    if (own.fencedId === null) {
      const holder = this.#byNonce.get(nonce);
      const isFree = holder === undefined || holder === own.id;
      invariant(isFree, 'one nonce, one action that places something:', String(nonce));
      this.#byNonce.set(nonce, own.id);
    }
    const fenced = this.get(own.fencedId ?? 0);
    if (fenced !== undefined)
      fenced.fences = [...new Set([...(fenced.fences ?? []), bytes.hash])].slice(-mostFences);
    own.nonce = nonce;
    own.bytes = bytes;
    this.#byHash.set(bytes.hash, own.id);
  }

  /** Removes the bytes and the nonce of the submission. */
  unload(own: Submission): void {
    this.beyond.delete(own.id);
    if (own.bytes !== null) this.#byHash.delete(own.bytes.hash);
    if (own.nonce !== null && this.#byNonce.get(own.nonce) === own.id) {
      this.#byNonce.delete(own.nonce);
    }
  }

  forget(own: Submission): void {
    this.leaveQueue(own);
    this.unload(own);
    this.#all.delete(own.id);
  }
}
