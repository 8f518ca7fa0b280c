/** A node of two shards with data directories in this process, whose workers are processes that serve nothing (shard-worker.ts). */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ClusterNode } from '../../src/cluster/node.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { type SandboxInfo, startSandbox } from '../../src/sandbox/server.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';
import { until } from '../support/waits.ts';

const host = '127.0.0.1';
const worker = join(import.meta.dirname, 'shard-worker.ts');

/** Of the venue for which the demo has files; no test here needs the venue itself. */
let accounts: Promise<SandboxInfo['accounts']> | undefined;

async function sandboxAccounts(): Promise<SandboxInfo['accounts']> {
  const sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  await sandbox.stop();
  return sandbox.info.accounts;
}

interface SmallSession {
  readonly senderCompId: string;
  readonly role: string;
  readonly accounts: readonly string[];
}

interface SmallBridge {
  readonly sessions: readonly SmallSession[];
}

export class SmallNode {
  readonly directory: string;
  readonly clusterFile: string;
  readonly node: ClusterNode;
  readonly alarms: string[] = [];
  readonly notices: string[] = [];

  /** The node of the files, which is not open yet; with `slow` its workers do not serve before they are reloaded. */
  static async make(manner: 'quick' | 'slow' = 'quick'): Promise<SmallNode> {
    const directory = mkdtempSync(join(tmpdir(), 'small-node-'));
    accounts ??= sandboxAccounts();
    const bridgeFile = await writeQuickFiles({
      ...{ directory, seed: 1, fixHost: host, fixPort: 0, fixpPort: 0 },
      ...{ venueUrl: 'http://127.0.0.1:1', profileFile: quickProfile(directory) },
      ...{ accounts: await accounts, cancelOnDisconnect: false },
    });
    const config = parse(readFileSync(bridgeFile, 'utf8')) as SmallBridge;
    const changed = {
      ...config,
      signer: { mode: 'process', socket: 'signer.sock' },
      sessions: config.sessions.filter(({ role }) => role === 'order-entry'),
    };
    writeFileSync(bridgeFile, stringify(changed), { mode: 0o600 });
    const cluster = { bridge: 'gateway.yaml', nodes: [{ name: 'n1' }] };
    writeFileSync(join(directory, 'cluster.yaml'), stringify(cluster));
    writeFileSync(join(directory, 'notes'), '');
    return new SmallNode(directory, manner);
  }

  private constructor(directory: string, manner: string) {
    this.directory = directory;
    this.clusterFile = join(directory, 'cluster.yaml');
    this.node = this.again(manner);
  }

  /** Another node with the same files. */
  again(manner = 'quick'): ClusterNode {
    return new ClusterNode({
      ...{ clusterFile: this.clusterFile, name: 'n1', version: '1.2.3', clock: systemClock },
      worker: [worker, join(this.directory, 'notes'), manner],
      alarm: (text) => void this.alarms.push(text),
      notice: (text) => void this.notices.push(text),
    });
  }

  async open(): Promise<void> {
    await this.node.open();
    await until(() => this.node.notReady.length === 0);
  }

  /** What the workers were asked for, in order. */
  get notes(): readonly string[] {
    return readFileSync(join(this.directory, 'notes'), 'utf8').trim().split('\n');
  }

  /** Changes the file, and returns what changes it back. */
  changeSessions(
    change: (sessions: readonly SmallSession[]) => readonly SmallSession[],
  ): () => void {
    const file = join(this.directory, 'gateway.yaml');
    const before = readFileSync(file, 'utf8');
    const config = parse(before) as SmallBridge;
    const changed = { ...config, sessions: change(config.sessions) };
    writeFileSync(file, stringify(changed), { mode: 0o600 });
    return () => writeFileSync(file, before, { mode: 0o600 });
  }

  /** All that comes back for a Logon of this SenderCompID(49): the shard's answer, or nothing if the node refused it. */
  logon(client: string, password = 'right'): Promise<string> {
    const fields = `A|34=1|98=0|108=30|553=${client}|554=${password}`;
    const bytes = clientBytes(fields, { client, server: 'CAUSEWAY' }, 0);
    return this.answer('fix', Buffer.from(bytes));
  }

  async answer(lane: 'fix' | 'fixp', bytes: Buffer): Promise<string> {
    const socket = connect({ host, port: this.node.ports[lane] });
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1');
    });
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  }

  async close(): Promise<void> {
    await this.node.close();
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 20 });
  }
}
