/**
 * The bridge with its console. Observers are created first, then the bridge opens, then the pages are served. Health
 * checks respond from the start, so that an orchestrator can see why the bridge is not ready yet.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessOptions, passwordChecks } from '../gateway/client-side.ts';
import type { LoadedConfig } from '../gateway/config-file.ts';
import type { ConsoleConfig } from '../gateway/console-config.ts';
import { planDescriptors } from '../gateway/descriptor-plan.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { Observer } from '../gateway/observer.ts';
import type { PasswordChecks } from '../gateway/password-checks.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import type { Metrics } from '../runtime/metrics.ts';
import {
  type LineFacts,
  type RaiseAlarm,
  type WriteNotice,
  withFacts,
} from '../runtime/operator-line.ts';
import { usableFiles } from '../runtime/tls-files.ts';
import { loadProfile } from '../venue/profile.ts';
import { AlarmFile } from './alarm-file.ts';
import { AlarmList, type AlarmRow } from './alarm-list.ts';
import { Approvals } from './approvals.ts';
import { bridgeMetrics } from './bridge-metrics.ts';
import { CertificationRunner } from './certification-runner.ts';
import { Live } from './live.ts';
import { LoginAudit } from './login-audit.ts';
import { Logins } from './logins.ts';
import { Oidc } from './oidc.ts';
import { marks, type RouteParts } from './routes.ts';
import { Samples } from './samples.ts';
import { ConsoleServer, type ConsoleTls } from './server.ts';
import { Trail } from './trail.ts';
import { Watch } from './watch.ts';

export interface Bridge {
  readonly gateway: Gateway;
  /** The console's URL; undefined if none is configured. */
  readonly consoleUrl: string | undefined;
  /** Undefined if no console is configured. */
  readonly metrics: Metrics | undefined;
  /** For alarms and notices of the process, which the console also lists; undefined if no console is configured. */
  readonly lines?: Pick<ProcessOptions, 'alarm' | 'notice'>;
  /** Reads the console's certificate again. Throws if it is unusable; calling the returned function applies it. */
  renewal(loaded: LoadedConfig): () => void;
  stop(): Promise<void>;
}

export async function openBridge(options: ProcessOptions): Promise<Bridge> {
  const config = options.loaded.config.console;
  if (config === undefined) {
    const gateway = await Gateway.open(options);
    const none = { consoleUrl: undefined, metrics: undefined, renewal: () => () => {} };
    return { gateway, ...none, stop: () => gateway.stop() };
  }
  const bridge = new BridgeWithConsole(options, config);
  try {
    return await bridge.open(config);
  } catch (error) {
    await bridge.close();
    throw error;
  }
}

