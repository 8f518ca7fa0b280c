/**
 * The bridge with its console: what watches is made first, then the bridge opens, then the page can be asked. Health
 * answers from the first moment, so that an orchestrator sees why the bridge is not ready yet.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleConfig } from '../gateway/config.ts';
import type { LoadedConfig } from '../gateway/config-file.ts';
import { Gateway, type GatewayOptions } from '../gateway/gateway.ts';
import type { Observer } from '../gateway/observer.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { AlarmList } from './alarm-list.ts';
import { bridgeMetrics } from './bridge-metrics.ts';
import { CertificationDesk } from './certification-desk.ts';
import { Live } from './live.ts';
import { Logins } from './logins.ts';
import { marks, type RouteParts } from './routes.ts';
import { Samples } from './samples.ts';
import { ConsoleServer } from './server.ts';
import { Traces } from './traces.ts';
import { Trail } from './trail.ts';

export interface Bridge {
  readonly gateway: Gateway;
  /** Of the console; undefined where none is configured. */
  readonly consoleUrl: string | undefined;
  stop(): Promise<void>;
}

export async function openBridge(options: GatewayOptions): Promise<Bridge> {
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
  readonly #options: GatewayOptions;
  readonly #clock: Clock;
  readonly #alarms: AlarmList;
  readonly #trail: Trail;
  readonly #server: ConsoleServer;
  readonly #traces: Traces | undefined;
  readonly #certification: CertificationDesk | undefined;
  #parts: RouteParts | undefined;

  constructor(options: GatewayOptions, config: ConsoleConfig) {
    const { clock = systemClock, loaded } = options;
    this.#options = options;
    this.#clock = clock;
    this.#alarms = new AlarmList(clock);
    this.#trail = new Trail({
      directory: join(loaded.path(loaded.config.dataDir), 'trail'),
      maxRecords: config.keepRecords,
      clock,
      alarm: (text) => this.#alarm(text),
    });
    const { certificationDir, tracesUrl: url } = config;
    this.#certification = certificationDesk(
      certificationDir && loaded.path(certificationDir),
      clock,
    );
    this.#traces =
      url === undefined
        ? undefined
        : new Traces({ url, clock, problem: (text) => this.#notice(text) });
    const live = new Live(clock, () => (this.#parts === undefined ? {} : marks(this.#parts)));
    this.#server = new ConsoleServer({
      ...config.listen,
      hostNames: config.hostNames,
      ...tlsOf(loaded, config),
      clock,
      logins: new Logins(loaded.operators, clock),
      live,
      metrics: bridgeMetrics({
        view: () => this.#parts?.view,
        trail: this.#trail,
        alarms: this.#alarms,
        live,
      }),
      parts: () => this.#parts,
      problem: (text) => this.#notice(text),
    });
  }

  async open(): Promise<Bridge> {
    const consoleUrl = await this.#server.listen();
    const gateway = await Gateway.open({
      ...this.#options,
      alarm: (text) => this.#alarm(text),
      notice: (text) => this.#notice(text),
      observer: this.#observer(),
    });
    this.#traces?.start();
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
      await gateway.stop();
      await this.close();
    };
    return { gateway, consoleUrl, stop };
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.#certification?.close();
    await this.#traces?.stop();
    await this.#trail.close();
  }

  #observer(): Observer {
    const trail = this.#trail;
    const traces = this.#traces;
    return {
      bytes: trail.bytes,
      recorded: (account, payload) => trail.recorded(account, payload),
      requested: (account, request) => trail.requested(account, request),
      answered: (account, request, exchange) => trail.answered(account, request, exchange),
      settled: (key, outcome, passage) => traces?.settled(key, outcome, passage),
    };
  }

  #alarm(text: string): void {
    this.#alarms.tell('alarm', text);
    this.#options.alarm(text);
  }

  #notice(text: string): void {
    this.#alarms.tell('notice', text);
    this.#options.notice(text);
  }
}

function certificationDesk(
  directory: string | undefined,
  clock: Clock,
): CertificationDesk | undefined {
  if (directory === undefined) return undefined;
  mkdirSync(directory, { recursive: true });
  return new CertificationDesk({ directory, clock });
}

function tlsOf({ path }: LoadedConfig, { tls }: ConsoleConfig) {
  if (tls === undefined) return {};
  return { tls: { key: readFileSync(path(tls.keyFile)), cert: readFileSync(path(tls.certFile)) } };
}
