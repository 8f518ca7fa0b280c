/**
 * `causeway conformance`: the FIX engine with an application that echoes, for test suites that play it from outside.
 * Sequence numbers start anew at each logon and nothing is stored.
 */
import { parseArgs } from 'node:util';
import type { Application, AppSession } from '../fix/application.ts';
import { fix44 } from '../fix/dictionaries.ts';
import { sectionOf, sections } from '../fix/dictionary.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { HeaderExtras } from '../fix/framer.ts';
import type { Message } from '../fix/message.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionSettings } from '../fix/session-settings.ts';
import { type Clock, type Instant, systemClock } from '../runtime/clock.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Turns } from '../store/turns.ts';
import { Acceptor } from '../transport/acceptor.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const senderCompId = 'ISLD';
const targetCompId = 'TW44';
/** NewOrderSingle, SecurityDefinition, Email. */
const echoed = new Set(['D', 'd', 'C']);
const newOrderSingle = 'D';
const maxClOrdIds = 100_000;

/** Sends what it is sent; an order that may be a resend only if its ClOrdID(11) is new. */
export class EchoApplication implements Application {
  readonly #clOrdIds = new Set<string>();
  readonly #body = new FieldWriter();

  onLogon(): void {
    this.#clOrdIds.clear();
  }

  onMessage(message: Message, session: AppSession, now: Instant): void {
    const isPossResend = message.bool(97) === true;
    if (message.msgType === newOrderSingle && !this.#isNew(message) && isPossResend) return;
    this.#body.clear();
    for (const { tag, value } of message.fields()) {
      if (isOfBody(message, tag)) this.#body.value(tag, value);
    }
    const extras: HeaderExtras | undefined = isPossResend ? { possResend: true } : undefined;
    session.send(message.msgType, this.#body.bytes, now, extras);
  }

  #isNew(order: Message): boolean {
    const clOrdId = order.text(11) ?? '';
    if (this.#clOrdIds.has(clOrdId)) return false;
    if (this.#clOrdIds.size < maxClOrdIds) this.#clOrdIds.add(clOrdId);
    return true;
  }
}

function isOfBody({ index, info }: Message, tag: number): boolean {
  const number = index.dictionary.fieldOf[tag] ?? 0;
  const section = sectionOf(info?.rules[number] ?? 0);
  return section !== sections.header && section !== sections.trailer;
}

export async function startConformance(
  port: number,
  clock: Clock = systemClock,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const turns = new Turns(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new SessionDirectory({ dictionary: fix44(), turns, clock });
  const settings = sessionSettings({
    identity: { senderCompId, targetCompId },
    role: 'acceptor',
    minHeartBtIntS: 0,
    maxHeartBtIntS: 86_400,
    allowsReset: true,
    resetsOnLogon: true,
    strictUserTags: true,
    offered: echoed,
    closeWaitMs: 0,
    manners: 'quickfix',
  });
  await directory.add({ settings, application: new EchoApplication() });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port,
    clock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
  });
  const close = async () => {
    const closed = acceptor.close();
    directory.close();
    await closed;
  };
  return { port: await acceptor.listen(), close };
}

export const verb: Verb = {
  summary: 'an echoing FIX 4.4 acceptor for outside conformance suites',
  help: [
    'causeway conformance --port P',
    '',
    `Listens on 127.0.0.1 as SenderCompID ${senderCompId} for one client, ${targetCompId}.`,
    'Echoes NewOrderSingle(D), SecurityDefinition(d) and Email(C); port 0 takes a free one.',
    'Ends on SIGTERM or SIGINT.',
  ].join('\n'),
  async run(args) {
    const { values } = parseArgs({ args: [...args], options: { port: { type: 'string' } } });
    const port = Number(values.port);
    if (values.port === undefined || !Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new UsageError('--port wants a number from 0 to 65535');
    }
    const running = await startConformance(port);
    console.log(`listening on 127.0.0.1:${running.port}`);
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', () => resolve());
      process.once('SIGINT', () => resolve());
    });
    await running.close();
    return exitCodes.done;
  },
};
