/** Which shard a first message leads to, and what becomes of a connection whose shard is not there. */
import { expect, test } from 'vitest';
import { type Destination, type Entrance, FrontDoor } from '../../src/cluster/front-door.ts';
import type { LaneName } from '../../src/cluster/lanes.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { clientBytes } from '../acceptance/fix/script.ts';

class Shard implements Destination {
  isOpen = true;
  readonly #openers = new Set<() => void>();
  owner: string | undefined;

  whenOpen(_: unknown, callback: (entrance: Entrance) => void): () => void {
    const opener = () => callback(this);
    this.#openers.add(opener);
    return () => this.#openers.delete(opener);
  }

  servedAt(): string | undefined {
    return this.owner;
  }

  open(): void {
    this.isOpen = true;
    for (const callback of [...this.#openers]) callback();
  }

  get waiting(): number {
    return this.#openers.size;
  }

  take(): void {}
}

function setup(lane: LaneName) {
  const clock = new ManualClock();
  const node = { isDraining: false };
  const shards = [new Shard(), new Shard(), new Shard()] as const;
  const names: Record<string, Shard> = { ALPHA: shards[0], BRAVO: shards[1], delta: shards[2] };
  const door = new FrontDoor({
    ...{ lane, clock, holdMs: 5_000 },
    find: (_, name) => names[name],
    all: () => shards,
    isDraining: () => node.isDraining,
  });
  const admit = (bytes: Uint8Array, peer = { address: '192.0.2.7' }) =>
    door.admit(bytes, peer, clock.now());
  return { admit, clock, node, shards };
}

const logon = (client: string, target = 'CAUSEWAY') =>
  clientBytes('A|34=1|98=0|108=30|553=x|554=y', { client, server: target }, 0);

function negotiate(username: string): Buffer {
  const message = writeSessionMessage({
    name: 'Negotiate',
    sessionId: '00'.repeat(16),
    timestamp: 1n,
    clientFlow: FlowType.Idempotent,
    credentials: writeCredentials({ username, password: 'x' }),
  });
  return Buffer.from(framed(message, 'big'));
}

test('SenderCompID(49) of the Logon leads to the shard of the session, however the bytes arrive', () => {
  const { admit, shards } = setup('fix');
  const bytes = logon('BRAVO');
  for (let length = 0; length < bytes.length; length += 1) {
    expect(admit(bytes.subarray(0, length))).toEqual({ kind: 'more' });
  }
  expect(admit(bytes)).toEqual({ kind: 'admit', session: shards[1] });
});

test('a Logon that nobody has, another message and garbage are refused without an answer, as by a bridge', () => {
  const { admit } = setup('fix');
  const other = clientBytes('0|34=1', { client: 'ALPHA', server: 'CAUSEWAY' }, 0);
  for (const bytes of [logon('NOBODY'), other, Buffer.from('GET / HTTP/1.1\r\n\r\n')]) {
    const refused = admit(bytes);
    expect(refused).toMatchObject({ kind: 'refuse', isOffence: false });
    expect(refused).not.toHaveProperty('answer');
  }
});

test('the user of a Negotiate leads to its shard, and an unknown user always to the same one', () => {
  const { admit, shards } = setup('fixp');
  expect(admit(negotiate('delta'))).toEqual({ kind: 'admit', session: shards[2] });
  const strangers = Array.from({ length: 40 }, (_, at) => admit(negotiate(`nobody-${at}`)));
  expect(strangers).toEqual(
    Array.from({ length: 40 }, (_, at) => admit(negotiate(`nobody-${at}`))),
  );
  expect(new Set(strangers.map((one) => 'session' in one && one.session)).size).toBe(3);
});

test('while its shard moves a connection waits, and is let in as soon as the shard is open', async () => {
  const { admit, clock, shards } = setup('fix');
  const peer = { address: '192.0.2.7' };
  shards[0].isOpen = false;
  const held = admit(logon('ALPHA'), peer);
  if (held.kind !== 'wait') throw new Error(held.kind);
  clock.advance(4_999);
  expect(admit(logon('BRAVO')).kind).toBe('admit');
  shards[0].open();
  expect(await held.pendingVerdict.over).toBe('right');
  expect(admit(logon('ALPHA'), peer).kind).toBe('admit');
  expect(shards[0].waiting).toBe(0);
});

test('after 5 seconds it is turned away with a Logout in its names, and another try waits anew', async () => {
  const { admit, clock, shards } = setup('fix');
  const peer = { address: '192.0.2.7' };
  shards[0].isOpen = false;
  const held = admit(logon('ALPHA'), peer);
  if (held.kind !== 'wait') throw new Error(held.kind);
  clock.advance(5_000);
  await held.pendingVerdict.over;
  const refused = admit(logon('ALPHA'), peer);
  if (refused.kind !== 'refuse') throw new Error(refused.kind);
  const answer = Buffer.from(refused.answer ?? '')
    .toString('latin1')
    .replaceAll('\x01', '|');
  expect(answer).toMatch(/\|35=5\|.*\|49=CAUSEWAY\|.*\|56=ALPHA\|58=The session is not available/);
  expect(refused.isOffence).toBe(false);
  expect(shards[0].waiting).toBe(0);
  expect(admit(logon('ALPHA')).kind).toBe('wait');
});

test('if the node that serves the session names its address, the Logout names it', async () => {
  const { admit, clock, shards } = setup('fix');
  const peer = { address: '192.0.2.7' };
  shards[0].isOpen = false;
  admit(logon('ALPHA'), peer);
  clock.advance(5_000);
  shards[0].owner = '10.0.0.12:9876';
  const refused = admit(logon('ALPHA'), peer);
  expect(Buffer.from(refused.kind === 'refuse' ? (refused.answer ?? '') : '').toString()).toContain(
    '58=The session is served at 10.0.0.12:9876; please connect there',
  );
});

test('a node that drains sends clients elsewhere at once, but takes those of a shard that it still serves', () => {
  const { admit, node, shards } = setup('fix');
  node.isDraining = true;
  expect(admit(logon('BRAVO'))).toEqual({ kind: 'admit', session: shards[1] });
  shards[1].isOpen = false;
  shards[1].owner = '10.0.0.12:9876';
  const refused = admit(logon('BRAVO'));
  expect(Buffer.from(refused.kind === 'refuse' ? (refused.answer ?? '') : '').toString()).toContain(
    '58=The session is served at 10.0.0.12:9876; please connect there',
  );
  expect(shards[1].waiting).toBe(0);
});

test('over FIXP an unknown user waits and is turned away exactly as a known one', async () => {
  const { admit, clock, shards } = setup('fixp');
  for (const shard of shards) shard.isOpen = false;
  const answers: string[] = [];
  for (const user of ['delta', 'nobody']) {
    const peer = { address: '192.0.2.7' };
    const held = admit(negotiate(user), peer);
    if (held.kind !== 'wait') throw new Error(held.kind);
    clock.advance(5_000);
    await held.pendingVerdict.over;
    const refused = admit(negotiate(user), peer);
    answers.push(
      refused.kind === 'refuse' ? Buffer.from(refused.answer ?? '').toString('hex') : '',
    );
  }
  expect(answers[0]).not.toBe('');
  expect(answers[0]).toBe(answers[1]);
});

test('a client that leaves while it waits is forgotten', () => {
  const { admit, shards } = setup('fix');
  shards[0].isOpen = false;
  const held = admit(logon('ALPHA'));
  if (held.kind === 'wait') held.pendingVerdict.giveUp();
  expect(shards[0].waiting).toBe(0);
});
