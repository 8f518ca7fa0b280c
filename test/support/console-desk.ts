/** A bridge with its console on real sockets, and a browser's side of it without a browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { type DemoSession, demoOperator, demoSessions } from '../../src/cli/demo-files.ts';
import { type Bridge, openBridge } from '../../src/console/console.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { FixPeer } from './fix-peer.ts';
import { sandboxProfile, writeQuickFiles } from './quick-files.ts';
import { within } from './waits.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ConsoleDesk {
  readonly bridge: Bridge;
  readonly sandbox: Sandbox;
  readonly sessions: readonly DemoSession[];
  readonly url: string;
  readonly operator: { readonly name: string; readonly token: string };
  /** As the browser would ask, unless `headers` says otherwise. */
  ask(
    method: string,
    path: string,
    headers?: Record<string, string>,
    body?: string,
  ): Promise<Answer>;
  /** Logged in. */
  login(): Promise<Visitor>;
  /** A client of the demo, logged on; its connection is cut when the desk stops. */
  client(senderCompId: string): Promise<FixPeer>;
  stop(): Promise<void>;
}

/** What a page of the console can do. */
export interface Visitor {
  readonly cookie: string;
  readonly csrf: string;
  get<T>(path: string): Promise<T>;
  act(act: object, headers?: Record<string, string>): Promise<Answer>;
}

const profileFile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');

export async function startConsoleDesk(
  roles: readonly string[] = ['operate', 'approve', 'administer'],
  section: object = {},
): Promise<ConsoleDesk> {
  const directory = mkdtempSync(join(tmpdir(), 'causeway-console-'));
  const venue = startSandbox({ seed: 1, makers: false, profile: sandboxProfile });
  const sandbox = await within('the venue has started', venue);
  const file = await writeQuickFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    fixpPort: 0,
    consolePort: 0,
    venueUrl: sandbox.info.baseUrl,
    profileFile,
    accounts: sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(file, 'utf8')) as {
    console: { operators: { roles?: string[] }[] };
  };
  for (const operator of config.console.operators) operator.roles = [...roles];
  const signer = { mode: 'inline', configFile: 'signer.yaml' };
  const all = { ...config, signer, console: { ...config.console, ...section } };
  writeFileSync(file, stringify(all));
  const opened = openBridge({
    loaded: loadConfig(file),
    alarm: () => {},
    notice: () => {},
    fatal(error) {
      throw error;
    },
  });
  const bridge = await within('the bridge is open', opened);
  const url = bridge.consoleUrl ?? '';
  const operator = demoOperator(1);
  const ask: ConsoleDesk['ask'] = (method, path, headers = {}, body) => {
    return asked(url, method, path, headers, body);
  };
  const sessions = demoSessions(1);
  const peers: FixPeer[] = [];
  return {
    bridge,
    sandbox,
    sessions,
    url,
    operator,
    ask,
    login: () => visit(ask, url, operator),
    async client(senderCompId) {
      const session = sessions.find((one) => one.senderCompId === senderCompId);
      if (session === undefined) throw new Error(`no session ${senderCompId}`);
      const peer = await FixPeer.connect(bridge.gateway.port, session);
      peers.push(peer);
      await peer.logon();
      return peer;
    },
    async stop() {
      for (const peer of peers) peer.hangUp();
      await within('the bridge has stopped', bridge.stop());
      await within('the venue has stopped', sandbox.stop());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Logs in at the console of another process, as the operator of the demo. */
export function visitConsole(url: string): Promise<Visitor> {
  const ask: ConsoleDesk['ask'] = (method, path, headers = {}, body) =>
    asked(url, method, path, headers, body);
  return visit(ask, url, demoOperator(1));
}

async function visit(
  ask: ConsoleDesk['ask'],
  url: string,
  operator: ConsoleDesk['operator'],
): Promise<Visitor> {
  const json = { origin: url, 'content-type': 'application/json' };
  const answer = await ask('POST', '/api/login', json, JSON.stringify(operator));
  if (answer.status !== 200) throw new Error(`login: ${answer.text}`);
  const cookie = (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const get = async <T>(path: string) => {
    const { status, text } = await ask('GET', path, { cookie });
    if (status !== 200) throw new Error(`${path}: HTTP ${status} ${text}`);
    return JSON.parse(text) as T;
  };
  const { csrf } = await get<{ readonly csrf: string }>('/api/me');
  return {
    cookie,
    csrf,
    get,
    act: (act, headers) => {
      const all = { ...json, cookie, 'x-causeway-csrf': csrf, ...headers };
      return ask('POST', '/api/act', all, JSON.stringify(act));
    },
  };
}

function asked(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
