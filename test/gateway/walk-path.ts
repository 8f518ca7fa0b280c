/** The path of a random walk (`core-walk.ts`) to its venue: requests on their way, and results on their way back. */
import type { Denial } from '../../src/domain/denial.ts';
import type { OutboxEffect, OutboxInput } from '../../src/venue/outbox/outbox-types.ts';
import type { Submission } from '../../src/venue/outbox/submission.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import type { Verdict } from '../../src/venue/verdict.ts';
import type { Dice } from '../simulation/dice.ts';
import { unsent } from '../venue/outbox/life-run.ts';
import { signature } from '../venue/outbox/outbox-bench.ts';
import { shut, unclear } from './walk-door.ts';
import { refusals, WalkLedger } from './walk-ledger.ts';
import type { Copy, WalkVenue } from './walk-venue.ts';

interface PathParts {
  readonly dice: Dice;
  readonly venue: WalkVenue;
  readonly fault: (text: string) => void;
  /** Where events are lost, nothing would ever correct a misdirected answer. */
  readonly isForgetful: boolean;
  /** Where the venue derives ids otherwise, nothing would correct the id that a misdirected answer names. */
  readonly isRenaming: boolean;
  /** Whether other channels have nonces of their own. */
  readonly isOfAgent: boolean;
  /** Whether the bridge waits for an answer to these bytes. */
  readonly isAwaited: (copy: Copy) => boolean;
  /** What leaves the queue is judged once more. */
  readonly denial: (copy: Copy) => Denial | null;
}

/** More copies with one nonce are not sent by an account that pauses between them. */
const mostCopies = 30;

interface Answer {
  readonly id: number;
  readonly verdict: Verdict;
}

interface Left {
  readonly id: number;
  readonly outer: number;
  /** How many of its copies may still use the nonce. */
  copies: number;
}

export class WalkPath {
  readonly #parts: PathParts;
  /** Whether answers may be swapped. */
  readonly #isTwisted: boolean;
  #copies: Copy[] = [];
  #results: (() => OutboxInput | undefined)[] = [];
  #held: Answer | undefined;
  #swaps = 0;
  /** How often each nonce has left. */
  readonly #sent = new Map<number, number>();
  readonly #ledger: WalkLedger;
  /** The nonces that the stream has shown, each with the hash of its action. */
  readonly #heard = new Map<number, string>();
  /** The nonces that have left, each with its submission; one is free again once no copy has consumed it. */
  readonly #left = new Map<number, Left>();

  constructor(parts: PathParts) {
    this.#parts = parts;
    this.#ledger = new WalkLedger(parts.fault);
    this.#isTwisted = !parts.isForgetful && parts.dice.hits(200);
  }

  /** Whether an answer has come to another request. */
  get isMisled(): boolean {
    return this.#swaps > 0;
  }

  get isEmpty(): boolean {
    return this.#copies.length === 0 && this.#results.length === 0;
  }

