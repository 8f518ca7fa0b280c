/** Keeps the value as the latest of the map. If there are more than `most`, the oldest is dropped. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
