/** A FIX client and a bridge, at the ends of a line that is cut and spoilt while either may die (`crash-line.ts`). */
import type { Application } from '../../src/fix/application.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import type { Message } from '../../src/fix/message.ts';
import { FixSession } from '../../src/fix/session.ts';
import { type SessionSettings, sessionSettings } from '../../src/fix/session-settings.ts';
import type { Effects, HeldMessage, SessionWrite } from '../../src/transport/session.ts';
import {
  CrashLine,
  End,
  type Faults,
  type Greeting,
  type Keeper,
  KeptMessages,
  type World,
} from './crash-line.ts';

export class FixSide implements Keeper<FixSession>, Application {
  readonly end: End<FixSession>;
  readonly #world: World;
  readonly #settings: SessionSettings;
  readonly #kept = new KeptMessages();
  #heldTo = 0;
  #releasedTo = 0;
  #held: HeldMessage[] = [];
  /** How many the application has sent, and how many of the other's it was told, which come in order; and on disk. */
  #sent = 0;
  #told = 0;
  sent = 0;
  told = 0;

  constructor(world: World, settings: SessionSettings) {
    this.#world = world;
    this.#settings = settings;
    this.end = new End(world, this);
  }

  get session(): FixSession {
    return this.end.session;
  }

  /** Sends the next application message. */
  say(): void {
    this.end.turn((session) => {
      this.#sent += 1;
      const body = Buffer.from(`148=${this.#sent}\x0133=1\x0158=text of ${this.#sent}\x01`);
      session.send('B', body, this.#world.clock.now());
    });
  }

  // The application.

  onMessage(message: Message): void {
    const number = Number(message.text(148));
    if (number === this.#told + 1) this.#told = number;
    else if (Number.isNaN(number)) return;
    else throw new Error(`told ${number} after ${this.#told}`);
  }

  onAlarm(): void {}

  // The disk.

  build(effects: Effects): FixSession {
    const { numbers } = this.#kept;
    const held = { heldTo: this.#heldTo, releasedTo: this.#releasedTo };
    return new FixSession({
      settings: this.#settings,
      dictionary: fix44(),
      application: this,
      effects,
      start: { ...numbers, ...held, periodStartMs: 0 },
    });
  }

  commit(write: SessionWrite): void {
    switch (write.kind) {
      case 'messages':
      case 'numbers':
        this.#kept.commit(write);
        return;
      case 'hold':
        if (write.position !== this.#heldTo + 1) throw new Error('a held message has no place');
        this.#heldTo = write.position;
        this.#held.push(write);
        return;
      case 'mark':
        this.#releasedTo = write.value;
        this.#held = this.#held.filter(({ position }) => position > write.value);
        return;
      case 'reset':
        throw new Error('numbers were reset');
    }
  }

  save(): void {
    this.sent = this.#sent;
    this.told = this.#told;
  }

  restore(): void {
    this.#sent = this.sent;
    this.#told = this.told;
  }

  message(seq: number): Uint8Array | undefined {
    return this.#kept.get(seq);
  }

  held(afterPosition: number): readonly HeldMessage[] {
    return this.#held.filter(({ position }) => position > afterPosition);
  }
}

const peer = { address: '192.0.2.1' };
const common = { resendChunk: 7, maxQueuedMessages: 5, heartBtIntS: 30 };

export function fixPair(seed: number, faults: Faults): CrashLine<FixSide, FixSide> {
  return new CrashLine(seed, faults, (world) => {
    const names = { senderCompId: 'CLIENT', targetCompId: 'BRIDGE' };
    const back = { senderCompId: 'BRIDGE', targetCompId: 'CLIENT' };
    const settings = { ...common, identity: names, role: 'initiator' } as const;
    const client = new FixSide(world, sessionSettings(settings));
    const bridge = new FixSide(
      world,
      sessionSettings({ ...settings, identity: back, role: 'acceptor' }),
    );
    const greet = (bytes: Buffer): Greeting => {
      const decoder = new Decoder(fix44());
      decoder.push(bytes);
      const step = decoder.next();
      if (step === 'more') return { kind: 'more' };
      if (step !== 'message' || decoder.message.msgType !== 'A') return { kind: 'refuse' };
      const refusal = bridge.session.examine(decoder.message, peer, world.clock.now());
      return { kind: refusal === undefined ? 'admit' : 'refuse' };
    };
    return { client, bridge, greet };
  });
}