  submit(copy: Copy): void {
    this.#copies.push(copy);
    if (isPlacing(copy)) this.#ledger.asked(copy.nonce, copy.hash);
    const count = (this.#sent.get(copy.nonce) ?? 0) + 1;
    this.#sent.set(copy.nonce, count);
    if (count === mostCopies) this.#parts.fault(`nonce ${copy.nonce} is sent ${count} times`);
  }

  result(result: () => OutboxInput | undefined): void {
    this.#results.push(result);
  }

  /** The bridge knows from now on who has used this nonce, if it lies in the window that the bridge knows. */
  heard({ nonce, venueRef }: VenueEvent, floor: number, window: number): void {
    const at = Number(nonce ?? -1);
    if (this.#parts.isOfAgent) return;
    if (at >= floor && at < floor + window) this.#heard.set(at, venueRef?.slice(2) ?? '');
  }

  /** No nonce that has left with one action goes out with another, unless nothing can follow from that. */
  check({ asked, hash, id, nested, nonce }: Copy): void {
    if (asked === null) return;
    if ((this.#heard.get(nonce) ?? hash) !== hash) {
      this.#parts.fault(`${asked.key} has nonce ${nonce}, which the stream has shown`);
    }
    for (const one of [nonce, nested?.nonce ?? nonce]) {
      const left = this.#left.get(one);
      if (left === undefined || left.id === id) continue;
      // A conditional order whose own nonce is used otherwise, or that is refused, uses none for the order inside it.
      if (left.outer !== one && this.#parts.venue.isUsed(left.outer)) continue;
      this.#parts.fault(`${asked.key} has nonce ${one} of another`);
    }
  }

  sign({ bytes, id, nonce }: Extract<OutboxEffect, { kind: 'sign' }>): void {
    const isSigned = this.#parts.dice.hits(900);
    const code = this.#parts.dice.pick(refusals);
    this.#ledger.asked(nonce, bytes.hash);
    if (!isSigned) this.#ledger.refused(nonce, bytes.hash, code);
    this.result(() =>
      isSigned ? { kind: 'signed', id, signature } : { kind: 'unsigned', id, code, text: '' },
    );
  }

  look({ hash, id }: Extract<OutboxEffect, { kind: 'look' }>, own: Submission | undefined): void {
    const { dice, venue } = this.#parts;
    const nonce = own?.isOverdueTold ? own.nonce : null;
    const found = () => venue.receipt(hash, nonce);
    const early = found();
    const isStale = dice.hits(300);
    const isUnreadable = !venue.isCalm && dice.hits(100);
    const unreadable = { kind: 'unreadable', problem: 'HTTP 503' } as const;
    this.result(() => {
      return { kind: 'found', id, found: isUnreadable ? unreadable : isStale ? early : found() };
    });
  }

  discover({ asked, askedFrom }: Extract<OutboxEffect, { kind: 'discover' }>): void {
    const { dice, venue } = this.#parts;
    const early = venue.floor;
    const isStale = dice.hits(300);
    const fails = dice.hits(100);
    this.result(() => {
      const floor = fails ? null : isStale ? early : venue.floor;
      return { kind: 'floor', floor, asked, askedFrom };
    });
  }

  withdraw(id: number, hash: string | undefined): void {
    const at = this.#copies.findIndex((copy) => copy.hash === hash && !copy.isAbandoned);
    if (at < 0 || this.#parts.dice.hits(300)) return;
    this.#copies.splice(at, 1);
    this.result(() => ({ kind: 'answered', id, verdict: unsent }));
  }

  /** A request is applied, lost before or behind the venue, or stays on its way although nobody waits for it. */
  deliver(): void {
    const { denial, dice } = this.#parts;
    if (this.#copies.length === 0) return;
    const [copy] = this.#copies.splice(dice.below(this.#copies.length), 1) as [Copy];
    const { id } = copy;
    const denied = denial(copy);
    if (denied !== null) {
      const { refusal, text } = denied;
      this.#answer({ id, verdict: { kind: 'unsent', refusal, text: text ?? '' } });
      return;
    }
    const choice = copy.isAbandoned ? 0 : dice.below(100);
    if (choice < 80 || (choice >= 86 && choice < 94)) this.#leave(copy);
    if (choice < 60) {
      const verdict = this.#take(copy);
      if (copy.isAbandoned) return;
      if (dice.hits(150)) this.#answer({ id, verdict: unclear(dice) });
      else this.#answerOf(copy, { id, verdict });
    } else if (choice < 72) {
      this.#copies.push({ ...copy, isAbandoned: true });
      this.#answer({ id, verdict: unclear(dice) });
    } else if (choice < 80) this.#answer({ id, verdict: unclear(dice) });
    else if (choice < 86) this.#answer({ id, verdict: unsent });
    else if (choice < 94) {
      const verdict = shut(dice);
      this.#giveBack(copy, verdict);
      this.#answer({ id, verdict });
    } else this.#unsigned(copy);
  }

  #unsigned(copy: Copy): void {
    const { hash, id, nonce } = copy;
    const code = this.#parts.dice.pick(refusals);
    if (isPlacing(copy)) this.#ledger.refused(nonce, hash, code);
    this.result(() => ({ kind: 'unsigned', id, code, text: '' }));
  }

  #leave({ id, nested, nonce: outer }: Copy): void {
    for (const nonce of nested === null ? [outer] : [outer, nested.nonce]) {
      const { copies = 0, id: before } = this.#left.get(nonce) ?? {};
      this.#left.set(nonce, { id, outer, copies: before === id ? copies + 1 : 1 });
    }
  }

  #take(copy: Copy): Verdict {
    const verdict = this.#parts.venue.take(copy);
    this.#giveBack(copy, verdict);
    return verdict;
  }

  #giveBack({ nested, nonce: outer }: Copy, verdict: Verdict): void {
    if (verdict.kind !== 'refused' || verdict.nonce.nonceConsumed === true) return;
    const isStated = verdict.nonce.nonceConsumed === false;
    for (const nonce of nested === null ? [outer] : [outer, nested.nonce]) {
      const left = this.#left.get(nonce);
      if (left === undefined) continue;
      left.copies -= 1;
      if (left.copies <= 0 && isStated) this.#left.delete(nonce);
    }
  }

  /** An answer may come again once nobody waits for it, or to another request that the venue has taken. */
  #answerOf(copy: Copy, answer: Answer): void {
    const { dice, isAwaited, isRenaming } = this.#parts;
    const isPlain = !this.#isTwisted || (isRenaming && answer.verdict.kind === 'accepted');
    if (isPlain || (this.#held === undefined && !dice.hits(100))) {
      const again = { kind: 'answered', ...answer } as const;
      this.#answer(answer);
      if (dice.hits(30)) this.result(() => (isAwaited(copy) ? undefined : again));
      return;
    }
    const held = this.#held;
    this.#held = held === undefined ? answer : undefined;
    if (held === undefined) return;
    this.#swaps += 1;
    this.#mislead(held.id, answer.verdict);
    this.#mislead(answer.id, held.verdict);
  }

  /** If the answer says that the nonce is free, another action may have it, and is refused if it was used after all. */
  #mislead(id: number, verdict: Verdict): void {
    this.#answer({ id, verdict });
    if (verdict.kind !== 'refused' || verdict.nonce.nonceConsumed !== false) return;
    for (const [nonce, left] of this.#left) if (left.id === id) this.#left.delete(nonce);
  }

  #answer({ id, verdict }: Answer): void {
    this.result(() => ({ kind: 'answered', id, verdict }));
  }

  /** A result that arrives. */
  arrival(): OutboxInput | undefined {
    const [result] = this.#results.splice(this.#parts.dice.below(this.#results.length), 1);
    return result?.();
  }

  /** The process has ended: its results are lost, and requests that have left may arrive later. */
  restart(): void {
    const { dice } = this.#parts;
    this.#results = [];
    this.#held = undefined;
    const sent = this.#copies.filter(({ isAbandoned }) => isAbandoned || dice.hits(700));
    for (const copy of sent) if (!copy.isAbandoned) this.#leave(copy);
    this.#copies = sent.map((copy) => ({ ...copy, isAbandoned: true }));
  }

  /** Everything that is on its way arrives, and nothing else is lost. */
  calm(): void {
    if (this.#held !== undefined) this.#answer(this.#held);
    this.#held = undefined;
    for (const copy of this.#copies.splice(0)) {
      if (!copy.isAbandoned) this.#leave(copy);
      const verdict = this.#take(copy);
      if (!copy.isAbandoned) this.#answer({ id: copy.id, verdict });
    }
  }
}

/** A group of legs may only cancel. */
function isPlacing({ placed }: Copy): boolean {
  return placed.kind === 'legs' ? placed.legIds.some((id) => id !== null) : placed.kind !== 'none';
}
