/** Our FIX client as a counterparty that nobody attends: it logs on, and does what a prompt asks. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { startOwnClient } from '../../src/certify/own-client.ts';
import type { Hand, Prompt } from '../../src/certify/prompt.ts';
import { fieldOf, listenToFix, type ReceivedMessage } from '../../src/certify/received-message.ts';

const host = '127.0.0.1';
const names = { senderCompId: 'OWN', targetCompId: 'DESK' };
const credentials = { username: 'own', password: 'a|b' };
const order = 'D|11=a|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=20260105-12:00:00.000';

/** A server that logs anybody on and out, and keeps what it receives. */
class PlainServer {
  readonly received: ReceivedMessage[] = [];
  connections = 0;
  answersLogout = true;
  readonly #server: Server;
  #socket: Socket | undefined;
  #sent = 0;
  #wake = () => {};

  constructor() {
    this.#server = createServer((socket) => {
      this.#socket = socket;
      this.connections += 1;
      const listener = listenToFix('peer', (incoming) => {
        if (incoming.kind !== 'message') throw new Error(`the client sent ${incoming.kind}`);
        this.#take(incoming.message);
      });
      socket.on('error', () => {});
      socket.on('data', listener);
    });
  }

  async listen(): Promise<number> {
    await once(this.#server.listen(0, host), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  say(line: string): void {
    this.#sent += 1;
    const own = { senderCompId: names.targetCompId, targetCompId: names.senderCompId };
    const bytes = lineBytes(line, { ...own, msgSeqNum: this.#sent, wallMs: Date.now() });
    this.#socket?.write(bytes);
  }

  /** The message of that type after so many others of it. */
  async next(msgType: string, after = 0): Promise<ReceivedMessage> {
    for (;;) {
      const found = this.received.filter((message) => message.msgType === msgType)[after];
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

  #take(message: ReceivedMessage): void {
    this.received.push(message);
    if (message.msgType === 'A') {
      if (fieldOf(message, 34) === '1') this.#sent = 0;
      this.say('A|98=0|108=1');
    }
    if (message.msgType === '5' && this.answersLogout) {
      this.say('5');
      this.#socket?.end();
    }
    this.#wake();
  }
}

let server: PlainServer;
let client: Hand;

afterEach(async () => {
  await client.stop();
  server.close();
});

async function started(more: object = {}): Promise<void> {
  server = new PlainServer();
  const port = await server.listen();
  client = await startOwnClient({ ...names, host, port, heartBtIntS: 1, ...more });
}

function asked(who: Prompt['who'], line: string): Promise<void> {
  return client.act({ id: 1, scenario: 'S-01', text: 'Please do', who, line });
}

test('the client logs on with its names, its heartbeat and its secret', async () => {
  await started({ credentials });
  const logon = await server.next('A');
  const values = [49, 56, 34, 108, 553, 554].map((tag) => fieldOf(logon, tag));
  expect(values).toEqual(['OWN', 'DESK', '1', '1', 'own', 'a|b']);
  expect(logon.fault).toBeUndefined();
});

test('it sends the message that a prompt names, field by field', async () => {
  await started();
  await server.next('A');
  await asked('client', order);
  const sent = await server.next('D');
  expect(sent.fault).toBeUndefined();
  const body = sent.fields.filter(
    ([tag]) => Number(tag) > 10 && ![34, 35, 49, 52, 56].includes(Number(tag)),
  );
  const wanted = order.split('|').slice(1);
  expect(body.map(([tag, value]) => `${tag}=${value}`)).toEqual(wanted);
});

test.each([
  ['Y', 'Y'],
  ['N', undefined],
])('a line with PossResend(97)=%s is a message with %s in its header', async (flag, expected) => {
  await started();
  await server.next('A');
  await asked('client', `${order}|97=${flag}`);
  expect(fieldOf(await server.next('D'), 97)).toBe(expected);
});

test('an order that is asked for before it is logged on arrives afterwards', async () => {
  await started();
  await asked('client', order);
  expect(fieldOf(await server.next('D'), 11)).toBe('a');
});

test('what others are asked for is not for the client', async () => {
  await started();
  await server.next('A');
  for (const who of ['contra', 'venue', 'bridge', 'person'] as const) await asked(who, order);
  await asked('client', 'x|320=last|559=4');
  await server.next('x');
  expect(server.received.map(({ msgType }) => msgType)).not.toContain('D');
});

test('a line that is none is refused, and the client goes on', async () => {
  await started();
  await server.next('A');
  await expect(asked('client', 'D|11')).rejects.toThrow('neither TAG=VALUE nor -TAG');
  await asked('client', order);
  await server.next('D');
});

test('a type that a client of the bridge does not know is refused, and a report is not', async () => {
  await started();
  await server.next('A');
  server.say('8|37=o|17=e|150=0|39=0|55=BTC-USDC|54=1|151=1|14=0|6=0');
  server.say('D|11=a|55=BTC-USDC|54=1|38=1|40=2|44=1|59=1|60=now');
  const refused = await server.next('j');
  expect([fieldOf(refused, 372), fieldOf(refused, 380)]).toEqual(['D', '3']);
  expect(server.received.filter(({ msgType }) => msgType === 'j' || msgType === '3')).toHaveLength(
    1,
  );
});

test('a new day ends the session, and the next logon begins at 1', async () => {
  await started();
  await asked('client', order);
  await server.next('D');
  await asked('person', 'reset');
  expect(fieldOf(await server.next('5'), 34)).toBe('3');
  const anew = await server.next('A', 1);
  expect([fieldOf(anew, 34), fieldOf(anew, 141), server.connections]).toEqual(['1', undefined, 2]);
});

test('a client that is stopped waits no longer for the end of the day before', async () => {
  await started();
  await asked('client', order);
  await server.next('D');
  server.answersLogout = false;
  const reset = expect(asked('person', 'reset')).rejects.toThrow('there is no session');
  await server.next('5');
  await client.stop();
  await reset;
  expect(server.connections).toBe(1);
});
