/**
 * Random interleavings of a FIXP client and a bridge over connections that are cut and restored from records: each
 * message of the bridge is told once and in order, each order is acted on once, whatever is sent again, and none is
 * lost (the pair throws). Then hostile input: well framed and badly meant, and bytes that are hardly frames at all.
 * Nothing escapes from the session, and what it keeps is bounded.
 */
import { FixpClientSession } from '../../src/fixp/client-session.ts';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { framed, framingHeaderSize } from '../../src/fixp/framing.ts';
import { FixpServerSession } from '../../src/fixp/server-session.ts';
import { SessionIds } from '../../src/fixp/session-ids.ts';
import { readSessionMessage } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import type { Effects } from '../../src/transport/session.ts';
import {
  application,
  applicationMessage,
  clientMessage,
  readLine,
  sessionIdOf,
} from '../acceptance/fixp/script.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { Dice, noFaults } from './crash-line.ts';
import { fixpPair } from './fixp-pair.ts';
import type { LongRun } from './main.ts';

const faults = { dieBeforeCommit: 300, dieAfterCommit: 300, cut: 400, spoil: 0 };
const stepsPerPair = 4_000;
/** Once faults stop, everything arrives within so many steps. */
const stepsToSettle = 60_000;
const peer = { address: '192.0.2.1' };

export async function run({ short, seed }: LongRun): Promise<string> {
  const pairs = short ? 40 : 1_000;
  let messages = 0;
  let connections = 0;
  for (let number = 0; number < pairs; number += 1) {
    const pairSeed = seed * 1_000_003 + number;
    try {
      const done = playFixpPair(pairSeed);
      messages += done.messages;
      connections += done.connections;
    } catch (error) {
      throw new Error(`pair seed ${pairSeed}`, { cause: error });
    }
  }
  const hostile =
    hostileFixpMessages(seed, short ? 50_000 : 400_000) +
    hostileServerMessages(seed, short ? 25_000 : 200_000);
  const garbled = await garbledFrames(seed, short ? 50_000 : 400_000);
  const told = `${pairs} pairs, ${connections} connections, ${messages} messages, each told once`;
  return `${told}; ${hostile} hostile messages, ${garbled} garbled pieces`;
}

export function playFixpPair(seed: number): { messages: number; connections: number } {
  const pair = fixpPair(seed, faults);
  const { client, bridge, dice } = pair;
  let steps = 0;
  for (; steps < stepsPerPair; steps += 1) {
    if (dice.once(12)) client.say();
    if (dice.once(12)) bridge.say();
    if (dice.once(500)) client.finish();
    pair.step();
  }
  pair.faults = noFaults;
  const end = steps + stepsToSettle;
  const isSettled = () =>
    client.state.told === bridge.state.sent && bridge.state.told.size === client.state.said;
  for (; steps < end && !isSettled(); steps += 1) pair.step();
  if (!isSettled()) {
    const toClient = `${client.state.told} of ${bridge.state.sent}`;
    const toBridge = `${bridge.state.told.size} of ${client.state.said}`;
    throw new Error(`after faults stopped only ${toBridge} and ${toClient} were told`);
  }
  return { messages: client.state.said + bridge.state.sent, connections: pair.connections };
}

const lines = [
  'Negotiate',
  'NegotiationResponse ServerFlow=Recoverable RequestTimestamp=T',
  'Establish',
  'EstablishmentAck KeepaliveInterval=10000 RequestTimestamp=T',
  'EstablishmentReject Code=0 RequestTimestamp=T',
  'Sequence NextSeqNo=N',
  'Context NextSeqNo=N',
  'UnsequencedHeartbeat',
  'RetransmitRequest FromSeqNo=N Count=C',
  'Retransmission NextSeqNo=N Count=C',
  'RetransmitReject',
  'FinishedSending LastSeqNo=N',
  'FinishedSending',
  'FinishedReceiving',
  'Applied FromSeqNo=N Count=C',
  'NotApplied FromSeqNo=N Count=C',
  'Terminate',
  'App ORDER',
  'App ORDER Schema=7',
];
const seqNos = [0, 1, 2, 3, 100, 1_000_000_000_000, Number.MAX_SAFE_INTEGER];
const counts = [0, 1, 2, 1_000, 0xffff_ffff];

