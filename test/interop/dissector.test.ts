/**
 * The Wireshark dissector under tshark: every message of every schema from a connection cut at odd places, hostile
 * bytes, and a capture of our own port. Needs Debian's tshark; the capture needs the right to capture on loopback.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { FixpDirectory } from '../../src/fixp/fixp-directory.ts';
import { type ByteOrder, framed } from '../../src/fixp/framing.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { dissector } from '../../src/sbe/dissector.ts';
import { exampleOf } from '../../src/sbe/example.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { leavesOf, type Schema, type Section } from '../../src/sbe/model.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { Acceptor } from '../../src/transport/acceptor.ts';
import { SocketPeer } from '../fixp/socket-peer.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { passwords } from '../support/passwords.ts';
import { ethernetFrame, pcap } from './capture.ts';

const root = join(import.meta.dirname, '../..');
const shipped = join(root, 'dictionaries/wireshark/causeway.lua');
const folder = mkdtempSync(join(tmpdir(), 'causeway-dissector-'));
afterAll(() => rmSync(folder, { recursive: true }));

const schemaOf = (file: string) => readSchema(readFileSync(join(root, file), 'utf8'));
const schemas: Record<string, Schema> = {
  'fixp.xml': schemaOf('dictionaries/fixp.xml'),
  'orders.xml': schemaOf('dictionaries/orders.xml'),
  'every feature': schemaOf('test/sbe/features/features.xml'),
};

/** A capture of one connection that carries these bytes in pieces. */
function capture(pieces: readonly Buffer[]): string {
  const file = join(folder, 'line.pcap');
  let seq = 1;
  const frames = pieces.map((text) => {
    const frame = ethernetFrame({ fromClient: true, seq, text });
    seq += text.length;
    return frame;
  });
  writeFileSync(file, pcap(frames));
  return file;
}

