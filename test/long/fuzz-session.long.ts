/**
 * Random interleavings of a client and a bridge over connections that are cut, spoilt and restored from records. No
 * number is lost or used twice, and each application message is told exactly once, in order (the pair throws). Then
 * hostile messages, well framed and badly meant: nothing escapes from the session, and what it keeps is bounded.
 */
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { FixSession } from '../../src/fix/session.ts';
import { sessionSettings } from '../../src/fix/session-settings.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { freshStart } from '../fix/fresh-start.ts';
import { Dice, noFaults } from './crash-line.ts';
import type { LongRun } from './main.ts';
import { fixPair } from './session-pair.ts';

const faults = { dieBeforeCommit: 300, dieAfterCommit: 300, cut: 400, spoil: 60 };
const stepsPerPair = 4_000;
/** Once faults stop, everything arrives within so many steps. */
const stepsToSettle = 60_000;

export async function run({ short, seed }: LongRun): Promise<string> {
  const pairs = short ? 40 : 1_000;
  let steps = 0;
  let messages = 0;
  for (let number = 0; number < pairs; number += 1) {
    const pairSeed = seed * 1_000_003 + number;
    try {
      const done = playPair(pairSeed);
      steps += done.steps;
      messages += done.messages;
    } catch (error) {
      throw new Error(`pair seed ${pairSeed}`, { cause: error });
    }
  }
  const inputs = hostileMessages(seed, short ? 100_000 : 2_000_000);
  const told = `${pairs} pairs, ${steps} steps, ${messages} messages, each told once and in order`;
  return `${told}; ${inputs} hostile messages`;
}

export function playPair(seed: number): { steps: number; messages: number } {
  const pair = fixPair(seed, faults);
  const { client, bridge, dice } = pair;
  let steps = 0;
  for (; steps < stepsPerPair; steps += 1) {
    if (dice.once(12)) client.say();
    if (dice.once(12)) bridge.say();
    pair.step();
  }
  pair.faults = noFaults;
  const end = steps + stepsToSettle;
  const isSettled = () => bridge.told === client.sent && client.told === bridge.sent;
  for (; steps < end && !isSettled(); steps += 1) pair.step();
  if (!isSettled()) {
    const lost = `${bridge.told} of ${client.sent} and ${client.told} of ${bridge.sent}`;
    throw new Error(`after faults stopped only ${lost} were told`);
  }
  return { steps, messages: client.sent + bridge.sent };
}

const types = ['0', '1', '2', '3', '4', '5', 'A', 'D', 'F', 'j', 'ZZ', 'R', '\x00'];
const tags = [
  34, 43, 122, 7, 16, 36, 123, 45, 371, 108, 98, 141, 789, 112, 58, 97, 115, 386, 336, 11, 999,
];
const values = [
  'Y',
  'N',
  '0',
  '1',
  '2',
  '-1',
  '3',
  '99',
  '999999999999',
  '9007199254740993',
  '',
  'x',
  '20260105-12:00:00',
];
const maxQueuedMessages = 50;

/** Messages that the decoder takes for whole, with whatever in them. Answers how many. */
export function hostileMessages(seed: number, inputs: number): number {
  const dice = new Dice(seed);
  const clock = new ManualClock();
  const names = { client: 'CLIENT', server: 'BRIDGE' };
  const session = echoSession();
  const peer = { address: '192.0.2.1' };
  const logon = () => {
    const bytes = clientBytes(`A|34=${session.nextIn}|98=0|108=30`, names, clock.now().wallMs);
    const decoder = new Decoder(fix44());
    decoder.push(bytes);
    decoder.next();
    session.closed(clock.now());
    if (session.nextIn > 1_000_000) session.setNumbers(1, 1, clock.now());
    session.examine(decoder.message, peer, clock.now());
    session.opened(peer, clock.now());
    session.received(bytes, clock.now());
  };
  for (let input = 0; input < inputs; input += 1) {
    if (session.phase !== 'active') logon();
    const fields = [`34=${session.nextIn + (dice.once(4) ? dice.below(5) - 2 : 0)}`];
    for (let more = dice.below(6); more > 0; more -= 1) {
      fields.push(`${tags[dice.below(tags.length)]}=${values[dice.below(values.length)]}`);
    }
    const text = `${types[dice.below(types.length)]}|${fields.join('|')}`;
    session.received(clientBytes(text, names, clock.now().wallMs), clock.now());
    session.flush();
    if (dice.once(20)) clock.advance(dice.below(40_000));
    session.tick(clock.now());
    if (session.queued > maxQueuedMessages) throw new Error('the queue grew beyond its limit');
  }
  return inputs;
}

function echoSession(): FixSession {
  const nothing = () => {};
  return new FixSession({
    settings: sessionSettings({
      identity: { senderCompId: 'BRIDGE', targetCompId: 'CLIENT' },
      role: 'acceptor',
      allowsReset: true,
      maxQueuedMessages,
    }),
    dictionary: fix44(),
    application: {
      onMessage: (_message, session, now) => {
        session.send('B', Buffer.from('148=heard\x0133=1\x0158=x\x01'), now);
      },
    },
    effects: {
      record: nothing,
      transmit: nothing,
      fetch: nothing,
      fetchHeld: nothing,
      takes: () => true,
      wait: () => {},
      disconnect: nothing,
      alarm: nothing,
      loggedOn: nothing,
      gathered: nothing,
    },
    start: freshStart,
  });
}
