/**
 * The smallest session that does all a session may do: lines instead of messages. `> text` is answered with a numbered
 * line that is kept, `resend 1 5` repeats kept lines, `reset` starts the numbers anew, `bye` disconnects, `hold`/`held`
 * use the waiting queue.
 */
import type { Instant } from '../../src/runtime/clock.ts';
import type {
  Admission,
  Effects,
  HeldMessage,
  Peer,
  Reception,
  Session,
  StoredMessages,
} from '../../src/transport/session.ts';

export class LineSession implements Session {
  readonly log: string[] = [];
  readonly #effects: Effects;
  nextIn: number;
  nextOut: number;
  dueMs = Number.POSITIVE_INFINITY;
  endReason = 'the connection was lost';
  #line = '';
  #lines: string[] = [];

  constructor(effects: Effects, start = { nextIn: 1, nextOut: 1 }) {
    this.#effects = effects;
    this.nextIn = start.nextIn;
    this.nextOut = start.nextOut;
  }

  opened(peer: Peer): void {
    this.log.push(`opened ${peer.address}`);
  }

  received(bytes: Uint8Array): void {
    const lines = (this.#line + Buffer.from(bytes).toString('latin1')).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const [verb = '', first, second] = line.split(' ');
    this.nextIn += 1;
    if (verb === '>') this.say(line.slice(2));
    if (verb === 'resend') this.#effects.fetch(Number(first), Number(second));
    if (verb === 'reset') this.#reset();
    if (verb === 'hold')
      this.#effects.record({ kind: 'hold', position: 1, bytes: Buffer.from('waits\n') });
    if (verb === 'held') this.#effects.fetchHeld(0);
    if (verb === 'bye') this.#effects.disconnect('said bye');
    this.#effects.gathered();
  }

  #reset(): void {
    this.flush();
    this.nextOut = 1;
    this.#effects.record({ kind: 'reset', nextIn: this.nextIn, nextOut: 1 });
  }

  /** Reads nothing more until `over`; what it had read by then is all lines. */
  wait(over: Promise<unknown>): void {
    this.#effects.wait(over);
  }

  proceed(): void {
    this.say('goes on');
  }

  /** Inside a transaction. */
  say(text: string): void {
    this.#lines.push(`${this.nextOut + this.#lines.length} ${text}\n`);
    this.#effects.gathered();
  }

  flush(): void {
    const firstSeq = this.nextOut;
    let end = 0;
    const ends = this.#lines.map((line) => {
      end += line.length;
      return end;
    });
    const bytes = Buffer.from(this.#lines.join(''), 'latin1');
    this.nextOut += this.#lines.length;
    this.#lines = [];
    const { nextIn, nextOut } = this;
    if (ends.length > 0) this.#effects.record({ kind: 'messages', firstSeq, bytes, ends });
    this.#effects.record({ kind: 'numbers', nextIn, nextOut });
    if (ends.length > 0) this.#effects.transmit(bytes);
  }

  tick(now: Instant): number {
    if (now.monoMs >= this.dueMs) {
      this.dueMs = Number.POSITIVE_INFINITY;
      this.say(`tick ${now.monoMs}`);
    }
    return this.dueMs;
  }

  fetched({ fromSeq, toSeq, messages, done }: StoredMessages): void {
    this.log.push(`fetched ${fromSeq}-${toSeq} ${messages.length}${done ? ' done' : ''}`);
    for (const { bytes } of messages) this.#effects.transmit(bytes);
  }

  fetchedHeld(messages: readonly HeldMessage[]): void {
    for (const { bytes } of messages) this.#effects.transmit(bytes);
  }

  closed(): void {
    this.log.push('closed');
  }
}

/** The first line names the session: `NAME`, with a wrong name for an offence and `?` for a mere refusal. */
export function lineReception(sessions: ReadonlyMap<string, Session>): Reception {
  const nameIn = (bytes: Uint8Array) => {
    const text = Buffer.from(bytes).toString('latin1');
    return text.slice(0, Math.max(0, text.indexOf('\n')));
  };
  return {
    nameIn,
    admit(bytes, peer): Admission {
      const claimed = nameIn(bytes);
      if (claimed === '') return { kind: 'more' };
      const name = peer.certificate?.commonName ?? claimed;
      const session = sessions.get(name);
      if (session !== undefined) return { kind: 'admit', session };
      const answer = Buffer.from('who?\n');
      return { kind: 'refuse', reason: `nobody is ${name}`, answer, isOffence: name !== '?' };
    },
  };
}
