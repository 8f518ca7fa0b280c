/**
 * A fair queue: doors take turns, and for each door networks take turns. However many items wait at one door or come
 * from one network, others wait for at most one of their turns.
 */
export class FairLine<T> {
  readonly #doors = new Map<string, Map<string, Set<T>>>();
  /** The place of each item; the one that has waited longest is first. */
  readonly #places = new Map<T, readonly [door: string, network: string]>();

  get size(): number {
    return this.#places.size;
  }

  get oldest(): T | undefined {
    const [oldest] = this.#places.keys();
    return oldest;
  }

  add(item: T, door: string, network: string): void {
    const networks = this.#doors.get(door) ?? new Map<string, Set<T>>();
    const items = networks.get(network) ?? new Set<T>();
    this.#doors.set(door, networks.set(network, items.add(item)));
    this.#places.set(item, [door, network]);
  }

  /** Returns false if the item is not in the queue. */
  remove(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#places.delete(item);
    const [door, network] = place;
    const networks = this.#doors.get(door);
    const items = networks?.get(network);
    items?.delete(item);
    if (items?.size === 0) networks?.delete(network);
    if (networks?.size === 0) this.#doors.delete(door);
    return true;
  }

  /** All items from one network, at any door, in order of arrival. */
  of(network: string): { readonly item: T; readonly door: string }[] {
    const found: { readonly item: T; readonly door: string }[] = [];
    for (const [item, [door, own]] of this.#places) if (own === network) found.push({ item, door });
    return found;
  }

  /** Removes and returns the next item; its door and its network go to the back. */
  take(): T | undefined {
    for (const [door, networks] of this.#doors) {
      for (const [network, items] of networks) {
        for (const item of items) {
          this.remove(item);
          if (items.size > 0) moveToBack(networks, network, items);
          if (networks.size > 0) moveToBack(this.#doors, door, networks);
          return item;
        }
      }
    }
    return undefined;
  }

  /** The newest item of the largest network at the busiest door. */
  get newestOfFullest(): T | undefined {
    const inDoor = (networks: ReadonlyMap<string, ReadonlySet<T>>) =>
      [...networks.values()].reduce((sum, items) => sum + items.size, 0);
    const networks = largest(this.#doors.values(), inDoor);
    const items = networks && largest(networks.values(), ({ size }) => size);
    return items && [...items].at(-1);
  }
}

function largest<V>(values: Iterable<V>, sizeOf: (value: V) => number): V | undefined {
  let found: V | undefined;
  let most = 0;
  for (const value of values) {
    const size = sizeOf(value);
    if (size > most) [found, most] = [value, size];
  }
  return found;
}

/** Maps iterate in the order in which their keys were set. */
function moveToBack<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}
