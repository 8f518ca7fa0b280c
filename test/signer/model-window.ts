/** The venue's nonce rule as the contract states it (A.11), written down a second time for the allocator's tests. */
export class ModelWindow {
  readonly #size: number;
  readonly #used = new Map<number, string>();
  readonly faults: string[] = [];
  floor = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** The refusal code, or null when the action is applied. */
  submit(nonce: number, action: string): string | null {
    if (nonce < this.floor) return 'nonce_below_floor';
    if (nonce >= this.floor + this.#size) {
      this.faults.push(`${action} was sent with ${nonce}, the floor was ${this.floor}`);
      return 'nonce_outside_window';
    }
    const holder = this.#used.get(nonce);
    if (holder !== undefined) {
      if (holder !== 'foreign' && !action.startsWith('filler')) {
        this.faults.push(`${action} was sent with ${nonce}, which ${holder} used`);
      }
      return 'nonce_replayed';
    }
    this.#used.set(nonce, action);
    while (this.#used.has(this.floor)) this.floor += 1;
    return null;
  }

  /** Another writer of the account takes the lowest nonce. */
  consumeLowest(): void {
    let nonce = this.floor;
    while (this.#used.has(nonce)) nonce += 1;
    this.submit(nonce, 'foreign');
  }

  isApplied(action: string): boolean {
    return [...this.#used.values()].includes(action);
  }
}
