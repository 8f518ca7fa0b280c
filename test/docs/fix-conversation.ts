/**
 * A FIX client and the real session, mapping and order rules of the bridge on one thread, on a clock that stands at a
 * known moment: the bytes are the same in each run, and go into docs/FIX-EXAMPLES.md.
 */
import { isDenial } from '../../src/domain/denial.ts';
import type { Fill } from '../../src/domain/event.ts';
import { createOrder } from '../../src/domain/order.ts';
import { type OrderInput, transition } from '../../src/domain/transition.ts';
import type { FeeMicro, OrderId, Price, Qty } from '../../src/domain/units.ts';
import type { AppSession } from '../../src/fix/application.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import type { Message } from '../../src/fix/message.ts';
import { SessionDirectory } from '../../src/fix/session-directory.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { readCommand } from '../../src/mapping/fix/read-command.ts';
import { writeReport } from '../../src/mapping/fix/report-message.ts';
import { type Instant, ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import type { Link, LinkListener } from '../../src/transport/link.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { account, fullRules, silentEvent, terms } from '../domain/ladder.ts';
import { readSettings, settings, spotInstrument } from '../mapping/fix/wire.ts';
import { MemoryStore } from '../support/memory-store.ts';
import type { Said } from './fixp-conversation.ts';

const orderId = `0x${'a1'.repeat(32)}` as OrderId;
const names = { client: 'ALPHA', server: 'CAUSEWAY' };

/** What the client sends, one message after the other. */
const requests = [
  'A|34=1|98=0|108=30|141=Y|553=alpha|554=wonderland',
  'D|34=2|11=my-1|1=desk-a|55=BTC-USDC|54=1|60=20260105-12:00:00.000|38=0.01|40=2|44=50000|59=1',
  '0|34=3',
  '2|34=4|7=3|16=3',
  '5|34=5',
];

export async function playFix(): Promise<readonly Said[]> {
  const said: Said[] = [];
  const clock = new ManualClock();
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new SessionDirectory({ dictionary: causeway44(), transactions, clock });
  const session = await directory.add({
    settings: sessionSettings({
      identity: { senderCompId: names.server, targetCompId: names.client },
      role: 'acceptor',
      allowsReset: true,
    }),
    application: { onMessage: take },
  });
  let listener: LinkListener | undefined;
  const link: Link = {
    peer: { address: '192.0.2.1' },
    bufferedBytes: 0,
    listen: (given) => {
      listener = given;
    },
    write: (bytes) => {
      const text = Buffer.from(bytes).toString('latin1');
      for (const one of text.split(/(?=8=FIX)/))
        said.push({ by: 'bridge', bytes: Buffer.from(one) });
    },
    pause() {},
    resume() {},
    end() {},
    destroy() {},
  };
  for (const request of requests) {
    const bytes = clientBytes(request, names, clock.now().wallMs);
    said.push({ by: 'client', bytes });
    if (listener !== undefined) listener.data(bytes);
    else {
      const admission = directory.admit(bytes, link.peer, clock.now());
      if (admission.kind !== 'admit') throw new Error(`Logon: ${admission.kind}`);
      directory.attach(session, link, bytes);
    }
    await settled();
  }
  return said;
}

/** The order as the bridge understands it, accepted by a venue that fills half of it. */
function take(message: Message, session: AppSession, now: Instant): void {
  const command = readCommand(message, readSettings);
  if (isDenial(command) || command.kind !== 'new_order') throw new Error('not an order');
  const { wallMs: nowMs } = now;
  const names = { session: 'S', accountName: 'desk-a', tag: 'desk-a', key: 'desk-a#1' };
  const owner = { ...names, account, quoteId: null };
  const price = 50_000_000_000n as Price;
  const taken = terms({ qty: 1_000_000n as Qty, price, limitPrice: price });
  let order = createOrder(owner, command.clOrdId, spotInstrument, taken, nowMs);
  const step = (input: OrderInput) => {
    const { order: next, reports } = transition(order, input, fullRules);
    order = next;
    for (const report of reports) {
      const out = new FieldWriter();
      session.send(writeReport(out, report, settings), out.bytes, now);
    }
  };
  const event = (more: object) =>
    ({
      kind: 'event',
      event: { ...silentEvent, orderId, engineTsMs: nowMs, ...more },
    }) as OrderInput;
  const fill: Fill = {
    fillId: 'f1',
    price,
    qty: 500_000n as Qty,
    feeMicro: 25_000n as FeeMicro,
    liquidity: 'maker',
    tsMs: nowMs,
  };
  step({ kind: 'sent', requestId: 'new', venueRef: '0x01', orderId, nowMs });
  step(event({ kind: 'resting', seq: 1 }));
  step(event({ kind: 'fill', seq: 2, fill, status: 'partially_filled' }));
}

/** The store answers within a few turns of the event loop. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
}
