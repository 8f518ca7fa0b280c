import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Trail, type TrailOptions } from '../../src/console/trail.ts';
import { systemClock } from '../../src/runtime/clock.ts';

const session = 'FIX.4.4:US/->THEM/';
const account = `0x${'1'.repeat(40)}`;
const made: Trail[] = [];
const directories: string[] = [];

function trail(options: Partial<TrailOptions> = {}): Trail {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'causeway-trail-'));
  if (options.directory === undefined) directories.push(directory);
  const opened = new Trail({
    directory,
    maxRecords: 1_000,
    clock: systemClock,
    alarm: () => {},
    ...options,
  });
  made.push(opened);
  return opened;
}

afterEach(async () => {
  for (const one of made.splice(0)) await one.close();
  for (const one of directories.splice(0)) rmSync(one, { recursive: true, force: true });
});

function fix(body: string): Buffer {
  const fields = body.replaceAll('|', '\x01');
  return Buffer.from(`8=FIX.4.4\x019=${fields.length}\x01${fields}10=000\x01`);
}

test('what was observed before a flush is found, with its session and direction', async () => {
  const own = trail();
  own.bytes(session, 'in', fix('35=D|34=1|11=a|58=hello|'));
  own.bytes(session, 'out', fix('35=8|34=1|11=a|'));
  own.bytes('other', 'in', fix('35=D|34=1|11=a|'));
  await own.flush();
  const found = await own.search({ session, limit: 10 });
  expect(found.map(({ id, kind }) => [id, kind])).toEqual([
    [2, 'out'],
    [1, 'in'],
  ]);
  expect(await own.search({ fromUs: (Date.now() + 60_000) * 1_000, limit: 10 })).toEqual([]);
  expect(own.count).toBe(3);
});

test('the records of one order are linked, its request and the answer to it too', async () => {
  const own = trail();
  const record = { v: 1, inputs: [{ kind: 'order', key: 'THEM:a', input: {} }], actions: [] };
  own.recorded(account, Buffer.from(JSON.stringify(record)), []);
  const body = `{"payload":{"account":"${account}","nonce":7,"action":{}}}`;
  const request = { method: 'POST', target: '/a', body, headers: ['k', 'abcdef'] } as const;
  own.requested(account, request);
  own.answered(account, request, { kind: 'response', status: 200, headers: {}, body: '{}' });
  await own.flush();
  expect((await own.linked(['k THEM:a'])).map(({ kind }) => kind)).toEqual(['journal']);
  const linked = await own.linked([`n ${account} 7`]);
  expect(linked.map(({ kind }) => kind)).toEqual(['request', 'answer']);
});

test('no secret of a logon reaches the disk', async () => {
  const own = trail();
  own.bytes(session, 'in', fix('35=A|34=1|553=me|554=canary-secret|'));
  await own.flush();
  await own.close();
  const [directory = ''] = directories;
  for (const file of readdirSync(directory)) {
    expect(readFileSync(join(directory, file)).includes('canary-secret')).toBe(false);
  }
});

test('the oldest go when there are too many, and a new start finds the rest', async () => {
  const own = trail({ maxRecords: 40 });
  for (let seq = 1; seq <= 100; seq += 1) {
    own.bytes(session, 'in', fix(`35=0|34=${seq}|`));
    if (seq % 5 === 0) await own.flush();
  }
  expect(own.count).toBeLessThanOrEqual(45);
  const [latest] = await own.search({ limit: 1 });
  expect(latest?.seq).toBe(100);
  await own.close();
  const again = trail({ directory: directories[0] ?? '', maxRecords: 40 });
  const rows = await again.search({ limit: 100 });
  expect(rows[0]?.seq).toBe(100);
  expect(rows.length).toBeGreaterThanOrEqual(30);
  expect(again.count).toBe(rows.length);
  again.bytes(session, 'in', fix('35=0|34=101|'));
  await again.flush();
  expect((await again.search({ limit: 1 }))[0]?.id).toBe(101);
});

test('what the thread has no room for is dropped and counted', async () => {
  const own = trail({ maxWaitingBytes: 1_000 });
  const large = fix(`35=D|58=${'x'.repeat(70_000)}|`);
  for (let round = 0; round < 5; round += 1) own.bytes(session, 'in', large);
  expect(own.dropped).toBeGreaterThan(0);
  await own.flush();
  own.bytes(session, 'in', fix('35=0|34=1|'));
  await own.flush();
  expect((await own.search({ limit: 1 }))[0]?.type).toBe('0');
});

test.runIf(process.getuid?.() === 0)(
  'on a full disk the alarm has the reason, once a minute, and what is not stored does not count',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'causeway-trail-'));
    directories.push(place);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', place]);
    try {
      const alarms: string[] = [];
      const own = trail({ directory: join(place, 'trail'), alarm: (text) => alarms.push(text) });
      for (let round = 0; round < 20; round += 1) {
        own.bytes(session, 'in', fix(`35=D|58=${'x'.repeat(60_000)}|`));
        await own.flush();
      }
      expect(alarms).toEqual([expect.stringMatching(/^messages are missing .*: .*disk.* full/)]);
      execFileSync('mount', ['-o', 'remount,size=4m', place]);
      own.bytes(session, 'in', fix('35=0|34=1|'));
      await own.flush();
      // What was not stored does not count; otherwise it would push out what was.
      expect(own.count).toBe((await own.search({ limit: 100 })).length);
      await own.close();
    } finally {
      execFileSync('umount', ['--lazy', place]);
    }
  },
);

test('a trail that cannot be kept says so and holds nobody up', async () => {
  const alarms: string[] = [];
  const own = trail({ directory: '/dev/null/trail', alarm: (text) => alarms.push(text) });
  await expect.poll(() => alarms.join(), { timeout: 10_000 }).toContain('keeps no more messages');
  own.bytes(session, 'in', fix('35=0|34=1|'));
  expect(own.dropped).toBe(1);
  await expect(own.search({ limit: 1 })).rejects.toThrow();
});
