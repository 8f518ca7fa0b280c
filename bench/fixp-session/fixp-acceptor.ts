/**
 * Our engine as the server of the FIXP session bench, and of the check that kills it: `memory`, `process` or `power`, a
 * folder, how many sessions. Each NewOrderSingle is answered with an ExecutionReport of the same facts as on FIX.
 */
import { join } from 'node:path';
import type { FixpApplication } from '../../src/fixp/application.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { ExecutionReportNew } from '../../src/mapping/sbe/generated/execution-report-new.ts';
import { NewOrderSingle } from '../../src/mapping/sbe/generated/new-order-single.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Acceptor } from '../../src/transport/acceptor.ts';
import { MemoryStore } from '../../test/support/memory-store.ts';

const [durability = 'memory', folder = '.', count = '1'] = process.argv.slice(2);
const store =
  durability === 'power' || durability === 'process'
    ? await openLogStore({ path: join(folder, 'bench.db'), durability })
    : new MemoryStore();
const transactions = new Transactions(store, (error) => {
  throw error;
});

const order = new NewOrderSingle();
const report = new ExecutionReportNew();
const out = Buffer.alloc(1024);
const ordStatusNew = 0;
const execId = Buffer.alloc(8);
let reports = 0;
const application: FixpApplication = {
  onMessage(message, _seq, session, now) {
    const fault = order.wrap(message);
    if (fault !== undefined) throw new Error(fault);
    reports += 1;
    execId.writeUInt32LE(reports);
    report.encode(out);
    report.state
      .setOrdStatus(ordStatusNew)
      .setVenueSeq(reports)
      .setTermsSide(order.termsSide)
      .setTermsOrdType(order.termsOrdType)
      .setTermsOrderQty(order.termsOrderQty)
      .setTermsPrice(order.termsPrice)
      .setInstrumentMarketId(order.instrumentMarketId)
      .setLeavesQty(order.termsOrderQty)
      .setCumQty(0)
      .setAvgPx(0);
    report.setClOrdId(order.clOrdId).setExecIdBytes(execId);
    report.setAccountBytes(order.accountBytes);
    session.send(report.bytes, now);
  },
};

const directory = new FixpDirectory({ transactions, clock: systemClock });
for (let i = 0; i < Number(count); i += 1) {
  const settings = fixpSettings({
    role: 'acceptor',
    principal: `CLIENT${i}`,
    applicationSchemas: new Set([NewOrderSingle.schemaId]),
  });
  await directory.add({ settings, application });
}
const acceptor = new Acceptor({
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  reception: directory,
  attach: (session, link, first) => directory.attach(session, link, first),
});
process.stdout.write(`${await acceptor.listen()}\n`);
process.stdin.on('end', () => process.exit()).resume();
