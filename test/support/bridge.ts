/** The whole bridge and the venue in this process, on real sockets and files, as an operator would configure them. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type DemoSession, demoSessions } from '../../src/cli/demo-files.ts';
import type { Observer } from '../../src/gateway/account/observer.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import { type Outside, realOutside } from '../../src/gateway/outside.ts';
import type { ScryptCost } from '../../src/gateway/passwords/secret-hash.ts';
import type { LineFacts } from '../../src/runtime/operator-line.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from './quick-files.ts';
import { within } from './waits.ts';

export interface BridgeOptions {
  readonly seed?: number;
  /** How much the venue keeps. */
  readonly retention?: SandboxOptions['retention'];
  /** Merged into the top level of the configuration. */
  readonly config?: object;
  /** Merged into each session of the configuration. */
  readonly session?: object;
  /** The bridge's venue profile; when absent the shipped one, but that the gate need not wait for seconds to open. */
  readonly profileFile?: string;
  readonly observer?: Observer;
  /** Of each check of a password; when absent next to nothing. */
  readonly passwordCost?: ScryptCost;
  /** What the bridge reaches by other means than the real ones. */
  readonly outside?: Partial<Outside>;
}

export interface Bridge {
  readonly sandbox: Sandbox;
  /** The one that runs now. */
  readonly gateway: Gateway;
  readonly configFile: string;
  readonly sessions: readonly DemoSession[];
  /** The session of a client: ALPHA, unless another is named. */
  user(senderCompId?: string): DemoSession;
  readonly alarms: readonly string[];
  /** Facts of every line for the operator. */
  readonly lines: readonly LineFacts[];
  /** A route of the venue's operator. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** The bridge goes down in good order and begins again on its files; the venue goes on, `meanwhile` too. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** A configuration in which ALPHA trades over FIX and BRAVO over FIXP. */
export function bothLanes(more: object = {}): object {
  const sessions = demoSessions(1)
    .filter(({ role }) => role === 'order-entry')
    .map(({ targetCompId, senderCompId, role, accounts, username }) => ({
      senderCompId,
      role,
      accounts,
      ...(senderCompId === 'BRAVO' ? { protocol: 'fixp' } : { targetCompId, allowReset: true }),
      users: [username],
      actions: ['order'],
      ...more,
    }));
  return { fixp: { listen: { port: 0 } }, sessions };
}

export async function startBridge(options: BridgeOptions = {}): Promise<Bridge> {
  const seed = options.seed ?? 1;
  const directory = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  const { retention } = options;
  const venue = startSandbox({
    seed,
    profile: sandboxProfile,
    makers: false,
    ...(retention && { retention }),
  });
  const sandbox = await within('the venue has started', venue);
  const file = await writeQuickFiles(
    {
      directory,
      seed,
      fixHost: '127.0.0.1',
      fixPort: 0,
      venueUrl: sandbox.info.baseUrl,
      profileFile: options.profileFile ?? quickProfile(directory),
      accounts: sandbox.info.accounts,
      cancelOnDisconnect: false,
    },
    options.passwordCost,
  );
  const config = parse(readFileSync(file, 'utf8')) as { sessions: object[] };
  const sessions = config.sessions.map((session) => ({ ...session, ...options.session }));
  const signer = { mode: 'inline', configFile: 'signer.yaml' };
  // No test takes the power away, and to fill and sync segments of 8 MiB costs more than the rest of a start.
  const durability = 'process';
  appendFileSync(join(directory, 'signer.yaml'), `\ndurability: ${durability}\n`);
  writeFileSync(file, stringify({ ...config, durability, signer, sessions, ...options.config }));
  const alarms: string[] = [];
  const lines: LineFacts[] = [];
  const opened = () =>
    Gateway.open({
      loaded: loadConfig(file),
      alarm: (text, facts) => {
        alarms.push(text);
        lines.push(facts);
      },
      notice: (_, facts) => void lines.push(facts),
      ...(options.observer && { observer: options.observer }),
      outside: { ...realOutside, ...options.outside },
      fatal(error) {
        throw error;
      },
    });
  const open = () => within('the bridge is open', opened());
  const stop = () => within('the bridge has stopped', gateway.stop());
  let gateway = await open();
  const demo = demoSessions(seed);
  return {
    sandbox,
    get gateway() {
      return gateway;
    },
    configFile: file,
    sessions: demo,
    user(senderCompId = 'ALPHA') {
      const found = demo.find((session) => session.senderCompId === senderCompId);
      if (found === undefined) throw new Error(`no session ${senderCompId}`);
      return found;
    },
    alarms,
    lines,
    async admin(method, path, body) {
      const answer = await fetch(`${sandbox.info.adminUrl}${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: HTTP ${answer.status} ${text}`);
      return text === '' ? undefined : JSON.parse(text);
    },
    async restart(meanwhile) {
      await stop();
      await meanwhile?.();
      gateway = await open();
    },
    async stop() {
      await stop();
      await within('the venue has stopped', sandbox.stop());
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