function tshark(file: string, script: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(
    'tshark',
    ['-X', `lua_script:${script}`, '-r', file, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  expect(stdout + stderr).not.toMatch(/Lua Error|bad argument|attempt to/);
  return stdout;
}

function messagesIn(file: string, script: string): string[] {
  const names = tshark(file, script, '-T', 'fields', '-e', 'causeway.message');
  return names.split(/[\s,]+/).filter((name) => name !== '');
}

function scriptOf(name: string, schema: Schema): string {
  if (name !== 'every feature') return shipped;
  const script = join(folder, 'features.lua');
  writeFileSync(script, dissector([schema]));
  return script;
}

/** The names of all fields in a tree of tshark's JSON. */
function namesIn(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => [name, ...namesIn(value)]);
}

function namesOf({ fields, groups, data }: Section, path: string): string[] {
  return [
    ...leavesOf(fields)
      .filter(({ field }) => field.constant === undefined)
      .map(({ name }) => `${path}.${name}`),
    ...data.map(({ name }) => `${path}.${name}`),
    ...groups.flatMap((group) => namesOf(group, `${path}.${group.name}`)),
  ];
}

test('the dissector that is shipped is what the schemas give', () => {
  const { 'fixp.xml': fixp, 'orders.xml': orders } = schemas;
  expect(readFileSync(shipped, 'utf8')).toBe(dissector([fixp, orders] as Schema[]));
});

describe.each(Object.entries(schemas))('%s', (name, schema) => {
  const script = scriptOf(name, schema);
  const frames = (order: ByteOrder) =>
    schema.messages.map((message) =>
      framed(encodeMessage(schema, { message: message.name, fields: exampleOf(message) }), order),
    );

  test('every field of every message is a filter', () => {
    const file = capture(frames('big'));
    const packets = JSON.parse(tshark(file, script, '-T', 'json', '--no-duplicate-keys')) as {
      _source: { layers: { causeway?: object } };
    }[];
    expect(packets).toHaveLength(schema.messages.length);
    for (const [index, message] of schema.messages.entries()) {
      const seen = namesIn(packets[index]?._source.layers.causeway);
      expect(seen).toEqual(
        expect.arrayContaining(namesOf(message, `${schema.package}.${message.name}`)),
      );
      expect(seen).not.toContain('causeway.malformed');
    }
  });

  test.each(['big', 'little'] as const)('frames in %s-endian order cut at odd places', (order) => {
    const stream = Buffer.concat(frames(order));
    const pieces: Buffer[] = [];
    for (let at = 0, size = 40; at < stream.length; at += size, size = (size * 7) % 61 || 1) {
      pieces.push(stream.subarray(at, at + size));
    }
    expect(messagesIn(capture(pieces), script)).toEqual(
      schema.messages.map(({ name: one }) => one),
    );
  });
});

test('values, codes and nulls are shown as they are', () => {
  const { 'fixp.xml': fixp } = schemas;
  const message = {
    message: 'Establish',
    fields: {
      SessionId: Array.from({ length: 16 }, (_, index) => index),
      Timestamp: '1795000000000000001',
      KeepaliveInterval: 30_000,
      NextSeqNo: null,
      CancelOnDisconnectType: 'OnTerminate',
      CodTimeoutWindow: 5,
      Credentials: 'c0ffee',
    },
  };
  const file = capture([framed(encodeMessage(fixp as Schema, message), 'big')]);
  const shown = tshark(file, shipped, '-V');
  for (const line of [
    'Timestamp: 1795000000000000001',
    'KeepaliveInterval: 30000',
    'NextSeqNo: null',
    'CancelOnDisconnectType: OnTerminate (2)',
    'Credentials: c0ffee',
  ]) {
    expect(shown).toContain(line);
  }
  expect(tshark(file, shipped, '-Y', 'fixp.Establish.KeepaliveInterval == 30000')).not.toBe('');
  expect(tshark(file, shipped, '-Y', 'fixp.Establish.KeepaliveInterval == 30001')).toBe('');
});

test('counts and lengths beyond the frame are called malformed, and nothing breaks', () => {
  const { 'every feature': features } = schemas;
  const script = scriptOf('every feature', features as Schema);
  const message = features?.messages.find(({ name }) => name === 'Parts');
  if (features === undefined || message === undefined) throw new Error('no Parts');
  const whole = encodeMessage(features, { message: 'Parts', fields: exampleOf(message) });
  let malformed = 0;
  const hostile = Array.from(whole, (_, at) => {
    const bytes = Buffer.from(whole);
    if (at >= features.header.size) bytes[at] = 0xff;
    return framed(
      at % 3 === 0 ? bytes.subarray(0, Math.max(at, features.header.size)) : bytes,
      'big',
    );
  });
  const found = tshark(capture(hostile), script, '-T', 'fields', '-e', '_ws.expert.message');
  for (const line of found.split('\n')) if (/do not fit|needs/.test(line)) malformed += 1;
  expect(malformed).toBeGreaterThan(30);
});

const canCapture =
  spawnSync('tshark', ['-i', 'lo', '-a', 'duration:0'], { timeout: 5000 }).status === 0;

/** Waits until a program has said it. */
function heard(stream: Readable, words: string): Promise<void> {
  let told = '';
  return new Promise((resolve) => {
    stream.on('data', (text) => {
      told += text;
      if (told.includes(words)) resolve();
    });
  });
}

test.runIf(canCapture)('a session with our own port, captured on loopback', async () => {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  const sessions = new FixpDirectory({ transactions, clock: systemClock });
  await sessions.add({
    settings: fixpSettings({ role: 'acceptor', principal: 'alice' }),
    application: { onMessage: () => {} },
    authenticate: passwords([{ username: 'alice', secret: 'right' }]),
  });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    reception: sessions,
    attach: (session, link, first) => sessions.attach(session, link, first),
  });
  const port = await acceptor.listen();
  const file = join(folder, 'live.pcapng');
  const watcher = spawn('tshark', ['-i', 'lo', '-f', `tcp port ${port}`, '-w', file, '-P', '-l'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    await heard(watcher.stderr, 'Capture started');
    const peer = await SocketPeer.to(port);
    await peer.establish('A');
    await peer.cut();
    await heard(watcher.stdout, 'FIN');
  } finally {
    await sessions.close();
    await acceptor.close();
    watcher.kill('SIGINT');
    await once(watcher, 'close');
  }
  expect(messagesIn(file, shipped)).toEqual(
    expect.arrayContaining(['Negotiate', 'NegotiationResponse', 'Establish', 'EstablishmentAck']),
  );
});
