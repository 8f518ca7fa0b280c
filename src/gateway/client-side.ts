/**
 * The client side of a process, in a bridge as well as in a process that only relays drop copies: sessions, drop-copy
 * readers and the ports of both protocols. It is opened after the accounts, and its sessions before the venue.
 */
import { causeway44 } from '../fix/dictionaries.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import { type Clock, pause } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { OneAtATime } from '../runtime/one-at-a-time.ts';
import { withFacts } from '../runtime/operator-line.ts';
import { SetAside } from '../store/set-aside.ts';
import { Transactions } from '../store/transactions.ts';
import type { HostNotice } from '../transport/host.ts';
import type { Observer } from './account/observer.ts';
import type { ReadAhead } from './account/read-ahead.ts';
import { FixLane } from './clients/fix-lane.ts';
import { FixpLane } from './clients/fixp-lane.ts';
import { reportNotice } from './clients/notice-text.ts';
import { userAuthenticator } from './clients/user-logon.ts';
import { startOnlyChanges } from './config/config.ts';
import { requireCredentials } from './config/config-checks.ts';
import { ConfigError, type LoadedConfig, secretHashes } from './config/config-file.ts';
import { planDescriptors } from './config/descriptor-plan.ts';
import { CopyReaders, type CopyReadersParts } from './copies/copy-readers.ts';
import {
  databaseOf,
  durabilityOf,
  openShardStore,
  type ShardOptions,
  storePath,
} from './data/shard-store.ts';
import type { ClusterLink } from './operator/cluster-link.ts';
import type { ActingBridge } from './operator/shared-acts.ts';
import { type Outside, realOutside } from './outside.ts';
import { PasswordChecks, strangersDoor } from './passwords/password-checks.ts';
import type { PasswordProofs } from './passwords/password-proofs.ts';

/** A client that answers no Logout holds up the next owner of a shard no longer. */
const logoutMs = 2_000;

export interface ProcessOptions extends ShardOptions {
  readonly observer?: Observer;
  /** Shared with the console, if there is one. */
  readonly passwords?: PasswordChecks;
  /** What other processes know about passwords. */
  readonly proofs?: PasswordProofs | undefined;
  /** What this process has read of the shard before taking it. */
  readonly ahead?: ReadAhead | undefined;
  /** Set if this is a shard of a cluster. */
  readonly cluster?: ClusterLink;
  /** A standby has nobody to leave the data to, so it waits for its signer without a limit. */
  readonly isStandby?: boolean;
  /** Called once the store is open, before anything is read from it. */
  readonly storeOpened?: (transactions: Transactions) => void;
  /** Called once the journal is open. Nothing is sent to the venue, and no client connects, before it resolves. */
  readonly beforeTrading?: (bridge: ActingBridge) => Promise<void>;
  /** Replaces the real disk, signer, ports, network and random numbers. */
  readonly outside?: Outside;
}

export interface Lanes {
  readonly fix: FixLane;
  readonly fixp: FixpLane;
}

interface Sessions {
  apply(loaded: LoadedConfig): Promise<void>;
}

export interface ClientSideParts<S extends Sessions>
  extends Pick<CopyReadersParts, 'accounts' | 'instruments' | 'profile' | 'transactions'> {
  readonly options: ProcessOptions;
  readonly clock: Clock;
  readonly sessions: (lanes: Lanes) => S;
}

export class ClientSide<S extends Sessions> {
  readonly directory: SessionDirectory;
  readonly fixpDirectory: FixpDirectory;
  readonly copies: CopyReaders;
  readonly sessions: S;
  readonly ports: ReturnType<Outside['openPorts']>;
  readonly #parts: ClientSideParts<S>;
  readonly #lanes: Lanes;
  readonly #passwords: PasswordChecks;
  /** Two concurrent reloads would create the same sessions twice. */
  readonly #reloads = new OneAtATime();
  #loaded: LoadedConfig;

