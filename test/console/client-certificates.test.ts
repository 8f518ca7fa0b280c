/** `console.tls.clientCaFile`: who has no certificate of its authority reads nothing and does nothing. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';
import { Authority, type Identity } from '../transport/authority.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-console-tls-'));
const [authority, other] = [new Authority(), new Authority()];
let desk: ConsoleDesk;

beforeAll(async () => {
  const { cert, key } = authority.issue('localhost');
  const files = { certFile: cert, keyFile: key, clientCaFile: authority.cert };
  const tls = Object.fromEntries(
    Object.entries(files).map(([name, text]) => {
      const file = join(folder, name);
      writeFileSync(file, text, { mode: 0o600 });
      return [name, file];
    }),
  );
  desk = await startConsoleDesk(undefined, { tls });
});

afterAll(async () => {
  await desk.stop();
  for (const one of [authority, other]) one.remove();
  rmSync(folder, { recursive: true });
});

function ask(method: string, path: string, identity: Partial<Identity> = {}): Promise<string> {
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  const options = { method, agent: false, rejectUnauthorized: false, ...identity };
  const sent = request(new URL(path, desk.url), options, (response) => {
    let answer = `${response.statusCode} `;
    response.on('data', (piece) => {
      answer += piece;
    });
    response.on('end', () => resolve(answer));
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

test('a client without a certificate of the authority is refused, whatever it asks', async () => {
  const refused = '403 {"error":"this console requires a client certificate"}';
  for (const identity of [{}, other.issue('stranger')]) {
    for (const path of ['/', '/api/me', '/metrics', '/login/start']) {
      expect([path, await ask('GET', path, identity)]).toEqual([path, refused]);
    }
    expect(await ask('POST', '/api/login', identity)).toBe(refused);
  }
});

test.each([
  ['is refused again', '403 Forbidden', undefined],
  ['is let in again', '200 OK', 'desk'],
])('a client that resumes its TLS session %s: %s', async (_, status, name) => {
  const identity = name === undefined ? {} : authority.issue(name);
  let session: Buffer | undefined;
  const visit = async () => {
    const { port } = new URL(desk.url);
    const socket = connect({ port: Number(port), rejectUnauthorized: false, session, ...identity });
    socket.on('session', (ticket) => {
      session = ticket;
    });
    await once(socket, 'secureConnect');
    const isResumed = socket.isSessionReused();
    socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`);
    const [line = ''] = (await text(socket)).split('\r\n');
    return [isResumed, line];
  };
  expect(await visit()).toEqual([false, `HTTP/1.1 ${status}`]);
  expect(await visit()).toEqual([true, `HTTP/1.1 ${status}`]);
});

test('a client with one opens the page and has to log in', async () => {
  const identity = authority.issue('desk');
  expect(await ask('GET', '/', identity)).toMatch(/^200 <!doctype html>/i);
  expect(await ask('GET', '/api/sessions', identity)).toBe('401 {"error":"log in first"}');
});

test('a supervisor without a certificate still learns whether the bridge lives', async () => {
  expect(await ask('GET', '/healthz')).toBe('200 alive\n');
  expect(await ask('GET', '/readyz')).toMatch(/^(200|503) /);
});
