/** The common part of sending traces and metrics to an OpenTelemetry collector. */
import { ConfigError, type LoadedConfig } from '../gateway/config/config-file.ts';
import { pause, systemClock } from '../runtime/clock.ts';
import { version } from './version.ts';

/** The maximum time for a request to the collector. */
export const collectorTimeoutMs = 5_000;
const stopMs = 2_000;

/** The resource attributes of the sender; `instance` is the shard or node of a cluster. */
export function resourceAttributes({ config }: LoadedConfig, instance?: string) {
  return {
    'service.name': 'causeway',
    'service.version': version(),
    'deployment.environment.name': config.environment,
    ...(instance !== undefined && { 'service.instance.id': instance }),
  };
}

/** Waits only briefly: a collector that hangs must not keep the process alive. */
export function stopWithin(stopped: Promise<void>): Promise<void> {
  return Promise.race([stopped.catch(() => {}), pause(systemClock, stopMs)]);
}

/** The operator installs the packages (docs/DEPENDENCIES.md); `at` is the configuration that needs them. */
export async function installed<T>(
  at: string,
  packages: readonly string[],
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const names = packages.map((name) => `@opentelemetry/${name}`).join(' ');
    throw new ConfigError(`${at}: needs packages that are not installed: npm install ${names}`);
  }
}