  constructor(parts: ClientSideParts<S>) {
    const { clock, options, profile, transactions } = parts;
    const { alarm, loaded, notice, observer, outside = realOutside } = options;
    this.#parts = parts;
    this.#loaded = loaded;
    this.ports = outside.openPorts();
    const passwords = options.passwords ?? passwordChecks(options, clock);
    this.#passwords = passwords;
    const hosting = {
      transactions,
      clock,
      notice: (event: HostNotice) => {
        reportNotice(event, options);
        if (event.kind !== 'logged_on') return;
        for (const lane of Object.values(this.#lanes)) lane.loggedOn(event.session);
      },
      ...(observer && { tap: observer.bytes }),
    };
    this.directory = new SessionDirectory({ dictionary: causeway44(), ...hosting });
    // A connection with unknown CompIDs is closed without an answer; an unknown FIXP user is treated like a wrong
    // password.
    const strangers = userAuthenticator(strangersDoor, [], passwords);
    this.fixpDirectory = new FixpDirectory({ ...hosting, strangers });
    this.copies = new CopyReaders({ ...parts, alarm, config: loaded.config });
    const shared = { alarm, clock, copies: this.copies, notice, passwords, profile };
    this.#lanes = {
      fix: new FixLane({ ...shared, directory: this.directory }),
      fixp: new FixpLane({ ...shared, directory: this.fixpDirectory }),
    };
    this.sessions = parts.sessions(this.#lanes);
  }

  /** The current configuration. */
  get loaded(): LoadedConfig {
    return this.#loaded;
  }

  get rosters() {
    return [this.directory.roster, this.fixpDirectory.roster] as const;
  }

  /** Called before the venue is connected, because events may concern sessions that are not logged on. */
  async openSessions(): Promise<void> {
    await this.copies.apply(this.#loaded.config);
    await this.copies.keepDays();
    await this.#applySessions();
  }

  /** Called once the execution streams are followed. */
  async openPorts(): Promise<void> {
    const { clock, options, profile, transactions } = this.#parts;
    const { alarm, notice } = options;
    const { directory, fixpDirectory } = this;
    this.copies.check(notice);
    const plan = planDescriptors(this.#loaded, profile);
    if (plan.shortage !== undefined) alarm(plan.shortage, { event: 'descriptors' });
    await transactions.store.ready();
    await this.ports.open(this.#loaded, plan, { directory, fixpDirectory, clock, notice });
  }

  /**
   * Applies another configuration; unchanged sessions continue. A change that needs a restart is refused, and nothing
   * changes. `prepare` may refuse it, too, and returns what applies the owner's changes before those of the sessions.
   */
  reload(loaded: LoadedConfig, prepare: () => Promise<() => void>): Promise<void> {
    return this.#reloads.run(async () => {
      const faults = startOnlyChanges(this.#loaded.config, loaded.config);
      if (faults.length > 0) {
        throw new ConfigError(`only a restart can change ${faults.join(', ')}`);
      }
      requireCredentials(loaded, this.#parts.profile);
      const renewCertificates = this.ports.renewal(loaded);
      const change = await prepare();
      this.#loaded = loaded;
      change();
      renewCertificates();
      await this.copies.apply(loaded.config);
      await this.#applySessions();
    });
  }

  /** Stops outgoing connections. */
  stopConnecting(): void {
    for (const lane of Object.values(this.#lanes)) lane.stop();
  }

  /** Logs out every client with a reason and closes the ports. Neither ends while the store is away. */
  async closePorts(text: string): Promise<void> {
    const retired = this.rosters.flatMap((roster) =>
      roster.names.map((name) => roster.retire(name, text)),
    );
    const closed = Promise.all([...retired, this.ports.close()]);
    await Promise.race([closed, pause(this.#parts.clock, logoutMs)]);
  }

  closeSessions(): void {
    this.copies.stop();
    this.directory.close();
    this.fixpDirectory.close();
  }

  async #applySessions(): Promise<void> {
    this.#passwords.imitate(secretHashes(this.#loaded));
    await this.sessions.apply(this.#loaded);
  }
}

/** Opens the store in the configured database or, without one, in `dataDir`. */
export async function openTransactions(options: ProcessOptions): Promise<Transactions> {
  const { fatal, loaded, notice, outside = realOutside } = options;
  const { config, path } = loaded;
  makePrivateDirectory(path(config.dataDir));
  const place = databaseOf(loaded);
  const store =
    place !== undefined
      ? await openShardStore(place, options)
      : await outside.openStore({
          path: storePath(loaded),
          durability: durabilityOf(config),
          maxBytes: config.maxDataBytes,
          onFailed: fatal,
          onMigrated: (kept) =>
            notice(`the store of an earlier version was copied; its files are in ${kept}`, {
              event: 'store_migrated',
            }),
        });
  const transactions = new Transactions(store, fatal, await SetAside.open(store));
  options.storeOpened?.(transactions);
  return transactions;
}

/** For clients, and for operators of the console. */
export function passwordChecks(
  { alarm, proofs }: Pick<ProcessOptions, 'alarm' | 'proofs'>,
  clock: Clock,
): PasswordChecks {
  return new PasswordChecks({
    clock,
    proofs,
    alarm: withFacts(alarm, { event: 'logons_waiting' }),
  });
}
