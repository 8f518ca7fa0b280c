/** Readers of drop copies in a process of their own: says when all are logged on, and how many trades each was told. */
import { BenchClient } from '../bridge/client.ts';

const [port, password = '', count] = process.argv.slice(2);
const readers: BenchClient[] = [];
for (let i = 0; i < Number(count); i += 1) {
  readers.push(await BenchClient.logon(Number(port), `READER${i}`, password));
}
setInterval(() => {
  for (const reader of readers) reader.beat();
}, 20_000).unref();
process.on('message', () => process.send?.({ trades: readers.map(({ filled }) => filled) }));
process.once('disconnect', () => process.exit());
process.send?.({ isReady: true });
