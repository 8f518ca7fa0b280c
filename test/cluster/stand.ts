/** A node with two shards as an operator would run it: processes, files, a signer of its own, and the venue. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { CertifySigner } from '../../src/cli/certify/signer.ts';
import {
  type DemoFixpSession,
  type DemoSession,
  demoFixpSessions,
  demoSessions,
} from '../../src/cli/demo-files.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import type { FixPeer } from '../support/fix-peer.ts';
import { fieldOf } from '../support/fix-peer.ts';
import type { FixpPeer } from '../support/fixp-peer.ts';
import { causeway } from '../support/program.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';
import { RunProcess } from '../support/run-process.ts';
import { until } from '../support/waits.ts';
import { Authority } from '../transport/authority.ts';

const seed = 1;
const host = '127.0.0.1';
export const order = '55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now';

function named<S>(sessions: readonly S[], isIt: (session: S) => boolean): S {
  const found = sessions.find(isIt);
  if (found === undefined) throw new Error('the demo has no such session');
  return found;
}

const fix = (id: string): DemoSession =>
  named(demoSessions(seed), ({ senderCompId }) => senderCompId === id);
const fixp = (id: string): DemoFixpSession =>
  named(demoFixpSessions(seed), ({ name }) => name === id);
/** Of desk-a, and of desk-b, on both lanes. */
export const clients = {
  alpha: fix('ALPHA'),
  charlie: fix('CHARLIE'),
  bravo: fix('BRAVO'),
  delta: fixp('DELTA'),
  echo: fixp('ECHO'),
} as const;

export interface ShardRow {
  readonly name: string;
  readonly state: string;
  readonly pid: number;
  readonly consoleUrl?: string;
  readonly handed: number;
  readonly relayed: number;
  readonly unanswered: number;
}

interface BridgeFile {
  readonly sessions: readonly { readonly role: string; readonly senderCompId: string }[];
}

export class Stand {
  readonly sandbox: Sandbox;
  readonly directory: string;
  readonly bridgeFile: string;
  readonly clusterFile: string;
  readonly signer: CertifySigner;
  readonly #processes: RunProcess[] = [];

  /** `bridge` and `cluster` are merged into the top levels of the two configurations. */
  static async open(
    bridge: (before: BridgeFile) => object = () => ({}),
    cluster: object = {},
  ): Promise<Stand> {
    const sandbox = await startSandbox({ seed, profile: sandboxProfile, makers: false });
    const directory = mkdtempSync(join(tmpdir(), 'node-'));
    const bridgeFile = await writeQuickFiles({
      directory,
      seed,
      fixHost: host,
      fixPort: 0,
      fixpPort: 0,
      consolePort: 0,
      venueUrl: sandbox.info.baseUrl,
      profileFile: quickProfile(directory),
      accounts: sandbox.info.accounts,
      cancelOnDisconnect: false,
    });
    const config = parse(readFileSync(bridgeFile, 'utf8')) as BridgeFile;
    const sessions = config.sessions.filter(({ role }) => role === 'order-entry');
    const changed = {
      ...config,
      sessions,
      signer: { mode: 'process', socket: 'signer.sock' },
      shutdownGraceMs: 2_000,
      ...bridge({ ...config, sessions }),
    };
    writeFileSync(bridgeFile, stringify(changed), { mode: 0o600 });
    const clusterFile = join(directory, 'cluster.yaml');
    const names = ['n1', 'n2'];
    // Nodes with one database need to reach each other.
    const relays = 'store' in changed ? writeRelays(directory, names) : {};
    const whole = {
      bridge: 'gateway.yaml',
      nodes: names.map((name) => ({ name, status: { listen: { port: 0 } }, ...relays[name] })),
      ...cluster,
    };
    writeFileSync(clusterFile, stringify(whole));
    const signer = new CertifySigner(join(directory, 'signer.yaml'));
    await signer.start();
    return new Stand({ sandbox, directory, bridgeFile, clusterFile, signer });
  }

