/** Peers in processes of their own, driven by lines: QuickFIX C++, compiled here, and jspurefix. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Debian's libquickfix-dev. */
export const hasQuickFix = existsSync('/usr/include/quickfix/Session.h');

export class QuickFix {
  readonly folder = mkdtempSync(join(tmpdir(), 'causeway-quickfix-'));
  readonly #program = join(this.folder, 'peer');

  constructor() {
    const source = join(import.meta.dirname, 'quickfix-peer.cpp');
    // Debian builds the library with TLS, but does not install the header that says so.
    const flags = ['-std=c++11', '-w', '-DHAVE_SSL=1', source, '-o', this.#program];
    execFileSync('g++', [...flags, '-lquickfix', '-lpthread'], { stdio: 'inherit' });
  }

  start(role: 'initiator' | 'acceptor', port: number, ...more: string[]): LinePeer {
    const dictionary = join(import.meta.dirname, '../../dictionaries/CAUSEWAY44.xml');
    const store = join(this.folder, 'store');
    return new LinePeer(
      spawn(this.#program, [role, String(port), dictionary, store, ...more], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
  }

  forget(): void {
    rmSync(join(this.folder, 'store'), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface JspurefixSetup {
  readonly port: number;
  readonly resets?: boolean;
  readonly lastSent?: number;
  readonly lastReceived?: number;
  readonly ca?: string;
}

export function startJspurefix(setup: JspurefixSetup): LinePeer {
  const program = join(import.meta.dirname, 'jspurefix-peer.ts');
  const all = { resets: false, lastSent: 0, lastReceived: 0, ...setup };
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  return new LinePeer(
    spawn(process.execPath, [program, JSON.stringify(all)], { stdio: [...stdio] }),
  );
}

export class LinePeer {
  readonly #child: ChildProcess;
  readonly lines: string[] = [];
  #wake = () => {};

  constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      this.#wake();
    });
  }

  tell(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Waits for a line that begins so, from the given place on; answers the place behind it. */
  async says(beginning: string, from = 0): Promise<number> {
    for (;;) {
      const at = this.lines.findIndex((line, i) => i >= from && line.startsWith(beginning));
      if (at >= 0) return at + 1;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  count(beginning: string): number {
    return this.lines.filter((line) => line.startsWith(beginning)).length;
  }

  async quit(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.tell('quit');
    await exited;
  }

  async kill(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
