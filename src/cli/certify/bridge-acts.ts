/** A scenario's acts on the bridge of a certification: kill it, damage its store, reconfigure its session. */
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type BridgeActKind, readBridgeAct } from '../../certify/bridge-act.ts';
import type { BridgeProcess } from './bridge-process.ts';
import type { CertifySigner } from './signer.ts';

export interface BridgeActsParts {
  readonly bridge: Pick<BridgeProcess, 'ask' | 'end' | 'failOver' | 'isRunning' | 'start'>;
  readonly signer: Pick<CertifySigner, 'start' | 'stop'>;
  readonly configFile: string;
  /** The FIX port of the backup site. */
  readonly backupPort: number;
  /** The counterparty's session in the configuration. */
  readonly senderCompId: string;
  readonly session: string;
}

const log = 'gateway-log';
/** The size of a segment's header, which stays intact so that the file is still recognized. */
const intactBytes = 64;

/** The part of the demo's configuration that a certification changes. */
interface DemoConfig {
  readonly users: readonly { readonly name: string }[];
  readonly sessions: readonly { readonly senderCompId: string }[];
  readonly fix: { readonly listen: object };
  readonly fixp: object;
}

/** Rewrites the configuration with the keys that `change` returns. */
export function changeConfig(file: string, change: (config: DemoConfig) => object): void {
  const config = parse(readFileSync(file, 'utf8')) as DemoConfig;
  writeFileSync(file, stringify({ ...config, ...change(config) }), { mode: 0o600 });
}

/** The name of the profile that a scenario sets. */
const ownProfile = 'certified';

export class BridgeActs {
  readonly #parts: BridgeActsParts;
  readonly #config: string;
  #isDamaged = false;
  #isAtBackup = false;

  constructor(parts: BridgeActsParts) {
    this.#parts = parts;
    this.#config = readFileSync(parts.configFile, 'utf8');
  }

  async act(text: string): Promise<void> {
    const { bridge, session, signer } = this.#parts;
    const { kind, details } = readBridgeAct(text);
    const { nextIn, nextOut } = details;
    const numbers = { nextIn: Number(nextIn), nextOut: Number(nextOut) };
    const acts: Readonly<Record<BridgeActKind, () => Promise<void> | void>> = {
      kill: () => bridge.end('SIGKILL'),
      stop: () => bridge.end('SIGTERM'),
      start: () => bridge.start(),
      'fail over': () => bridge.failOver(),
      'lose site': () => this.#loseSite(),
      'start in vain': () => this.#startInVain(),
      damage: () => this.#damage(),
      repair: () => this.#repair(),
      'signer off': () => signer.stop(),
      'signer on': () => signer.start(),
      set: () => this.#set(details),
      bust: () => bridge.ask({ kind: 'bust', execId: String(details['execId']) }),
      hours: () => this.#set({ engine: { schedule: hoursOf(details, Date.now()) } }),
      numbers: () => bridge.ask({ kind: 'numbers', session, ...numbers }),
    };
    await acts[kind]();
  }

  /** Restores the bridge to its state before the first act. */
  async undo(): Promise<void> {
    const { bridge, configFile, signer } = this.#parts;
    await signer.start();
    if (this.#isDamaged || this.#isAtBackup) await bridge.end('SIGKILL');
    if (this.#isDamaged) this.#repair();
    this.#isAtBackup = false;
    const isChanged = readFileSync(configFile, 'utf8') !== this.#config;
    if (isChanged) writeFileSync(configFile, this.#config, { mode: 0o600 });
    if (!bridge.isRunning) await bridge.start();
    else if (isChanged) await bridge.ask({ kind: 'reload' });
  }

  /** At the other address the bridge runs with its own copy of the configuration. */
  async #loseSite(): Promise<void> {
    const { backupPort, bridge, configFile } = this.#parts;
    const file = join(dirname(configFile), 'backup.yaml');
    copyFileSync(configFile, file);
    changeConfig(file, ({ fix }) => ({
      fix: { ...fix, listen: { ...fix.listen, port: backupPort } },
    }));
    this.#isAtBackup = true;
    await bridge.failOver(file);
  }

  async #startInVain(): Promise<void> {
    const { bridge } = this.#parts;
    // A second process does not start beside it, whatever the store is like.
    if (bridge.isRunning) throw new Error('the bridge is running');
    try {
      await bridge.start();
    } catch {
      return;
    }
    throw new Error('the bridge has started on a damaged store');
  }

  #damage(): void {
    if (this.#isDamaged) throw new Error('the store is damaged already');
    cpSync(this.#store, this.#copy, { recursive: true });
    this.#isDamaged = true;
    const folder = join(this.#store, log);
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(file).fill(0xa5, intactBytes));
    }
  }

  #repair(): void {
    if (!this.#isDamaged) throw new Error('the store is not damaged');
    rmSync(this.#store, { recursive: true, force: true });
    renameSync(this.#copy, this.#store);
    this.#isDamaged = false;
  }

  /** Sets keys of the session; a `profile` is added to the configuration and used by the session. */
  async #set({ profile, ...keys }: Readonly<Record<string, unknown>>): Promise<void> {
    const { bridge, configFile, senderCompId } = this.#parts;
    const changes = { ...keys, ...(profile !== undefined && { profile: ownProfile }) };
    changeConfig(configFile, ({ sessions }) => ({
      sessions: sessions.map((session) =>
        session.senderCompId === senderCompId ? { ...session, ...changes } : session,
      ),
      ...(profile !== undefined && { profiles: { [ownProfile]: profile } }),
    }));
    await bridge.ask({ kind: 'reload' });
  }

  get #store(): string {
    return join(dirname(this.#parts.configFile), 'gateway');
  }

  get #copy(): string {
    return `${this.#store}.kept`;
  }
}

/** Daily hours that end and start again this many seconds from now. */
function hoursOf({ endInS, startInS }: Readonly<Record<string, unknown>>, nowMs: number): object {
  const timeOfDay = (inS: unknown) =>
    new Date(nowMs + Number(inS) * 1000).toISOString().slice('2026-01-01T'.length, -'.000Z'.length);
  return { start: timeOfDay(startInS), end: timeOfDay(endInS) };
}