/** Messages that are whole, with whatever in them, at any time. Answers how many. */
export function hostileFixpMessages(seed: number, inputs: number): number {
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const session = echoSession();
  let timestamp = 0n;
  let id = 0;
  let established = 0;
  let sessionId = sessionIdOf('A');
  const say = (line: string) => {
    timestamp = BigInt(clock.now().wallMs) * 1_000_000n + BigInt(id);
    id += 1;
    const filling = { sessionId, timestamp, credentials: Buffer.from('553=alice\x01') };
    return clientMessage(readLine(line), filling);
  };
  const arrive = (line: string) => {
    const bytes = framed(say(line), 'big');
    const name = line.startsWith('N') ? 'Negotiate' : 'Establish';
    const request = {
      name,
      sessionId,
      timestamp,
      keepaliveInterval: 10_000,
      clientFlow: 1,
    } as const;
    const more = { nextSeqNo: undefined, cancelOnDisconnectType: undefined } as const;
    const rest = {
      codTimeoutWindow: undefined,
      credentials: Buffer.from('553=alice\x01'),
    } as const;
    session.examine({ ...request, ...more, ...rest }, peer, clock.now(), false);
    session.opened(peer, clock.now());
    session.received(bytes, clock.now());
  };
  for (let input = 0; input < inputs; input += 1) {
    const isLeaving = session.phase === 'terminating' && dice.once(3);
    if (session.phase === 'closing' || isLeaving) session.closed(clock.now());
    if (session.phase === 'down') {
      clock.advance(1);
      id = 0;
      if (session.sessionId === undefined || dice.once(4)) {
        sessionId = `${input.toString(16).padStart(8, '0')}${sessionIdOf('B').slice(8)}`;
        arrive('Negotiate');
      } else arrive('Establish');
    }
    const isWaiting = session.phase === 'negotiated' && dice.once(2);
    const line = isWaiting ? 'Establish' : filled(dice, session.nextIn).replace('=T', '=1');
    session.received(framed(say(line), 'big'), clock.now());
    session.flush();
    if (dice.once(20)) clock.advance(dice.below(12_000));
    session.tick(clock.now());
    if (dice.once(50)) session.closed(clock.now());
    if (session.phase === 'established') established += 1;
    if (session.held > maxHeldMessages) throw new Error('more wait than may');
  }
  if (established < inputs / 20) throw new Error('the session was hardly ever established');
  return inputs;
}

/**
 * A server that says whatever it likes to our client, at times in answer to what it asked. Answers how many messages.
 */
export function hostileServerMessages(seed: number, inputs: number): number {
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const sessionId = sessionIdOf('A');
  let asked = 0n;
  const transmit = (bytes: Uint8Array) => {
    const said = readSessionMessage(bytes.subarray(framingHeaderSize));
    if ('timestamp' in said) asked = said.timestamp;
  };
  const session = new FixpClientSession({
    settings: fixpSettings({
      role: 'initiator',
      principal: 'alice',
      applicationSchemas: new Set([application.schema]),
      maxQueuedMessages,
    }),
    application: { onMessage: () => {} },
    effects: { ...noEffects, transmit },
    start: { nextIn: 1, nextOut: 1 },
    ids: new SessionIds(),
    saveIds: () => {},
    newSessionId: () => sessionId,
  });
  let established = 0;
  for (let input = 0; input < inputs; input += 1) {
    clock.advance(dice.once(20) ? dice.below(12_000) : 1);
    if (session.phase === 'closing') session.closed(clock.now());
    if (session.phase === 'down') session.opened(peer, clock.now());
    session.flush();
    const filling = { sessionId, timestamp: asked, credentials: Buffer.alloc(0) };
    const isWaiting = session.phase === 'connected' || session.phase === 'negotiated';
    const fitting = session.sessionId === undefined ? 'NegotiationResponse' : 'EstablishmentAck';
    const line = isWaiting && dice.once(2) ? lineOf(fitting) : filled(dice, session.nextIn);
    const answer = readLine(line.replace('=T', `=${asked}`));
    session.received(framed(clientMessage(answer, filling), 'big'), clock.now());
    session.flush();
    session.tick(clock.now());
    if (session.phase === 'established') established += 1;
    if (session.queued > maxQueuedMessages) throw new Error('the queue grew beyond its limit');
  }
  if (established < inputs / 20) throw new Error('the session was hardly ever established');
  return inputs;
}