  private constructor(parts: {
    readonly sandbox: Sandbox;
    readonly directory: string;
    readonly bridgeFile: string;
    readonly clusterFile: string;
    readonly signer: CertifySigner;
  }) {
    this.sandbox = parts.sandbox;
    this.directory = parts.directory;
    this.bridgeFile = parts.bridgeFile;
    this.clusterFile = parts.clusterFile;
    this.signer = parts.signer;
  }

  /** `program` is the `main.ts` of another version. */
  node(name = 'n1', program?: string, env?: NodeJS.ProcessEnv): RunProcess {
    const options = ['--name', name];
    return this.started(new RunProcess(this.clusterFile, options, [], 'node', program, env));
  }

  /** The same bridge as one process. */
  bridge(): RunProcess {
    return this.started(new RunProcess(this.bridgeFile));
  }

  change(file: string, changes: object): void {
    const config = parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, stringify({ ...config, ...changes }), { mode: 0o600 });
  }

  /** The file with the hash of this user's password. */
  secretHash(username: string): string {
    return join(this.directory, 'secrets', `${username}.hash`);
  }

  /** The file of the same cluster on another machine. */
  withDataDir(dataDir: string): string {
    const write = (name: string, file: string, changes: object) => {
      const config = parse(readFileSync(file, 'utf8')) as object;
      const path = join(this.directory, `${dataDir}-${name}`);
      writeFileSync(path, stringify({ ...config, ...changes }), { mode: 0o600 });
      return path;
    };
    write('gateway.yaml', this.bridgeFile, { dataDir });
    return write('cluster.yaml', this.clusterFile, { bridge: `${dataDir}-gateway.yaml` });
  }

  async shards(node = 'n1'): Promise<readonly ShardRow[]> {
    const answer = await causeway('node', 'status', '--config', this.clusterFile, '--name', node);
    return JSON.parse(answer.stdout || '[]') as ShardRow[];
  }

  /** Resolves once the node has no shard any more. */
  async drain(node = 'n1'): Promise<void> {
    await causeway('node', 'drain', '--config', this.clusterFile, '--name', node);
  }

  async shard(name: string, node = 'n1'): Promise<ShardRow> {
    return named(await this.shards(node), (row) => row.name === name);
  }

  /** Resolves once the worker of the shard is another process than `pid`, and serves. */
  async served(name: string, pid = 0, node = 'n1'): Promise<ShardRow> {
    for (;;) {
      const rows = await this.shards(node);
      const row = rows.find((one) => one.name === name);
      if (row !== undefined && row.state === 'serving' && row.pid !== pid) return row;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  get venue() {
    return this.sandbox.venue.state.exchange;
  }

  async stop(): Promise<void> {
    for (const process of this.#processes) await process.kill();
    await this.signer.stop();
    await this.sandbox.stop();
    // Workers whose node was killed are about to end.
    await until(() => {
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 20 });
      return true;
    });
  }

  started(process: RunProcess): RunProcess {
    this.#processes.push(process);
    return process;
  }
}

/** Certificates of one authority, in the directory; the section of each node that names its own. */
function writeRelays(directory: string, names: readonly string[]): Record<string, object> {
  const authority = new Authority();
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return name;
  };
  const caFile = file('cluster-ca.crt', authority.cert);
  const sections = names.map((name) => {
    const { cert, key } = authority.issue(name);
    const [certFile, keyFile] = [file(`${name}.crt`, cert), file(`${name}.key`, key)];
    return [name, { relay: { listen: { port: 0 }, tls: { caFile, certFile, keyFile } } }] as const;
  });
  authority.remove();
  return Object.fromEntries(sections);
}

/** The next report of an order with this ExecType(150). */
export const reported = (peer: FixPeer | FixpPeer, clOrdId: string, execType: string) =>
  peer.next((text) => fieldOf(text, '11') === clOrdId && fieldOf(text, '150') === execType);
