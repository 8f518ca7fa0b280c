/** Keeps the value as the latest of the map, and returns it. Beyond `most` values the oldest are dropped. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
  drop: (value: Value) => void = () => {},
): Value {
  map.delete(key);
  map.set(key, value);
  for (const [oldest, dropped] of map) {
    if (map.size <= most) break;
    map.delete(oldest);
    drop(dropped);
  }
  return value;
}
