import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import { auditDirectoryIn, auditRecordsIn, RequestAudit } from '../../src/signer/request-audit.ts';
import type { SignRequest } from '../../src/signer/signer.ts';
import type { RaiseSignerAlarm } from '../../src/signer/signer-alarm.ts';
import { readAnswer, signFrame } from '../../src/signer/signer-frame.ts';
import { answerFrame } from '../../src/signer/signer-server.ts';
import { SignerStatus } from '../../src/signer/signer-status.ts';
import { fillDisk, hasRoomAgain } from './full-disk.ts';
import {
  account,
  cancel,
  coreWith,
  envelope,
  openPolicy,
  request,
  secretKey,
  spot,
} from './signer-samples.ts';

const ecdsa = await openEcdsa();
const clock = new ManualClock();
let directory: string;
let audit: RequestAudit;
let status: SignerStatus;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signer-status-'));
  audit = new RequestAudit(directory, clock, { published: () => {}, alarm: () => {} });
});
afterEach(async () => {
  hasRoomAgain();
  await status.server.close();
  rmSync(directory, { recursive: true });
});

async function opened() {
  let problem: string | undefined;
  let paused: string | null = null;
  const key = localKey(ecdsa, secretKey());
  const holder = {
    ...key,
    get problem() {
      return problem;
    },
  };
  const keys = [{ holder, policy: openPolicy }];
  const core = await coreWith({ keys, paused: () => paused, unaudited: () => audit.problem });
  const faults: Error[] = [];
  const fatal = (error: Error) => void faults.push(error);
  const alarms: string[] = [];
  const alarm: RaiseSignerAlarm = (text, code) => alarms.push(`${code}: ${text}`);
  status = new SignerStatus({ core, clock, audit, fatal, alarm, connections: () => 3 });
  const ask = (...requests: Parameters<typeof signFrame>[1]) =>
    answerFrame(core, signFrame(1, requests).subarray(4), {
      report() {},
      ended() {},
      answered: (...frame) => status.answered(...frame),
    });
  return {
    ask,
    alarms,
    faults,
    goAway: (text: string) => {
      problem = text;
    },
    pause: (text: string) => {
      paused = text;
    },
  };
}

test('health, readiness and metrics are answered on a port, and nothing else', async () => {
  const { ask, goAway, pause } = await opened();
  const url = await status.server.listen({ host: '127.0.0.1', port: 0 });
  const get = async (path: string) => {
    const answer = await fetch(url + path);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await get('/healthz')).toEqual({ status: 200, text: 'alive\n' });
  expect(await get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
  await ask(request(envelope(1)), request(envelope(1, spot(51n))));
  status.ended('a frame of 0 bytes');
  goAway('the token was removed');
  pause('a drill');
  expect(await get('/readyz')).toEqual({
    status: 503,
    text: 'paused: a drill\nthe token was removed\n',
  });
  const { text } = await get('/metrics');
  expect(text).toContain('causeway_signer_answers_total{answer="signed"} 1');
  expect(text).toContain('causeway_signer_answers_total{answer="other_digest"} 1');
  expect(text).toContain('causeway_signer_connections 3');
  expect(text).toContain('causeway_signer_connections_ended_total 1');
  expect(text).toContain('causeway_signer_ready 0');
  expect(text).toContain('causeway_audit_records 2');
  expect(text).not.toContain(account);
  expect((await get('/keys')).status).toBe(404);
  expect((await fetch(`${url}/healthz`, { method: 'POST' })).status).toBe(405);
});

test('what was refused is one alarm a minute for each code, and so is what is no frame', async () => {
  const { alarms, ask, pause } = await opened();
  const other = request(envelope(1, spot(51n)));
  const garbage = { ...other, canonical: Buffer.from('garbage') };
  await ask(request(envelope(1)), other, other, garbage, request(envelope(70_000)));
  for (const text of ['a frame of 0 bytes', 'a frame of 1 bytes']) status.ended(text);
  expect(alarms).toEqual([
    `other_digest: not signed: nonce 1 of ${account} was signed for another action`,
    expect.stringMatching(/^unreadable: not signed: /),
    'policy: not signed: nonce 70000 is 69999 above all others, more than 65536',
    'connection_ended: a frame of 0 bytes',
  ]);
  clock.advance(60_000);
  pause('a drill');
  await ask(request(envelope(2)), other);
  status.ended('a frame of 2 bytes');
  expect(alarms.slice(4)).toEqual([
    `other_digest: not signed: nonce 1 of ${account} was signed for another action; 1 more since the last one`,
    'connection_ended: a frame of 2 bytes; 1 more since the last one',
  ]);
});

test('the private socket is for this user alone', async () => {
  await opened();
  const socket = join(directory, 'status.sock');
  await status.server.listenPrivately(socket);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  const code = await new Promise((resolve) => {
    httpRequest({ socketPath: socket, path: '/healthz' }, (response) =>
      resolve(response.resume().statusCode),
    ).end();
  });
  expect(code).toBe(200);
});

test('each request is in the audit log with its answer before the answer leaves, without signature and garbage', async () => {
  const { ask } = await opened();
  const signed = request(envelope(1));
  const garbage = { ...signed, canonical: Buffer.from('\u001b[2J"}') };
  await ask(signed, request(envelope(1, spot(51n))), garbage);
  const [first, second, third] = [...auditRecordsIn(auditDirectoryIn(directory))];
  expect(first).toMatchObject({
    before: Buffer.from(signed.canonical).toString(),
    after: { signed: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(second).toMatchObject({ after: { refused: 'other_digest' } });
  expect(third).toMatchObject({ before: { bytes: 6 }, after: { refused: 'unreadable' } });
});

test('without room for the audit log no signature of an order leaves, those of cancels do, and then all do again', async () => {
  const { ask, faults } = await opened();
  const codes = async (...requests: SignRequest[]) => {
    const answer = await ask(...requests);
    const frame = readAnswer((answer as Buffer).subarray(4), () => 'ecdsa');
    if (frame.kind !== 'signed') throw new Error(frame.kind);
    return frame.results.map((result) => (result.kind === 'signed' ? 'signed' : result.code));
  };
  const [order, other, withdrawal] = [envelope(1), envelope(2), envelope(3, cancel)].map((of) =>
    request(of),
  ) as [SignRequest, SignRequest, SignRequest];
  fillDisk(100);
  expect(await codes(order, withdrawal)).toEqual(['not_recorded', 'signed']);
  expect(await codes(other, withdrawal)).toEqual(['unavailable', 'signed']);
  hasRoomAgain();
  // The first that fits again is answered as before; then orders are signed.
  expect(await codes(withdrawal)).toEqual(['signed']);
  expect(await codes(order, other)).toEqual(['signed', 'signed']);
  expect(faults).toEqual([]);
  const [gap, ...rest] = [...auditRecordsIn(auditDirectoryIn(directory))];
  expect(gap).toMatchObject({ what: 'gap', after: { answersWithoutRecord: 4 } });
  expect(rest).toHaveLength(3);
});

test('nothing is answered once the audit log cannot be written', async () => {
  const { ask, faults } = await opened();
  await audit.close();
  await expect(ask(request(envelope(1)))).rejects.toThrow('EBADF');
  expect(faults).toHaveLength(1);
});
