/** Login through a real OpenID provider (the certified `oidc-provider`) on this machine, as a browser does it. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error: the package has no types.
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../src/runtime/free-port.ts';
import { type ConsoleDesk, startConsoleDesk } from '../support/console-desk.ts';

const groups: Readonly<Record<string, readonly string[]>> = {
  ann: ['trading-ops'],
  vic: ['support', 'unknown'],
  eve: ['unknown'],
};
const secret = 'a-secret-of-the-client-0123456789';
let desk: ConsoleDesk;
let server: Server;
let directory: string;
let isDown = false;

beforeAll(async () => {
  const port = await freePort({ host: '127.0.0.1', port: 0 });
  const consolePort = await freePort({ host: '127.0.0.1', port: 0 });
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'causeway',
        client_secret: secret,
        redirect_uris: [`http://127.0.0.1:${consolePort}/login/callback`],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'roles'] },
    cookies: { keys: ['a key of this test'] },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, roles: groups[sub] }),
    }),
  });
  const answer = provider.callback();
  server = createServer((request, response) => {
    if (isDown && request.url === '/token') request.socket.destroy();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  expect((server.address() as AddressInfo).port).toBe(port);
  directory = mkdtempSync(join(tmpdir(), 'causeway-oidc-'));
  const clientSecretFile = join(directory, 'secret');
  writeFileSync(clientSecretFile, secret, { mode: 0o600 });
  desk = await startConsoleDesk(undefined, {
    listen: { host: '127.0.0.1', port: consolePort },
    oidc: {
      issuer,
      clientId: 'causeway',
      clientSecretFile,
      roles: { 'trading-ops': ['operate', 'approve'], support: [] },
      label: 'Log in with the test provider',
    },
  });
});

afterAll(async () => {
  await desk.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

/** A browser without scripts: it keeps cookies by host and follows redirections. */
class Browser {
  readonly #cookies = new Map<string, Map<string, string>>();

  async get(
    url: string,
    body?: URLSearchParams,
  ): Promise<{ url: string; text: string; status: number }> {
    let next = new URL(url);
    let form = body;
    for (let step = 0; step < 12; step += 1) {
      const jar = this.#cookies.get(next.origin) ?? new Map<string, string>();
      this.#cookies.set(next.origin, jar);
      const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie },
        ...(form && { method: 'POST', body: form }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null)
        return { url: next.href, text: await response.text(), status: response.status };
      next = new URL(location, next);
      form = undefined;
    }
    throw new Error('too many redirections');
  }

  /** Up to the provider's page of consent, whose form sends the browser back to the console. */
  async consents(login: string): Promise<readonly [action: string, form: URLSearchParams]> {
    const asked = await this.get(`${desk.url}/login/start`);
    const action = (page: string) => /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const form = new URLSearchParams({ prompt: 'login', login, password: 'any' });
    const consent = await this.get(new URL(action(asked.text), asked.url).href, form);
    const url = new URL(action(consent.text), consent.url).href;
    return [url, new URLSearchParams({ prompt: 'consent' })];
  }

  async logsIn(login: string): Promise<string> {
    return (await this.get(...(await this.consents(login)))).url;
  }

  async me(): Promise<{ who: string; roles: string[] } | null> {
    return JSON.parse((await this.get(`${desk.url}/api/me`)).text);
  }
}

test('a person whom the provider identifies is logged in with the roles of the claims, and the login is recorded', async () => {
  const browser = new Browser();
  expect(await browser.logsIn('ann')).toBe(`${desk.url}/`);
  expect(await browser.me()).toMatchObject({ who: 'ann', roles: ['operate', 'approve'] });
  const audit = await browser.get(`${desk.url}/api/audit?limit=1`);
  expect(audit.text).toContain('the OpenID provider identified ann');
  const viewer = new Browser();
  await viewer.logsIn('vic');
  expect(await viewer.me()).toMatchObject({ who: 'vic', roles: [] });
});

test('a person without a role of this console is refused, with the reason', async () => {
  const browser = new Browser();
  expect(await browser.logsIn('eve')).toBe(`${desk.url}/?login=no_role`);
  expect(await browser.me()).toBeNull();
});

test('a login that another browser began, a code that is used twice and a forged one are refused', async () => {
  const [victim, attacker] = [new Browser(), new Browser()];
  const [action, form] = await attacker.consents('ann');
  const stolen = await attacker.get(action, form);
  expect(stolen.url).toBe(`${desk.url}/`);
  expect((await victim.get(`${desk.url}/login/callback?code=x&state=y`)).url).toContain(
    'login=expired',
  );
  await victim.get(`${desk.url}/login/start`);
  expect((await victim.get(`${desk.url}/login/callback?code=x&state=y`)).url).toContain(
    'login=expired',
  );
  expect(await victim.me()).toBeNull();
});

test('the page offers the provider, and while it does not answer, a token of the console still works', async () => {
  const browser = new Browser();
  const ways = await browser.get(`${desk.url}/api/login-ways`);
  expect(JSON.parse(ways.text)).toEqual({ oidc: 'Log in with the test provider' });
  const [action, form] = await browser.consents('ann');
  isDown = true;
  try {
    expect((await browser.get(action, form)).url).toBe(`${desk.url}/?login=refused`);
    const visitor = await desk.login();
    expect(await visitor.get('/api/me')).toMatchObject({ who: 'demo' });
  } finally {
    isDown = false;
  }
});
