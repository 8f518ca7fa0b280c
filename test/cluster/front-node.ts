/**
 * The doors of a node, for tests: a port for FIX and one for FIXP, a relay port, and doors to two shards. Its workers are Unix
 * sockets that send back what comes. Who owns a shard is in rows that the nodes of a test share.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dialer, type NodeTls } from '../../src/cluster/dialer.ts';
import { type Destination, type Entrance, FrontDoor } from '../../src/cluster/front-door.ts';
import type { LaneName } from '../../src/cluster/lanes.ts';
import { NodeAnswers } from '../../src/cluster/node-answers.ts';
import { NodeQuestions, type Offence } from '../../src/cluster/node-questions.ts';
import type { NodeView, Owners } from '../../src/cluster/owners.ts';
import { RelayPort } from '../../src/cluster/relay-port.ts';
import { RemoteDoor } from '../../src/cluster/remote-door.ts';
import { WorkerDoor } from '../../src/cluster/worker-door.ts';
import { PasswordProofs } from '../../src/gateway/passwords/password-proofs.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { Acceptor, type ServerTls } from '../../src/transport/acceptor.ts';
import { type ProxyHeader, readProxyHeader } from '../../src/transport/proxy-header.ts';
import type { Authority, Identity } from '../transport/authority.ts';

export const shards = ['a', 'b'] as const;
const homes: Readonly<Record<string, string>> = { ALPHA: 'a', BRAVO: 'b', delta: 'a', echo: 'b' };

export class Rows implements Owners {
  readonly nodes: NodeView[] = [];
  readonly #owned = new Map<string, { readonly node: string; readonly epoch: number }>();
  readonly #callbacks = new Set<() => void>();
  readonly #silent = new Set<string>();

  ownerOf(shard: string) {
    const row = this.#owned.get(shard);
    const node = this.nodes.find((one) => one.node === row?.node);
    return row && node && { node, epoch: row.epoch };
  }

  isNode(name: string): boolean {
    return this.#silent.has(name) || this.nodes.some(({ node }) => node === name);
  }

  /** It announces itself no more, and is still a node. */
  silence(name: string): void {
    this.#silent.add(name);
    this.remove(name);
  }

  remove(name: string): void {
    this.nodes.splice(0, this.nodes.length, ...this.nodes.filter(({ node }) => node !== name));
    for (const callback of [...this.#callbacks]) callback();
  }

  whenChanged(callback: () => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }

  get watched(): number {
    return this.#callbacks.size;
  }

  own(shard: string, node: string | undefined, epoch: number): void {
    if (node === undefined) this.#owned.delete(shard);
    else this.#owned.set(shard, { node, epoch });
    for (const callback of [...this.#callbacks]) callback();
  }

  announce(view: Pick<NodeView, 'node' | 'relay'> & Partial<NodeView>): void {
    const rest = { fix: '', fixp: '', version: '', isDraining: false, serving: [], ageMs: 0 };
    const others = this.nodes.filter(({ node }) => node !== view.node);
    this.nodes.splice(0, this.nodes.length, ...others, { ...rest, ...view });
  }
}

/** A test needs the same names again and again, and each takes two runs of openssl. */
const issued = new WeakMap<Authority, Map<string, Identity>>();

function issuedTo(name: string, authority: Authority): Identity {
  const before = issued.get(authority) ?? new Map<string, Identity>();
  const identity = before.get(name) ?? authority.issue(name);
  issued.set(authority, before.set(name, identity));
  return identity;
}

export interface FrontNodeOptions {
  readonly name: string;
  readonly authority: Authority;
  readonly rows: Rows;
  readonly clock?: Clock;
  readonly clientTls?: ServerTls;
  readonly maxRelays?: number;
  /** In the place of sending everything back. */
  readonly onClient?: (socket: Socket) => void;
}

export class FrontNode {
  readonly name: string;
  readonly tls: NodeTls;
  readonly locals = new Map(shards.map((shard) => [shard as string, new WorkerDoor(systemClock)]));
  readonly remotes = new Map<string, RemoteDoor>();
  readonly questions: NodeQuestions;
  readonly relay: RelayPort;
  readonly notices: string[] = [];
  /** Of connections that the workers got. */
  readonly headers: Extract<ProxyHeader, { kind: 'header' }>[] = [];
  /** Shards that other nodes are about to give up. */
  readonly readAhead: string[] = [];
  /** To serve what it has read. */
  isReady = true;
  readonly offences: Offence[] = [];
  readonly proofs = new PasswordProofs();
  readonly acceptors = {} as Record<LaneName, Acceptor<Entrance>>;
  readonly ports = { fix: 0, fixp: 0, relay: 0 };
  readonly sockets = new Set<Socket>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'front-node-'));
  readonly #worker;

  static async open(options: FrontNodeOptions): Promise<FrontNode> {
    const node = new FrontNode(options);
    node.#worker.listen(join(node.#folder, 'worker'));
    await once(node.#worker, 'listening');
    for (const lane of ['fix', 'fixp'] as const) {
      node.ports[lane] = await node.acceptors[lane].listen();
    }
    node.ports.relay = await node.relay.listen();
    options.rows.announce({ node: node.name, relay: `127.0.0.1:${node.ports.relay}` });
    return node;
  }

  private constructor(options: FrontNodeOptions) {
    const { authority, clientTls, clock = systemClock, maxRelays = 500, name, rows } = options;
    const { cert, key } = issuedTo(name, authority);
    const [ca, own] = [Buffer.from(authority.cert), { cert, key }];
    this.name = name;
    this.tls = { ca, cert: Buffer.from(own.cert), key: Buffer.from(own.key) };
    const dialer = new Dialer(this.tls);
    for (const [shard, local] of this.locals) {
      const about = { shard, node: name, local, owners: rows, dialer, clock };
      this.remotes.set(shard, new RemoteDoor(about));
    }
    this.questions = new NodeQuestions({ node: name, owners: rows, dialer, clock });
    const answers = new NodeAnswers({
      ...{ owners: rows, shards, proofs: this.proofs },
      offended: (offence) => void this.offences.push(offence),
      readAhead: async (shard) => {
        this.readAhead.push(shard);
        return this.isReady ? undefined : 'its signer is away';
      },
    });
    const notice = (text: string) => void this.notices.push(text);
    this.relay = new RelayPort({
      ...{ host: '127.0.0.1', port: 0, tls: this.tls, clock, notice, holdMs: 5_000 },
      maxConnections: maxRelays,
      local: inside(this.locals),
      owners: rows,
      responds: (other) => this.questions.responds(other),
      answer: answers.take,
    });
    for (const lane of ['fix', 'fixp'] as const) {
      const door = new FrontDoor({ lane, clock, holdMs: 5_000, ...inside(this.remotes) });
      this.acceptors[lane] = new Acceptor({
        ...{ host: '127.0.0.1', port: 0, clock, reception: door },
        attach: (entrance, link, first) => door.attach(entrance, link, first),
        ...(clientTls && { tls: clientTls }),
      });
    }
    const onClient = options.onClient ?? ((socket) => void socket.pipe(socket));
    this.#worker = createServer({ allowHalfOpen: true }, (socket) =>
      this.#arrived(socket, onClient),
    );
  }

  /** A worker for the shard is here from now on. */
  serve(shard: string): void {
    const path = join(this.#folder, 'worker');
    this.locals.get(shard)?.open({ doors: { fix: path, fixp: path }, send: () => {} });
  }

  remote(shard: string): RemoteDoor {
    const door = this.remotes.get(shard);
    if (door === undefined) throw new Error(`no shard ${shard}`);
    return door;
  }

  /** Its worker's connections end, as if the process had died. */
  dropClients(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    if (!this.#worker.listening) return;
    this.dropClients();
    const ports = [...Object.values(this.acceptors), this.relay].map((port) => port.close());
    await Promise.all([...ports, new Promise((resolve) => this.#worker.close(resolve))]);
    rmSync(this.#folder, { recursive: true });
  }

  #arrived(socket: Socket, onClient: (socket: Socket) => void): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.sockets.delete(socket));
    let seen = Buffer.alloc(0);
    const onData = (piece: Buffer) => {
      seen = Buffer.concat([seen, piece]);
      const header = readProxyHeader(seen);
      if (header.kind === 'more') return;
      socket.off('data', onData);
      if (header.kind === 'bad') throw new Error(header.reason);
      this.headers.push(header);
      socket.unshift(seen.subarray(header.size));
      onClient(socket);
    };
    socket.on('data', onData);
  }
}

function inside(doors: ReadonlyMap<string, Destination>) {
  return {
    find: (_: LaneName, name: string) => doors.get(homes[name] ?? ''),
    all: () => [...doors.values()],
  };
}
