/** The session that speaks FIXP, against the plain other end of a connection: as the server of a client, and as a client. */
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fillMessage, type Known } from '../../src/certify/fixp-line.ts';
import { listenToFixp } from '../../src/certify/fixp-listener.ts';
import { FixpTestSession } from '../../src/certify/fixp-test-session.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { calling, listen } from '../../src/certify/port.ts';
import { fieldOf, type ReceivedMessage } from '../../src/certify/received-message.ts';
import { CertificationError, type SessionOptions } from '../../src/certify/session-options.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';

const host = '127.0.0.1';
const credentials = { username: 'desk', password: 'of-the-test' };
const sessionId = 'ab'.repeat(16);
const proof = Buffer.from(writeCredentials(credentials)).toString().replaceAll('\x01', '^A');
const answerWithinMs = 5_000;

/** Says lines, and keeps what it hears. */
class PlainEnd {
  readonly #socket: Socket;
  readonly #received: ReceivedMessage[] = [];
  readonly bytes: Buffer[] = [];
  #lastNs = BigInt(Date.now()) * 1_000_000n;
  #wake = () => {};
  isClosed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    const listener = listenToFixp('big')('peer', (incoming) => {
      if (incoming.kind === 'message') this.#received.push(incoming.message);
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      this.bytes.push(bytes);
      listener(bytes);
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  say(line: string, requestNs = 0n): void {
    this.#lastNs += 1n;
    const known: Known = {
      sessionId,
      newSessionId: () => sessionId,
      timestampNs: this.#lastNs,
      requestNs,
      nextSeqNo: 1,
      lastIncomingSeqNo: 0,
      keepaliveMs: 60_000,
      credentials: undefined,
    };
    this.#socket.write(fillMessage(line, known));
  }

  /** In answer to a request, whose Timestamp and session it repeats. */
  answer(request: ReceivedMessage, line: string): void {
    const own = fieldOf(request, 'SessionId') ?? sessionId;
    this.say(`${line}|SessionId=${own}`, BigInt(fieldOf(request, 'Timestamp') ?? 0));
  }

  async next(msgType: string): Promise<ReceivedMessage> {
    for (;;) {
      const at = this.#received.findIndex((message) => message.msgType === msgType);
      const [found] = at < 0 ? [] : this.#received.splice(at, 1);
      if (found !== undefined) return found;
      await this.#more();
    }
  }

  leave(): void {
    this.#socket.destroy();
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await this.#more();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

let clearing: (() => void)[] = [];
afterEach(() => {
  for (const clear of clearing) clear();
  clearing = [];
});

interface Wanted {
  readonly heartBtIntS?: number;
  readonly framing?: SessionOptions['framing'];
}

function deskAt(
  port: SessionOptions['port'],
  direction: SessionOptions['direction'],
  { heartBtIntS = 60, framing = 'big' }: Wanted = {},
) {
  const session = new FixpTestSession(
    {
      direction,
      port,
      names: { senderCompId: 'PEER', targetCompId: 'CAUSEWAY' },
      heartBtIntS,
      isReader: false,
      framing,
      credentials,
      mayReset: false,
      connectWithinMs: answerWithinMs,
      answerWithinMs,
    },
    new AbortController().signal,
  );
  const ladder = new Ladder(() => {});
  session.begin(ladder);
  clearing.push(() => session.close());
  return { session, ladder };
}

/** The desk is the server, and the plain end calls it. */
async function server(wanted?: Wanted) {
  const port = await listen(host, 0);
  const call = () => new PlainEnd(connect({ host, port: port.port }));
  return { ...deskAt(port, 'acceptor', wanted), call };
}

/** The desk is the client, and calls the plain end. */
async function client(wanted?: Wanted) {
  const ends: PlainEnd[] = [];
  let arrived = () => {};
  const listener = createServer((socket) => {
    ends.push(new PlainEnd(socket));
    arrived();
  });
  await new Promise<void>((resolve) => {
    listener.listen({ host, port: 0 }, resolve);
  });
  clearing.push(() => listener.close());
  const { port } = listener.address() as { port: number };
  const called = async (): Promise<PlainEnd> => {
    while (ends.length === 0) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    return ends.shift()!;
  };
  return { ...deskAt(calling({ host, port }), 'initiator', wanted), called };
}

async function welcomed(wanted?: Wanted) {
  const { call, ...more } = await server(wanted);
  const peer = call();
  const logon = more.session.logon('engine');
  peer.say(`Negotiate|SessionId=${sessionId}|Credentials=${proof}`);
  await peer.next('NegotiationResponse');
  peer.say(`Establish|SessionId=${sessionId}|Credentials=${proof}`);
  await peer.next('EstablishmentAck');
  await logon;
  return { ...more, peer };
}

const broken = ({ rungs }: Ladder) =>
  rungs.flatMap(({ verdicts }) => verdicts.filter(({ isMet }) => !isMet)).map(({ name }) => name);

test('as a server the desk takes a session that is negotiated, and knows it by its id', async () => {
  const { session, ladder, peer } = await welcomed();
  expect([session.live('sid'), session.live('next'), session.live('peer')]).toEqual([
    sessionId,
    '1',
    '1',
  ]);
  expect(broken(ladder)).toEqual([]);
  expect(peer.isClosed).toBe(false);
});

test('a client that establishes what the desk has forgotten is sent away until it negotiates', async () => {
  const { session, call } = await server();
  const early = call();
  const renewed = session.renew();
  early.say(`Establish|SessionId=${sessionId}|Credentials=${proof}`);
  const refused = await early.next('EstablishmentReject');
  expect(fieldOf(refused, 'Code')).toBe('Unnegotiated');
  early.leave();
  const late = call();
  late.say(`Negotiate|SessionId=${sessionId}|Credentials=${proof}`);
  await renewed;
  expect(session.wire.conversation.inbox.waiting).toHaveLength(1);
});

test('as a client the desk negotiates a new session id and establishes it', async () => {
  const { session, called } = await client();
  const logon = session.logon('engine');
  const peer = await called();
  const negotiate = await peer.next('Negotiate');
  expect(fieldOf(negotiate, 'Credentials')).toContain('553=desk');
  peer.answer(negotiate, 'NegotiationResponse');
  const establish = await peer.next('Establish');
  expect(fieldOf(establish, 'SessionId')).toBe(fieldOf(negotiate, 'SessionId'));
  peer.answer(establish, 'EstablishmentAck');
  await logon;
  expect(session.live('sid')).toBe(fieldOf(negotiate, 'SessionId'));
});

test('a session has begun once it is established on the current connection', async () => {
  const { session, call } = await server();
  const hasBegun: boolean[] = [];
  for (const answers of [['NegotiationResponse', 'EstablishmentAck'], []]) {
    call().say(`Negotiate|SessionId=${sessionId}|Credentials=${proof}`);
    await session.open('engine');
    hasBegun.push(session.hasBegun);
    for (const answer of answers) {
      session.sendLine(answer);
      hasBegun.push(session.hasBegun);
    }
  }
  expect(hasBegun).toEqual([false, false, true, false]);
});

test('a refusal by the server says why', async () => {
  const { session, called } = await client();
  const logon = session.logon('engine').catch((error: unknown) => error);
  const peer = await called();
  peer.answer(
    await peer.next('Negotiate'),
    'NegotiationReject|Code=Credentials|Reason=unknown user',
  );
  const error = await logon;
  expect(error).toBeInstanceOf(CertificationError);
  expect(String(error)).toContain('unknown user');
});

test('the desk keeps its session alive until it is told to be silent', async () => {
  const { session, ladder, peer } = await welcomed({ heartBtIntS: 0.1 });
  await peer.next('Sequence');
  session.silence();
  const said = () =>
    ladder.rungs.filter(({ from, label }) => from === 'desk' && label === 'Sequence').length;
  const before = said();
  await session.wire.quiet();
  await session.wire.quiet();
  expect(before).toBeGreaterThan(0);
  expect(said()).toBe(before);
});

test('two messages of one line go out in one piece', async () => {
  const { session, peer } = await welcomed();
  const before = peer.bytes.length;
  session.sendLine('News|Headline=first + News|Headline=second');
  await peer.next('News');
  await peer.next('News');
  expect(peer.bytes).toHaveLength(before + 1);
  expect(session.live('next')).toBe('3');
});

test('Terminate is answered once, and the connection closed', async () => {
  const { session, ladder, peer } = await welcomed();
  peer.say('Terminate|Code=Finished');
  await session.wire.quiet();
  session.answerFarewell();
  session.answerFarewell();
  await peer.next('Terminate');
  await peer.closed();
  const answers = ladder.rungs.filter(
    ({ from, label }) => from === 'desk' && label === 'Terminate',
  );
  expect(answers).toHaveLength(1);
});

test.each([
  ['another user', 'Negotiate', `Credentials=553=other^A554=x^A`, 'Credentials'],
  ['a Timestamp in seconds', 'Negotiate', `Timestamp=seconds|Credentials=${proof}`, 'Timestamp'],
])('%s breaks a standing rule', async (_, msgType, fields, name) => {
  const { session, ladder, call } = await server();
  call().say(`${msgType}|SessionId=${sessionId}|${fields}`);
  await session.open('engine');
  await session.wire.take((one) => one.kind === 'message', 'nothing came');
  expect(broken(ladder)).toEqual([name]);
});

test('what follows a Terminate breaks a standing rule', async () => {
  const { session, ladder, peer } = await welcomed();
  peer.say('Terminate|Code=Finished');
  peer.say('Sequence|NextSeqNo=1');
  await session.wire.quiet();
  expect(broken(ladder)).toContain('message');
});

test.each([
  ['big', '0000000eeb500000'],
  ['little', '0e00000050eb0000'],
] as const)('raw bytes have a %s-endian framing header', async (framing, wanted) => {
  const { session, call } = await server({ framing });
  const peer = call();
  peer.say(`Negotiate|SessionId=${sessionId}|Credentials=${proof}`);
  await session.open('engine');
  session.sendRaw('0000000e eb50 0000');
  while (peer.bytes.length === 0) await session.wire.quiet();
  expect(Buffer.concat(peer.bytes).toString('hex')).toBe(wanted);
});