class BridgeWithConsole {
  readonly #options: ProcessOptions;
  readonly #clock: Clock;
  readonly #alarms: AlarmList;
  readonly #alarmFile: AlarmFile;
  readonly #watch: Watch;
  readonly #passwords: PasswordChecks;
  readonly #audit: LoginAudit;
  readonly #trail: Trail;
  readonly #server: ConsoleServer;
  readonly #metrics: Metrics;
  readonly #certification: CertificationRunner | undefined;
  #parts: RouteParts | undefined;
  readonly #alarm: RaiseAlarm = (text, facts) => {
    this.#list('alarm', text, facts);
    this.#options.alarm(text, facts);
  };
  readonly #notice: WriteNotice = (text, facts) => {
    this.#list('notice', text, facts);
    this.#options.notice(text, facts);
  };

  constructor(options: ProcessOptions, config: ConsoleConfig) {
    const { clock = systemClock, loaded } = options;
    this.#options = options;
    this.#clock = clock;
    const dataDir = loaded.path(loaded.config.dataDir);
    this.#watch = new Watch(clock);
    this.#alarmFile = new AlarmFile(join(dataDir, 'alarms.json'), clock, (text) =>
      this.#notice(text, { event: 'console' }),
    );
    this.#alarms = new AlarmList(clock, () => this.#alarmFile.changed());
    const alarm = this.#alarm;
    this.#passwords = passwordChecks({ ...options, alarm }, clock);
    this.#trail = new Trail({
      directory: join(dataDir, 'trail'),
      maxRecords: config.keepRecords,
      clock,
      alarm: withFacts(alarm, { event: 'trail' }),
    });
    const { certificationDir, certificationKeyFile } = config;
    this.#certification =
      certificationDir === undefined
        ? undefined
        : new CertificationRunner({
            directory: loaded.path(certificationDir),
            keyFile: certificationKeyFile && loaded.path(certificationKeyFile),
            clock,
          });
    this.#audit = new LoginAudit(clock, () => this.#parts?.view.operator);
    const live = new Live(clock, () => (this.#parts === undefined ? {} : marks(this.#parts)));
    this.#metrics = bridgeMetrics({
      view: () => this.#parts?.view,
      trail: this.#trail,
      alarms: this.#alarms,
      passwords: this.#passwords,
      live,
    });
    this.#server = new ConsoleServer({
      ...config.listen,
      hostNames: config.hostNames,
      connections: planDescriptors(loaded, loadProfile(loaded.path(loaded.config.venue.profile)))
        .connections.console,
      ...tlsOf(loaded, config),
      clock,
      oidc:
        config.oidc &&
        new Oidc(config.oidc, loaded.oidcSecret, clock, (text) =>
          this.#notice(`console: ${text}`, { event: 'console', about: 'oidc' }),
        ),
      logins: new Logins(loaded.operators, this.#passwords, this.#audit, clock),
      live,
      metrics: this.#metrics,
      parts: () => this.#parts,
      problem: (text, about) => this.#notice(text, { event: 'console', about }),
    });
  }

  async open({ fourEyes }: ConsoleConfig): Promise<Bridge> {
    const lines = { alarm: this.#alarm, notice: this.#notice };
    const consoleUrl = await this.#server.listen();
    const gateway = await Gateway.open({
      ...this.#options,
      ...lines,
      observer: this.#observer(),
      passwords: this.#passwords,
    });
    await this.#alarmFile.open(this.#alarms);
    const samples = new Samples(gateway.view, this.#clock, this.#watch);
    samples.start();
    const approvals = new Approvals(fourEyes, this.#clock, gateway.view.operator);
    this.#parts = {
      view: gateway.view,
      clock: this.#clock,
      trail: this.#trail,
      alarms: this.#alarms,
      alarmFile: this.#alarmFile,
      samples,
      watch: this.#watch,
      approvals,
      certification: this.#certification,
      cluster: this.#options.cluster,
    };
    const stop = async () => {
      samples.stop();
      this.#audit.close();
      approvals.close();
      await this.#alarmFile.close();
      await gateway.stop();
      await this.close();
    };
    const renewal = (loaded: LoadedConfig) => {
      const { console: config } = loaded.config;
      return usableFiles('console.tls', config?.tls, () => {
        const { tls } = tlsOf(loaded, config);
        return tls === undefined ? () => {} : this.#server.renewal(tls);
      });
    };
    return { gateway, consoleUrl, metrics: this.#metrics, lines, renewal, stop };
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#certification?.close();
    await this.#trail.close();
  }

  #observer(): Observer {
    const trail = this.#trail;
    const { passed } = this.#options.observer ?? {};
    return {
      ...(passed && { passed }),
      bytes: trail.bytes,
      recorded: (account, payload, actions) => trail.recorded(account, payload, actions),
      requested: (account, request) => trail.requested(account, request),
      answered: (account, request, exchange) => trail.answered(account, request, exchange),
    };
  }

  #list(level: AlarmRow['level'], text: string, facts: LineFacts): void {
    this.#alarms.add(level, text, facts);
    this.#watch.reported(text, facts);
  }
}

function tlsOf(
  { path }: LoadedConfig,
  config: ConsoleConfig | undefined,
): { readonly tls?: ConsoleTls } {
  const { tls } = config ?? {};
  if (tls === undefined) return {};
  return { tls: { key: readFileSync(path(tls.keyFile)), cert: readFileSync(path(tls.certFile)) } };
}
