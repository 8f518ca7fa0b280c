/**
 * What a process before this one recorded for sending and never learnt the outcome of (docs/ARCHITECTURE.md, "Durability"):
 * the same bytes again, judged as a resend. Nothing of it is ever given up without proof.
 */
import type { Signature } from '../signer/action.ts';
import type { SignRefusal, SignResult } from '../signer/signer.ts';
import { isCancel } from '../venue/action-json.ts';
import type { Settled } from '../venue/submitter.ts';
import type { ErrandOwner, ErrandParts } from './errand.ts';
import type { PreparedAction } from './prepared-action.ts';

/** Stands where there is none; such an action is not sent. */
const noSignature = { scheme: 'ecdsa', bytes: new Uint8Array() } as const;
/** Between two tries to have an action signed. */
const pauseMs = 1_000;
/** Refusals of the signer that end by themselves. */
const passing: ReadonlySet<SignRefusal> = new Set(['rate', 'unavailable', 'not_recorded']);

export class Resumption {
  readonly #parts: ErrandParts;
  readonly #owner: ErrandOwner;
  readonly #settle: (action: PreparedAction, settled: Settled) => void;

  constructor(
    parts: ErrandParts,
    owner: ErrandOwner,
    settle: (action: PreparedAction, settled: Settled) => void,
  ) {
    this.#parts = parts;
    this.#owner = owner;
    this.#settle = settle;
  }

  resume(action: PreparedAction): void {
    this.#owner.expectOutcome(action);
    void this.#sendAgain(action);
  }

  async #sendAgain(action: PreparedAction): Promise<void> {
    const { account, submitter } = this.#parts;
    const { nonce } = action;
    const canonical = Buffer.from(action.canonical);
    const hash = action.actionHash.replace(/^0x/, '');
    const signed = await this.#signed(action, canonical, hash);
    if (signed === 'later') {
      this.#later(action);
      return;
    }
    const isUnsigned = signed === 'never';
    const signature = isUnsigned ? noSignature : signed;
    const send = { account, nonce, canonical: action.canonical, hash, signature };
    const priority = isCancel(action.canonical) ? 'cancel' : 'place';
    this.#settle(action, await submitter.submit({ send, priority, isResumed: true, isUnsigned }));
  }

  /** Its nonce may be fenced off already; then it is never to be sent. */
  async #signed(
    { actionHash, nonce }: PreparedAction,
    canonical: Uint8Array,
    hash: string,
  ): Promise<Signature | 'later' | 'never'> {
    const { alarm, nonces } = this.#parts;
    if (!nonces.isOf(Number(nonce), hash)) return 'never';
    const signed = await this.#sign(canonical);
    if (signed.kind === 'signed') return signed.signature;
    if (passing.has(signed.code)) return 'later';
    alarm(`action ${actionHash} cannot be signed again: ${signed.code}; it is looked for`);
    return 'never';
  }

  async #sign(canonical: Uint8Array): Promise<SignResult> {
    const { scheme, signer } = this.#parts;
    const signed = await signer.sign({ canonical, scheme, supersedes: null });
    if (signed.kind === 'signed' || signed.digest === null) return signed;
    // The nonce was given to this action because the one before it was dead; then the process ended, unsigned.
    const supersedes = { digest: signed.digest, proof: 'refused' } as const;
    return signer.sign({ canonical, scheme, supersedes });
  }

  /** The signer is away or has much to do: what may be at the venue is never given up for that. */
  #later(action: PreparedAction): void {
    const { clock } = this.#parts;
    clock.at(clock.now().monoMs + pauseMs, () => {
      if (this.#owner.isAwaited(action.key, action.requestId)) void this.#sendAgain(action);
    });
  }
}