function lineOf(name: string): string {
  return lines.find((line) => line.startsWith(`${name} `)) ?? name;
}

/** One of the lines, with a number that fits half of the time. */
function filled(dice: Dice, nextSeqNo: number): string {
  const number = dice.once(2) ? nextSeqNo : seqNos[dice.below(seqNos.length)];
  return (lines[dice.below(lines.length)] ?? '')
    .replace('=N', `=${number}`)
    .replace('=C', `=${counts[dice.below(counts.length)]}`);
}

const maxHeldMessages = 50;
const maxQueuedMessages = 20;
const noEffects: Effects = {
  record: () => {},
  transmit: () => {},
  fetch: () => {},
  fetchHeld: () => {},
  takes: () => true,
  wait: () => {},
  disconnect: () => {},
  alarm: () => {},
  loggedOn: () => {},
  gathered: () => {},
};

function echoSession(): FixpServerSession {
  return new FixpServerSession({
    settings: fixpSettings({
      role: 'acceptor',
      principal: 'alice',
      applicationSchemas: new Set([application.schema]),
      maxHeldMessages,
    }),
    application: {
      onMessage: (_message, _seq, session, now) => session.send(applicationMessage('heard'), now),
    },
    effects: noEffects,
    start: { nextIn: 1, nextOut: 1 },
    ids: new SessionIds(),
    saveIds: () => {},
  });
}

/** Bytes that were frames before they were spoilt, in any pieces, before and in a session. Answers how many pieces. */
export async function garbledFrames(seed: number, inputs: number): Promise<number> {
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new FixpDirectory({ transactions, clock });
  await directory.add({
    settings: fixpSettings({ role: 'acceptor', principal: 'alice' }),
    application: { onMessage: () => {} },
  });
  const { wallMs } = clock.now();
  const filling = {
    sessionId: sessionIdOf('A'),
    timestamp: BigInt(wallMs) * 1_000_000n,
    credentials: Buffer.from('553=alice\x01'),
  };
  let session = echoSession();
  for (let input = 0; input < inputs; input += 1) {
    const line = filled(dice, 1).replace('=T', '=1');
    const bytes = framed(clientMessage(readLine(line), filling), dice.once(2) ? 'big' : 'little');
    for (let spoilt = dice.below(4); spoilt > 0; spoilt -= 1) {
      const at = dice.below(bytes.length);
      bytes[at] = dice.below(256);
    }
    const piece = bytes.subarray(0, 1 + dice.below(bytes.length));
    directory.admit(piece, peer, clock.now());
    if (session.phase === 'closing' || session.phase === 'down') {
      session = echoSession();
      const request = { name: 'Negotiate', clientFlow: 1, ...filling } as const;
      if (session.examine(request, peer, clock.now(), false) !== undefined)
        throw new Error('a good request was refused');
      session.opened(peer, clock.now());
      session.received(framed(clientMessage(readLine('Negotiate'), filling), 'big'), clock.now());
      session.received(framed(clientMessage(readLine('Establish'), filling), 'big'), clock.now());
    }
    session.received(piece, clock.now());
    session.flush();
    session.tick(clock.now());
  }
  return inputs;
}
