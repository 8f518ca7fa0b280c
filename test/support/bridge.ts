/** The whole bridge and the venue in this process, on real sockets and files, as an operator would configure them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { type DemoSession, demoSessions, writeDemoFiles } from '../../src/cli/demo-files.ts';
import { loadConfig } from '../../src/gateway/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';
import type { Observer } from '../../src/gateway/observer.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';

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
}

export interface Bridge {
  readonly sandbox: Sandbox;
  /** The one that runs now. */
  readonly gateway: Gateway;
  readonly configFile: string;
  readonly sessions: readonly DemoSession[];
  readonly alarms: readonly string[];
  /** A route of the venue's operator. */
  admin(method: string, path: string, body?: object): Promise<unknown>;
  /** The bridge goes down in good order and begins again on its files; the venue goes on, `meanwhile` too. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const shippedProfile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const quickGate = { pollMs: 100, goodPollApartMs: 100 };

/** The shipped profile, but that the gate need not wait for seconds to open. */
export function quickProfile(directory: string): string {
  const profile = parse(readFileSync(shippedProfile, 'utf8')) as { gate: object };
  const file = join(directory, 'venue.yaml');
  writeFileSync(file, stringify({ ...profile, gate: { ...profile.gate, ...quickGate } }));
  return file;
}

export async function startBridge(options: BridgeOptions = {}): Promise<Bridge> {
  const seed = options.seed ?? 1;
  const directory = mkdtempSync(join(tmpdir(), 'causeway-test-'));
  const sandbox = await startSandbox({
    seed,
    makers: false,
    ...(options.retention && { retention: options.retention }),
  });
  const file = await writeDemoFiles({
    directory,
    seed,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: sandbox.info.baseUrl,
    profileFile: options.profileFile ?? quickProfile(directory),
    accounts: sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  const config = parse(readFileSync(file, 'utf8')) as { sessions: object[] };
  const sessions = config.sessions.map((session) => ({ ...session, ...options.session }));
  const signer = { mode: 'inline', configFile: 'signer.yaml' };
  writeFileSync(file, stringify({ ...config, signer, sessions, ...options.config }));
  const alarms: string[] = [];
  const open = () =>
    Gateway.open({
      loaded: loadConfig(file),
      alarm: (text) => alarms.push(text),
      notice: () => {},
      ...(options.observer && { observer: options.observer }),
      fatal(error) {
        throw error;
      },
    });
  let gateway = await open();
  return {
    sandbox,
    get gateway() {
      return gateway;
    },
    configFile: file,
    sessions: demoSessions(seed),
    alarms,
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
      await gateway.stop();
      await meanwhile?.();
      gateway = await open();
    },
    async stop() {
      await gateway.stop();
      await sandbox.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
