/**
 * The FIXP client of the kill loops, in the words of the FIX one: it goes on with its session after each break, gets what
 * it missed, and sends again what the bridge says was not applied.
 */
import type { DemoFixpSession } from '../../src/cli/demo-files.ts';
import type { Listed } from '../acceptance/parity/fixp-words.ts';
import { FixpPeer } from '../support/fixp-peer.ts';

export class FixpOrderPeer {
  readonly #user: DemoFixpSession;
  /** By their numbers, as long as the bridge may not have them. */
  readonly #sent = new Map<number, string>();
  #peer: FixpPeer | undefined;
  /** Every answer once, in the order it came: what is sent again comes behind what is new. */
  readonly #heard: string[] = [];
  #wake = () => {};

  constructor(user: DemoFixpSession) {
    this.#user = user;
  }

  /** `isNew` begins a session id. */
  async logon(port: number, hear: (message: string) => void, isNew = false): Promise<void> {
    const before = isNew ? undefined : this.#peer;
    const peer = await FixpPeer.connect(port, this.#user, spot, before);
    this.#peer = peer;
    peer.onHeard = (line) => {
      this.#heard.push(line);
      hear(`\x01${line.replaceAll('|', '\x01')}`);
      this.#wake();
    };
    peer.onNotApplied = (fromSeq, count) => {
      for (let seq = fromSeq; seq < fromSeq + count; seq += 1) this.#again(seq);
    };
    const answer = await peer.logon(before === undefined ? undefined : '');
    if (answer !== '35=A|') throw new Error(answer);
  }

  send(type: string, fields: readonly (readonly [tag: number, value: string])[]): void {
    const said = fields.map(([tag, value]) => `${tag}=${tag === 60 ? 'now' : value}`);
    this.#say([type, ...said].join('|'));
  }

  async until(isSo: () => boolean, patienceMs: number): Promise<void> {
    const endMs = Date.now() + patienceMs;
    while (!isSo()) {
      if (Date.now() > endMs) throw new Error(`not within ${patienceMs} ms`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async cut(): Promise<void> {
    this.#peer?.hangUp();
    await this.until(() => this.#peer?.isClosed !== false, 5_000);
  }

  /** As a client that has lost its log: the bridge says all of its flow again, and each answer is what it was. */
  async checkFlowAgain(port: number): Promise<void> {
    const before = this.#heard.splice(0).sort();
    await this.cut();
    this.#peer?.forgetHeard();
    await this.logon(port, () => {});
    await this.until(() => this.#heard.length >= before.length, 30_000);
    const again = this.#heard.toSorted();
    const other = again.findIndex((line, index) => line !== before[index]);
    if (other >= 0) throw new Error(`heard ${before[other]}, and again ${again[other]}`);
  }

  #again(seq: number): void {
    const line = this.#sent.get(seq);
    this.#sent.delete(seq);
    if (line !== undefined) this.#say(line);
  }

  #say(line: string): void {
    const peer = this.#peer;
    if (peer === undefined || peer.isClosed) return;
    this.#sent.set(peer.nextOut, line);
    peer.say(line);
  }
}

/** The one instrument of the loops. */
const spot: readonly Listed[] = [{ symbol: 'BTC-USDC', marketId: 1, book: null }];
