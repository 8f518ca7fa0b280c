/**
 * Random interleavings of a FIXP client and a bridge over connections that are cut and restored from records: each
 * message of the bridge is told once and in order, each order is acted on once, whatever is sent again, and none is
 * lost (the pair throws). Then hostile input: well framed and badly meant, and bytes that are hardly frames at all.
 * Nothing escapes from the session, and what it keeps is bounded.
 */
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FixpServerSession } from '../../src/fixp/server-session.ts';
import { SessionIds } from '../../src/fixp/session-ids.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';
import {
  application,
  applicationMessage,
  clientMessage,
  readLine,
  sessionIdOf,
} from '../acceptance/fixp/script.ts';
import { FixpPair } from './fixp-pair.ts';
import type { LongRun } from './main.ts';
import { Dice } from './session-pair.ts';

const faults = { dieBeforeCommit: 300, dieAfterCommit: 300, cut: 400, spoil: 0 };
const none = { dieBeforeCommit: 0, dieAfterCommit: 0, cut: 0, spoil: 0 };
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
  const hostile = hostileFixpMessages(seed, short ? 50_000 : 500_000);
  const garbled = await garbledFrames(seed, short ? 50_000 : 500_000);
  const told = `${pairs} pairs, ${connections} connections, ${messages} messages, each told once`;
  return `${told}; ${hostile} hostile messages, ${garbled} garbled pieces`;
}

export function playFixpPair(seed: number): { messages: number; connections: number } {
  const pair = new FixpPair(seed, faults);
  const { client, bridge, dice } = pair;
  let steps = 0;
  for (; steps < stepsPerPair; steps += 1) {
    if (dice.once(12)) client.say();
    if (dice.once(12)) bridge.say();
    if (dice.once(500)) client.finish();
    pair.step();
  }
  pair.faults = none;
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
  'NegotiationResponse ServerFlow=Recoverable RequestTimestamp=1',
  'Establish',
  'EstablishmentAck KeepaliveInterval=1 RequestTimestamp=1',
  'EstablishmentReject Code=0 RequestTimestamp=1',
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
    if (session.phase === 'closing') session.closed(clock.now());
    if (session.phase === 'down') {
      clock.advance(1);
      id = 0;
      if (session.sessionId === undefined || dice.once(4)) {
        sessionId = `${input.toString(16).padStart(8, '0')}${sessionIdOf('B').slice(8)}`;
        arrive('Negotiate');
      } else arrive('Establish');
    }
    const line = lines[dice.below(lines.length)] ?? '';
    const number = dice.once(2) ? session.nextIn : seqNos[dice.below(seqNos.length)];
    const filled = line
      .replace('=N', `=${number}`)
      .replace('=C', `=${counts[dice.below(counts.length)]}`);
    session.received(framed(say(filled), 'big'), clock.now());
    session.flush();
    if (dice.once(20)) clock.advance(dice.below(12_000));
    session.tick(clock.now());
    if (dice.once(50)) session.closed(clock.now());
    if (session.held > maxHeldMessages) throw new Error('more wait than may');
  }
  return inputs;
}

const maxHeldMessages = 50;

function echoSession(): FixpServerSession {
  const nothing = () => {};
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
    effects: {
      record: nothing,
      transmit: nothing,
      fetch: nothing,
      fetchHeld: nothing,
      disconnect: nothing,
      gathered: nothing,
    },
    start: { nextIn: 1, nextOut: 1 },
    ids: new SessionIds(),
    saveIds: nothing,
  });
}

/** Bytes that were frames before they were spoilt, in any pieces, before and in a session. Answers how many pieces. */
export async function garbledFrames(seed: number, inputs: number): Promise<number> {
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const turns = new Turns(new MemoryStore(), (error) => {
    throw error;
  });
  const directory = new FixpDirectory({ turns, clock });
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
    const line = (lines[dice.below(lines.length)] ?? '').replace('=N', '=1').replace('=C', '=1');
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
