/**
 * The bridge with its console: what watches is made first, then the bridge opens, then the page can be asked. Health
 * answers from the first moment, so that an orchestrator sees why the bridge is not ready yet.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessOptions } from '../gateway/client-side.ts';
import type { ConsoleConfig } from '../gateway/config.ts';
import type { LoadedConfig } from '../gateway/config-file.ts';
import { planDescriptors } from '../gateway/descriptor-plan.ts';
import { Gateway } from '../gateway/gateway.ts';
import type { Observer } from '../gateway/observer.ts';
import { PasswordChecks } from '../gateway/password-checks.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type LineFacts, type Tell, tagged } from '../runtime/operator-line.ts';
import { loadProfile } from '../venue/profile.ts';
import { AlarmList } from './alarm-list.ts';
import { bridgeMetrics } from './bridge-metrics.ts';
import { CertificationDesk } from './certification-desk.ts';
import { Live } from './live.ts';
import { LoginAudit } from './login-audit.ts';
import { Logins } from './logins.ts';
import { marks, type RouteParts } from './routes.ts';
import { Samples } from './samples.ts';
import { ConsoleServer } from './server.ts';
import { Trail } from './trail.ts';

export interface Bridge {
  readonly gateway: Gateway;
  /** Of the console; undefined where none is configured. */
  readonly consoleUrl: string | undefined;
  stop(): Promise<void>;
}

export async function openBridge(options: ProcessOptions): Promise<Bridge> {
  const config = options.loaded.config.console;
  if (config === undefined) {
    const gateway = await Gateway.open(options);
    return { gateway, consoleUrl: undefined, stop: () => gateway.stop() };
  }
  const desk = new ConsoleDesk(options, config);
  try {
    return await desk.open();
  } catch (error) {
    await desk.close();
    throw error;
  }
}

class ConsoleDesk {
  readonly #options: ProcessOptions;
  readonly #clock: Clock;
  readonly #alarms: AlarmList;
  readonly #passwords: PasswordChecks;
  readonly #audit: LoginAudit;
  readonly #trail: Trail;
  readonly #server: ConsoleServer;
  readonly #certification: CertificationDesk | undefined;
  #parts: RouteParts | undefined;

  constructor(options: ProcessOptions, config: ConsoleConfig) {
    const { clock = systemClock, loaded } = options;
    this.#options = options;
    this.#clock = clock;
    this.#alarms = new AlarmList(clock);
    const alarm: Tell = (...line) => this.#alarm(...line);
    this.#passwords = new PasswordChecks({
      clock,
      alarm: tagged(alarm, { event: 'logons_waiting' }),
    });
    this.#trail = new Trail({
      directory: join(loaded.path(loaded.config.dataDir), 'trail'),
      maxRecords: config.keepRecords,
      clock,
      alarm: tagged(alarm, { event: 'trail' }),
    });
    const { certificationDir, certificationKeyFile } = config;
    this.#certification = certificationDesk(
      certificationDir && loaded.path(certificationDir),
      certificationKeyFile && loaded.path(certificationKeyFile),
      clock,
    );
    this.#audit = new LoginAudit(clock, () => this.#parts?.view.operator);
    const live = new Live(clock, () => (this.#parts === undefined ? {} : marks(this.#parts)));
    this.#server = new ConsoleServer({
      ...config.listen,
      hostNames: config.hostNames,
      connections: planDescriptors(loaded, loadProfile(loaded.path(loaded.config.venue.profile)))
        .connections.console,
      ...tlsOf(loaded, config),
      clock,
      logins: new Logins(loaded.operators, this.#passwords, this.#audit, clock),
      live,
      metrics: bridgeMetrics({
        view: () => this.#parts?.view,
        trail: this.#trail,
        alarms: this.#alarms,
        passwords: this.#passwords,
        live,
      }),
      parts: () => this.#parts,
      problem: (text, about) => this.#notice(text, { event: 'console', about }),
    });
  }

  async open(): Promise<Bridge> {
    const consoleUrl = await this.#server.listen();
    const gateway = await Gateway.open({
      ...this.#options,
      alarm: (...line) => this.#alarm(...line),
      notice: (...line) => this.#notice(...line),
      observer: this.#observer(),
      passwords: this.#passwords,
    });
    const samples = new Samples(gateway.view, this.#clock);
    samples.start();
    this.#parts = {
      view: gateway.view,
      trail: this.#trail,
      alarms: this.#alarms,
      samples,
      certification: this.#certification,
    };
    const stop = async () => {
      samples.stop();
      this.#audit.close();
      await gateway.stop();
      await this.close();
    };
    return { gateway, consoleUrl, stop };
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#certification?.close();
    await this.#trail.close();
  }

  #observer(): Observer {
    const trail = this.#trail;
    return {
      bytes: trail.bytes,
      recorded: (account, payload, actions) => trail.recorded(account, payload, actions),
      requested: (account, request) => trail.requested(account, request),
      answered: (account, request, exchange) => trail.answered(account, request, exchange),
    };
  }

  #alarm(text: string, facts: LineFacts): void {
    this.#alarms.tell('alarm', text, facts.about);
    this.#options.alarm(text, facts);
  }

  #notice(text: string, facts: LineFacts): void {
    this.#alarms.tell('notice', text, facts.about);
    this.#options.notice(text, facts);
  }
}

function certificationDesk(
  directory: string | undefined,
  keyFile: string | undefined,
  clock: Clock,
): CertificationDesk | undefined {
  if (directory === undefined) return undefined;
  mkdirSync(directory, { recursive: true });
  return new CertificationDesk({ directory, keyFile, clock });
}

function tlsOf({ path }: LoadedConfig, { tls }: ConsoleConfig) {
  if (tls === undefined) return {};
  return { tls: { key: readFileSync(path(tls.keyFile)), cert: readFileSync(path(tls.certFile)) } };
}
