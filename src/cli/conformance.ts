/**
 * `causeway conformance`: the FIX engine with an echoing application, for external test suites. Sequence numbers
 * restart at each logon and nothing is kept.
 */
import { ownHosting } from '../certify/own-connection.ts';
import type { Application, AppSession } from '../fix/application.ts';
import { fix44 } from '../fix/dictionaries.ts';
import { sectionOf, sections } from '../fix/dictionary.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import type { Message } from '../fix/message.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionSettings } from '../fix/session-settings.ts';
import { type Instant, systemClock } from '../runtime/clock.ts';
import { Acceptor } from '../transport/acceptor.ts';
import { command } from './command.ts';
import { integer, portRange } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

const senderCompId = 'ISLD';
const targetCompId = 'TW44';
/** NewOrderSingle, SecurityDefinition, Email. */
const echoed = new Set(['D', 'd', 'C']);
const newOrderSingle = 'D';
/** The only group of the header. */
const noHops = 627;
const maxClOrdIds = 100_000;

/** Echoes each message; an order that may be a resend is echoed only if its ClOrdID(11) is new. */
class EchoApplication implements Application {
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
    const extras = isPossResend ? { possResend: true } : undefined;
    session.send(message.msgType, this.#body.bytes, now, extras);
  }

  #isNew(order: Message): boolean {
    const clOrdId = order.text(11) ?? '';
    if (this.#clOrdIds.has(clOrdId)) return false;
    if (this.#clOrdIds.size < maxClOrdIds) this.#clOrdIds.add(clOrdId);
    return true;
  }
}

/** The members of a group have no rule of their own in the message. */
function isOfBody({ index, info }: Message, tag: number): boolean {
  const number = index.dictionary.fieldOf[tag] ?? 0;
  const section = sectionOf(info?.rules[number] ?? 0);
  const isHop = (info?.groups.get(noHops)?.places[number] ?? 0) > 0;
  return section !== sections.header && section !== sections.trailer && !isHop;
}

export async function startConformance(port: number) {
  const own = await ownHosting();
  const directory = new SessionDirectory({ dictionary: fix44(), ...own.hosting });
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
    dialect: 'quickfix',
  });
  await directory.add({ settings, application: new EchoApplication() });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port,
    clock: systemClock,
    reception: directory,
    attach: (session, link, first) => directory.attach(session, link, first),
  });
  const close = async () => {
    const closed = acceptor.close();
    directory.close();
    await closed;
    await own.close();
  };
  try {
    return { port: await acceptor.listen(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const about = `Listens on 127.0.0.1 as SenderCompID ${senderCompId} for one client, ${targetCompId}, and echoes NewOrderSingle(D),
SecurityDefinition(d) and Email(C), until SIGTERM or SIGINT.`;

export const verb = command({
  summary: 'an echoing FIX 4.4 acceptor for outside conformance suites',
  forms: ['--port P'],
  about,
  options: { port: integer('P', 'port to listen on; 0 takes a free one', portRange, 9890) },
  examples: ['causeway conformance --port 9890'],
  async run({ port, json }) {
    const running = await startConformance(port);
    const where = { host: '127.0.0.1', port: running.port };
    const stop = stopAsked();
    console.log(json ? JSON.stringify(where) : `listening on ${where.host}:${where.port}`);
    await stop;
    await running.close();
    return exitCodes.done;
  },
});
