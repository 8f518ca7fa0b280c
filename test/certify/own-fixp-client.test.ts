/** Our FIXP client as a counterparty that nobody attends: it begins a session, and does what a prompt asks. */
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fillMessage, type Known } from '../../src/certify/fixp-line.ts';
import { listenToFixp } from '../../src/certify/fixp-listener.ts';
import { startOwnFixpClient } from '../../src/certify/own-fixp-client.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import {
  fieldOf,
  type Incoming,
  type ReceivedMessage,
} from '../../src/certify/received-message.ts';
import type { ByteOrder } from '../../src/fixp/framing.ts';

const credentials = { username: 'own', password: 'of-the-test' };
const order =
  'NewOrderSingle|ClOrdID=a|Symbol=BTC-USDC|Side=Buy|OrderQty=0.01|OrdType=Limit|Price=40000|TimeInForce=GoodTillCancel';

/** A server that establishes any session and keeps what it hears. */
class PlainServer {
  readonly heard: ReceivedMessage[] = [];
  readonly #server: Server;
  readonly #framing: ByteOrder;
  #socket: Socket | undefined;
  #wake = () => {};

  constructor(framing: ByteOrder) {
    this.#framing = framing;
    this.#server = createServer((socket) => {
      this.#socket = socket;
      const listener = listenToFixp(framing)('peer', (incoming) => this.#take(incoming));
      socket.on('error', () => {});
      socket.on('data', listener);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen({ host: '127.0.0.1', port: 0 }, resolve);
    });
    return (this.#server.address() as { port: number }).port;
  }

  async next(msgType: string): Promise<ReceivedMessage> {
    for (;;) {
      const found = this.heard.find((message) => message.msgType === msgType);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#server.close();
  }

  #take(incoming: Incoming): void {
    if (incoming.kind !== 'message') throw new Error(`the client said ${incoming.kind}`);
    const { message } = incoming;
    this.heard.push(message);
    const known: Known = {
      sessionId: fieldOf(message, 'SessionId') ?? '',
      newSessionId: () => '',
      timestampNs: 0n,
      requestNs: BigInt(fieldOf(message, 'Timestamp') ?? 0),
      nextSeqNo: 1,
      lastIncomingSeqNo: 0,
      keepaliveMs: 1000,
      credentials: undefined,
    };
    const answers: Readonly<Record<string, string>> = {
      Negotiate: 'NegotiationResponse',
      Establish: 'EstablishmentAck',
      FinishedSending: 'FinishedReceiving',
      Terminate: 'Terminate|Code=Finished',
    };
    const answer = answers[message.msgType];
    if (answer !== undefined) this.#socket?.write(fillMessage(answer, known, this.#framing));
    this.#wake();
  }
}

let server: PlainServer;
let client: Hand;

afterEach(async () => {
  await client.stop();
  server.close();
});

async function started(framing: ByteOrder = 'big'): Promise<void> {
  server = new PlainServer(framing);
  const port = await server.listen();
  const to = { host: '127.0.0.1', port, credentials, keepaliveS: 1, framing };
  client = await startOwnFixpClient(to);
}

function asked(who: 'client' | 'person' | 'contra', line: string): Promise<void> {
  return client.act({ id: 1, scenario: 'P-01', text: 'Please do', who, line });
}

test.each(['big', 'little'] as const)(
  'the client negotiates, establishes and sends the order that a prompt names, in %s-endian frames',
  async (framing) => {
    await started(framing);
    await asked('client', order);
    const sent = await server.next('NewOrderSingle');
    expect(fieldOf(sent, 'ClOrdID')).toBe('a');
    expect(fieldOf(sent, 'Price')).toBe('40000');
    const [first, second] = server.heard;
    expect([first?.msgType, second?.msgType]).toEqual(['Negotiate', 'Establish']);
    expect(first && fieldOf(first, 'Credentials')).toContain('553=own');
  },
);

test('what another participant is asked for is not for the client', async () => {
  await started();
  await asked('contra', order);
  await asked('person', 'terminate');
  await server.next('Terminate');
  expect(server.heard.map(({ msgType }) => msgType)).not.toContain('NewOrderSingle');
});

test('a session is finished for good where a person is asked to', async () => {
  await started();
  await asked('person', 'finish');
  const finished = await server.next('FinishedSending');
  expect(fieldOf(finished, 'SessionId')).toBe(fieldOf(server.heard[0]!, 'SessionId'));
});

test('a client that is stopped waits no longer for a session', async () => {
  server = new PlainServer('big');
  const port = await server.listen();
  server.close();
  client = await startOwnFixpClient({ host: '127.0.0.1', port, credentials, keepaliveS: 1 });
  const waiting = asked('client', order);
  await client.stop();
  await waiting;
  expect(server.heard).toEqual([]);
});
