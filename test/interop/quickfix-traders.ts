/** `causeway demo` as a process of its own, and QuickFIX C++ clients on it, each message held against CAUSEWAY44.xml. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoSession } from '../../src/cli/demo-files.ts';
import { LinePeer } from './line-peer.ts';

const root = join(import.meta.dirname, '../..');
const dictionary = join(root, 'dictionaries/CAUSEWAY44.xml');
const patienceMs = 10_000;

export function compileTrader(folder: string): void {
  const source = join(import.meta.dirname, 'quickfix-trader.cpp');
  const flags = ['-std=c++11', '-w', source, '-o', join(folder, 'trader')];
  execFileSync('g++', [...flags, '-lquickfix', '-lpthread'], { stdio: 'inherit' });
}

interface DemoInfo {
  readonly fix: { readonly port: number; readonly sessions: readonly DemoSession[] };
  readonly fixp: {
    readonly port: number;
    readonly sessions: readonly { readonly name: string; readonly hmacSecret?: string }[];
  };
}

export class Demo {
  readonly port: number;
  readonly sessions: readonly DemoSession[];
  readonly fixpPort: number;
  /** Of the user delta. */
  readonly hmacSecret: string;
  readonly #child: ChildProcess;

  static async start(folder: string): Promise<Demo> {
    const info = join(folder, 'info.json');
    const words = ['demo', '--port', '0', '--no-makers', '--info', info];
    const child = spawn(process.execPath, [join(root, 'src/main.ts'), ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while (!existsSync(info)) {
      if (child.exitCode !== null) throw new Error(`the demo ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return new Demo(child, JSON.parse(readFileSync(info, 'utf8')));
  }

  private constructor(child: ChildProcess, { fix, fixp }: DemoInfo) {
    this.#child = child;
    this.fixpPort = fixp.port;
    this.hmacSecret = fixp.sessions.find(({ name }) => name === 'DELTA')?.hmacSecret ?? '';
    this.port = fix.port;
    this.sessions = fix.sessions;
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

/** What is heard is looked for from the last find on, so that the order of the messages is held too. */
export class Trader {
  readonly #peer: LinePeer;
  #from = 0;

  static async logon(folder: string, demo: Demo, compId: string): Promise<Trader> {
    const session = demo.sessions.find(({ senderCompId }) => senderCompId === compId);
    if (session === undefined) throw new Error(`the demo has no session ${compId}`);
    const { senderCompId, targetCompId, username, password } = session;
    const names = [senderCompId, targetCompId, username, password];
    const peer = new LinePeer(
      spawn(
        join(folder, 'trader'),
        [String(demo.port), dictionary, join(folder, compId), ...names],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      ),
    );
    await peer.says('logon');
    return new Trader(peer);
  }

  private constructor(peer: LinePeer) {
    this.#peer = peer;
  }

  /** What QuickFIX found wrong with what it heard, and the bridge with what it sent. */
  get refusals(): readonly string[] {
    return this.#peer.lines.filter((line) => /^(refuses|refused|failed)/.test(line));
  }

  send(line: string): void {
    const time = new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, -1);
    this.#peer.tell(/^(D|F|G|q)\|/.test(line) ? `${line}|60=${time}` : line);
  }

  async tell(line: string): Promise<void> {
    this.#peer.tell(line);
    await this.#peer.says(`did ${line}`);
  }

  async hears(...fields: readonly string[]): Promise<void> {
    const isIt = (line: string) => fields.every((field) => line.includes(`|${field}|`));
    const endMs = Date.now() + patienceMs;
    for (;;) {
      const at = this.#peer.lines.findIndex((line, i) => i >= this.#from && isIt(line));
      if (at >= 0) {
        this.#from = at + 1;
        return;
      }
      if (this.refusals.length > 0 || Date.now() > endMs) {
        const heard = [...this.refusals, ...this.#peer.lines.slice(this.#from)].join('\n');
        throw new Error(`no message with ${fields.join('|')}, but\n${heard}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  quit(): Promise<void> {
    return this.#peer.quit();
  }

  kill(): Promise<void> {
    return this.#peer.kill();
  }
}
