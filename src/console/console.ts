/**
 * The bridge with its console. Observers are created first, then the bridge opens, then the pages are served. Health
 * checks respond from the start, so that an orchestrator can see why the bridge is not ready yet.
 */
import { join } from 'node:path';
import type { Observer } from '../gateway/account/observer.ts';
import { type ProcessOptions, passwordChecks } from '../gateway/client-side.ts';
import { tlsOf } from '../gateway/clients/client-port.ts';
import type { LoadedConfig } from '../gateway/config/config-file.ts';
import type { ConsoleConfig } from '../gateway/config/console-config.ts';
import { planDescriptors } from '../gateway/config/descriptor-plan.ts';
import { Gateway } from '../gateway/gateway.ts';
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
import { ConsoleServer } from './server.ts';
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
  const desk = deskOf(options, config);
  try {
    return await openAt(desk, options, config);
  } catch (error) {
    await desk.close();
    throw error;
  }
}

/** The console before its bridge opens. */
type Desk = ReturnType<typeof deskOf>;

function deskOf(options: ProcessOptions, config: ConsoleConfig) {
  const { clock = systemClock, loaded } = options;
  const dataDir = loaded.path(loaded.config.dataDir);
  const opened: { parts?: RouteParts } = {};
  const watch = new Watch(clock);
  const list = (level: AlarmRow['level'], text: string, facts: LineFacts) => {
    alarms.add(level, text, facts);
    watch.reported(text, facts);
  };
  const alarm: RaiseAlarm = (text, facts) => {
    list('alarm', text, facts);
    options.alarm(text, facts);
  };
  const notice: WriteNotice = (text, facts) => {
    list('notice', text, facts);
    options.notice(text, facts);
  };
  const unkept = withFacts(notice, { event: 'console' });
  const alarmFile = new AlarmFile(join(dataDir, 'alarms.json'), clock, unkept);
  const alarms = new AlarmList(clock, () => alarmFile.changed());
  const passwords = passwordChecks({ ...options, alarm }, clock);
  const trail = new Trail({
    directory: join(dataDir, 'trail'),
    maxRecords: config.keepRecords,
    clock,
    alarm: withFacts(alarm, { event: 'trail' }),
  });
  const certification = runnerOf(loaded, config, clock);
  const audit = new LoginAudit(clock, () => opened.parts?.view.operator);
  const live = new Live(clock, () => (opened.parts === undefined ? {} : marks(opened.parts)));
  const view = () => opened.parts?.view;
  const metrics = bridgeMetrics({ view, trail, alarms, passwords, live });
  const oidcProblem = (text: string) =>
    notice(`console: ${text}`, { event: 'console', about: 'oidc' });
  const server = new ConsoleServer({
    ...config.listen,
    hostNames: config.hostNames,
    connections: planDescriptors(loaded, loadProfile(loaded.path(loaded.config.venue.profile)))
      .connections.console,
    tls: tlsOf(config, loaded.path),
    clock,
    oidc: config.oidc && new Oidc(config.oidc, loaded.oidcSecret, clock, oidcProblem),
    logins: new Logins(loaded.operators, passwords, audit, clock),
    live,
    metrics,
    parts: () => opened.parts,
    problem: (text, about) => notice(text, { event: 'console', about }),
  });
  const close = async () => {
    await server.close();
    await certification?.close();
    await trail.close();
  };
  const lines = { alarm, notice };
  const kept = { alarmFile, alarms, certification, clock, trail, watch };
  return { audit, close, kept, lines, metrics, opened, passwords, server };
}

function runnerOf(
  { path }: LoadedConfig,
  { certificationDir, certificationKeyFile }: ConsoleConfig,
  clock: Clock,
): CertificationRunner | undefined {
  if (certificationDir === undefined) return undefined;
  const keyFile = certificationKeyFile && path(certificationKeyFile);
  return new CertificationRunner({ directory: path(certificationDir), keyFile, clock });
}

async function openAt(
  { audit, close, kept, lines, metrics, opened, passwords, server }: Desk,
  options: ProcessOptions,
  { fourEyes }: ConsoleConfig,
): Promise<Bridge> {
  const { alarmFile, alarms, clock, trail, watch } = kept;
  const consoleUrl = await server.listen();
  const observer = observerOf(trail, options.observer);
  const gateway = await Gateway.open({ ...options, ...lines, observer, passwords });
  const { view } = gateway;
  await alarmFile.open(alarms);
  const samples = new Samples(view, clock, watch);
  samples.start();
  const approvals = new Approvals(fourEyes, clock, view.operator);
  opened.parts = { ...kept, view, samples, approvals, cluster: options.cluster };
  const stop = async () => {
    samples.stop();
    audit.close();
    approvals.close();
    await alarmFile.close();
    await gateway.stop();
    await close();
  };
  const renewal = (loaded: LoadedConfig) => {
    const { console: config } = loaded.config;
    return usableFiles('console.tls', config?.tls, () => {
      const tls = tlsOf(config, loaded.path);
      return tls === undefined ? () => {} : server.renewal(tls);
    });
  };
  return { gateway, consoleUrl, metrics, lines, renewal, stop };
}

/** The trail sees everything; the observer of the process only what has passed. */
function observerOf(trail: Trail, { passed }: Partial<Observer> = {}): Observer {
  return {
    ...(passed && { passed }),
    bytes: trail.bytes,
    recorded: (account, payload, actions) => trail.recorded(account, payload, actions),
    requested: (account, request) => trail.requested(account, request),
    answered: (account, request, exchange) => trail.answered(account, request, exchange),
  };
}
