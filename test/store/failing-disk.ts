/** Run as a program under a limit on the size of files: commits until the disk fails, then says what the store says. */
import { openLogStore } from '../../src/store/log/log-store.ts';
import { StoreFailed } from '../../src/store/store.ts';

const [path = ''] = process.argv.slice(2);
const store = await openLogStore({ path, durability: 'power', reserveBytes: 4096 });
const payload = new Uint8Array(20_000);
let acknowledged = 0;
let failure: unknown;
while (failure === undefined) {
  await store
    .commit([{ kind: 'append', stream: 'a', expected: acknowledged, payload }])
    .then(() => {
      acknowledged += 1;
    })
    .catch((error: unknown) => {
      failure = error;
    });
}
const isFinal = await store.commit([]).then(
  () => false,
  (error: unknown) => error === failure,
);
const isStoreFailed = failure instanceof StoreFailed;
process.stdout.write(
  JSON.stringify({ acknowledged, isStoreFailed, isFinal, text: String(failure) }),
);
process.exit();
