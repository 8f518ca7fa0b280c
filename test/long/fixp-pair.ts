/** A FIXP client and a bridge, at the ends of a line that is cut while either may die (`crash-line.ts`). */
import type { FixpApplication } from '../../src/fixp/application.ts';
import { FixpClientSession } from '../../src/fixp/client-session.ts';
import { Deframer, framed } from '../../src/fixp/framing.ts';
import { FixpServerSession } from '../../src/fixp/server-session.ts';
import type { CoreParts } from '../../src/fixp/session-core.ts';
import { type SeqRange, SessionIds } from '../../src/fixp/session-ids.ts';
import { readSessionMessage, writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { fixpSettings } from '../../src/fixp/settings.ts';
import { PendingVerdict } from '../../src/transport/pending-verdict.ts';
import type { Effects, SessionWrite } from '../../src/transport/session.ts';
import { application, applicationMessage, applicationText } from '../acceptance/fixp/script.ts';
import {
  CrashLine,
  End,
  type Faults,
  type Greeting,
  type Keeper,
  KeptMessages,
  type World,
} from './crash-line.ts';

type FixpSession = FixpServerSession | FixpClientSession;

const common = {
  principal: 'CLIENT',
  applicationSchemas: new Set([application.schema]),
  maxRetransmitCount: 7,
  maxQueuedMessages: 5,
  maxFutileRequests: 1_000,
  maxGaps: 100_000,
  keepaliveMs: 10_000,
};

/** The disk of one end; what its application keeps is saved as a whole. */
class FixpDisk<S extends FixpSession, State> implements Keeper<S> {
  readonly #kept = new KeptMessages();
  readonly #create: (parts: Omit<CoreParts, 'settings' | 'application'>) => S;
  #ids: Uint8Array | undefined;
  #savedIds: Uint8Array | undefined;
  #saved: State;
  state: State;

  constructor(state: State, create: (parts: Omit<CoreParts, 'settings' | 'application'>) => S) {
    this.state = state;
    this.#saved = structuredClone(state);
    this.#create = create;
  }

  build(effects: Effects): S {
    const saveIds = (record: Uint8Array) => {
      this.#ids = record;
    };
    const ids = new SessionIds(this.#savedIds);
    return this.#create({ effects, start: this.#kept.numbers, ids, saveIds });
  }

  commit(write: SessionWrite): void {
    const isKept = write.kind === 'messages' || write.kind === 'numbers';
    if (!isKept) throw new Error(`a FIXP session records no ${write.kind}`);
    this.#kept.commit(write);
  }

  save(): void {
    this.#savedIds = this.#ids;
    this.#saved = structuredClone(this.state);
  }

  restore(): void {
    this.#ids = this.#savedIds;
    this.state = structuredClone(this.#saved);
  }

  message(seq: number): Uint8Array | undefined {
    return this.#kept.get(seq);
  }

  held(): never {
    throw new Error('no message of FIXP waits without a number');
  }
}

export class FixpBridge implements FixpApplication {
  readonly end: End<FixpServerSession>;
  readonly #world: World;
  readonly #disk = new FixpDisk(
    { sent: 0, told: new Set<string>() },
    (parts) => new FixpServerSession({ ...parts, settings, application: this }),
  );

  constructor(world: World) {
    this.#world = world;
    this.end = new End(world, this.#disk);
  }

  get state() {
    return this.#disk.state;
  }

  say(): void {
    this.end.turn((session) => {
      this.state.sent += 1;
      session.send(applicationMessage(String(this.state.sent)), this.#world.clock.now());
    });
  }

  /** Whatever the client sends again, it is acted on once. */
  onMessage(message: Uint8Array): void {
    const text = applicationText(message);
    if (this.state.told.has(text)) throw new Error(`order ${text} was acted on twice`);
    this.state.told.add(text);
  }
}

interface ClientState {
  said: number;
  told: number;
  /** Not sent yet, or not applied and to be sent again. */
  readonly waiting: string[];
  /** What was sent under this session id, by its number. */
  readonly sent: Map<number, string>;
}

export class FixpClient implements FixpApplication {
  readonly end: End<FixpClientSession>;
  readonly #world: World;
  readonly #disk = new FixpDisk<FixpClientSession, ClientState>(
    { said: 0, told: 0, waiting: [], sent: new Map() },
    (parts) => new FixpClientSession({ ...parts, settings: clientSettings, application: this }),
  );

  constructor(world: World) {
    this.#world = world;
    this.end = new End(world, this.#disk);
  }

  get state(): ClientState {
    return this.#disk.state;
  }

  say(): void {
    this.end.turn(() => {
      this.state.said += 1;
      this.state.waiting.push(`order ${this.state.said}`);
      this.#send();
    });
  }

  finish(): void {
    this.end.turn((session) => session.finish(this.#world.clock.now()));
  }

  onEstablished(): void {
    if (this.end.session.nextOut === 1) this.state.sent.clear();
    this.#send();
  }

  onMessage(message: Uint8Array): void {
    const number = Number(applicationText(message));
    if (number !== this.state.told + 1) throw new Error(`told ${number} after ${this.state.told}`);
    this.state.told = number;
  }

  onNotApplied({ fromSeq, toSeq }: SeqRange): void {
    for (let seq = fromSeq; seq <= toSeq; seq += 1) {
      const text = this.state.sent.get(seq);
      if (text !== undefined) this.state.waiting.push(text);
    }
    this.#send();
  }

  #send(): void {
    const { session } = this.end;
    const { waiting, sent } = this.state;
    while (waiting.length > 0) {
      const seq = session.nextOut;
      const [text = ''] = waiting;
      if (session.send(applicationMessage(text), this.#world.clock.now()) !== 'sent') return;
      sent.set(seq, text);
      waiting.shift();
    }
  }
}

const settings = fixpSettings({ ...common, role: 'acceptor' });
const clientSettings = fixpSettings({ ...common, role: 'initiator' });
const peer = { address: '192.0.2.1' };

export function fixpPair(seed: number, faults: Faults): CrashLine<FixpClient, FixpBridge> {
  return new CrashLine(seed, faults, (world) => {
    const client = new FixpClient(world);
    const bridge = new FixpBridge(world);
    const greet = (bytes: Buffer): Greeting => {
      const deframer = new Deframer('big', 1_000);
      deframer.push(bytes);
      if (deframer.next() !== 'message') return { kind: 'more' };
      const request = readSessionMessage(deframer.message);
      if (request.name !== 'Negotiate' && request.name !== 'Establish')
        throw new Error(`the client begins with ${request.name}`);
      const now = world.clock.now();
      const refusal = bridge.end.session.examine(request, peer, now, false);
      if (refusal === undefined) return { kind: 'admit' };
      if (refusal instanceof PendingVerdict) throw new Error('nothing is found out here');
      return { kind: 'refuse', answer: framed(writeSessionMessage(refusal.answer), 'big') };
    };
    return { client, bridge, greet };
  });
}
