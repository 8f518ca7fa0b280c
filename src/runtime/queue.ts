/** A first-in, first-out queue with an end: who offers to a full one is told so and decides what that means. */
export class BoundedQueue<T> {
  readonly capacity: number;
  readonly #items: (T | undefined)[];
  #head = 0;
  #size = 0;

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1)
      throw new Error(`a queue's capacity is a positive integer, not ${capacity}`);
    this.capacity = capacity;
    this.#items = [];
  }

  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size === this.capacity;
  }

  /** False when the queue is full; the item is not taken. */
  offer(item: T): boolean {
    if (this.isFull) return false;
    this.#items[(this.#head + this.#size) % this.capacity] = item;
    this.#size += 1;
    return true;
  }

  take(): T | undefined {
    if (this.#size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) % this.capacity;
    this.#size -= 1;
    return item;
  }

  peek(): T | undefined {
    return this.#size === 0 ? undefined : this.#items[this.#head];
  }
}
