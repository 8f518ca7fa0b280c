/** Our engine as the server of the acceptor bench: `memory`, `process` or `power`, a folder, how many sessions. */
import { join } from 'node:path';
import type { Application } from '../../src/fix/application.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { tuneEngine } from '../../src/runtime/engine.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Acceptor, defaultAcceptorLimits } from '../../src/transport/acceptor.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';

tuneEngine();
const [durability = 'memory', folder = '.', count = '1'] = process.argv.slice(2);
const store =
  durability === 'power' || durability === 'process'
    ? await openLogStore({ path: join(folder, 'bench.db'), durability })
    : new MemoryStore();
const transactions = new Transactions(store, (error) => {
  throw error;
});

let reports = 0;
const body = new FieldWriter();
const application: Application = {
  onMessage(order, session, now) {
    const quantity = order.bytes(38);
    const clOrdId = order.bytes(11);
    const symbol = order.bytes(55);
    const side = order.bytes(54);
    if (!quantity || !clOrdId || !symbol || !side) throw new Error('a field is missing');
    reports += 1;
    body.clear().int(37, reports).int(17, reports).char(150, '0').char(39, '0').value(54, side);
    body.value(151, quantity).int(14, 0).int(6, 0);
    body.value(11, clOrdId).value(55, symbol).value(38, quantity);
    session.send('8', body.bytes, now);
  },
};

const directory = new SessionDirectory({ dictionary: fix44(), transactions, clock: systemClock });
for (let i = 0; i < Number(count); i += 1) {
  const identity = { senderCompId: 'SERVER', targetCompId: `CLIENT${i}` };
  const settings = sessionSettings({ identity, role: 'acceptor', allowsReset: true });
  await directory.add({ settings, application });
}
const acceptor = new Acceptor({
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  reception: directory,
  attach: (session, link, first) => directory.attach(session, link, first),
  limits: defaultAcceptorLimits,
});
process.stdout.write(`${await acceptor.listen()}\n`);
process.stdin.on('end', () => process.exit()).resume();
