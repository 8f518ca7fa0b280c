/**
 * Ten thousand connections that never log on, half of them in the middle of a message: a client that is logged on
 * keeps its latency, and a new one still gets in.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { LongRun } from './main.ts';
import { PlainFixPeer } from './plain-fix-peer.ts';

const acceptor = join(import.meta.dirname, '../../bench/session/engine-acceptor.ts');
const perAddress = 250;
const orders = 2_000;

export async function run({ short }: LongRun): Promise<string> {
  const count = short ? 2_000 : 10_000;
  const child = spawn(process.execPath, [acceptor, 'memory', '.', '2'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const port = Number(said);
  const idle: Socket[] = [];
  const [first, second] = [
    new PlainFixPeer({ senderCompId: 'CLIENT0' }),
    new PlainFixPeer({ senderCompId: 'CLIENT1' }),
  ];
  try {
    const ask = await talker(first, port);
    await p50Us(ask);
    const before = await p50Us(ask);
    for (let i = 0; i < count; i += 1) idle.push(await idleConnection(port, i));
    const during = await p50Us(ask);
    await (await talker(second, port))();
    if (during > 2 * before + 100)
      throw new Error(`p50 rose from ${before} µs to ${during} µs with ${count} idle connections`);
    return `${count} connections that never log on: p50 of a client ${before} µs before, ${during} µs with them`;
  } finally {
    for (const socket of idle) socket.destroy();
    await first.cut();
    await second.cut();
    child.kill('SIGKILL');
  }
}

/** Logs on; each call sends one order and waits for its report. */
async function talker(peer: PlainFixPeer, port: number): Promise<() => Promise<void>> {
  let reports = 0;
  await peer.logon(port, () => {
    reports += 1;
  });
  return async () => {
    const next = reports + 1;
    peer.send('D', [
      [11, `ORDER-${next}`],
      [55, 'BTC-USDC'],
      [54, '1'],
      [60, '20261121-10:38:16.123'],
      [38, '10'],
      [40, '1'],
    ]);
    await peer.until(() => reports === next);
  };
}

async function p50Us(ask: () => Promise<void>): Promise<number> {
  const latencies: number[] = [];
  for (let i = 0; i < orders; i += 1) {
    const start = process.hrtime.bigint();
    await ask();
    latencies.push(Number((process.hrtime.bigint() - start) / 1_000n));
  }
  latencies.sort((a, b) => a - b);
  return latencies[orders / 2] ?? 0;
}

async function idleConnection(port: number, index: number): Promise<Socket> {
  const localAddress = `127.0.1.${1 + Math.floor(index / perAddress)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (index % 2 === 0) socket.write('8=FIX.4.4\x019=100\x0135=A\x01');
  return socket;
}
