/** `causeway sandbox`: the venue, embedded, until it is told to stop. */
import { renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ManualClock, systemClock } from '../runtime/clock.ts';
import { startSandbox } from '../sandbox/server.ts';
import { type BackendName, backendNames } from '../signer/ecdsa.ts';
import { loadProfile } from '../venue/profile.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway sandbox [options]

Runs the embedded venue: HTTP, WebSocket, matching engine, fault switches. Its keys and credentials follow from the
seed; they are for development and are worth nothing anywhere else.

  --port P         port of HTTP and WebSocket; 0 (the default) takes a free one
  --host H         address to listen on (127.0.0.1)
  --seed S         integer from which accounts, keys, makers and fault rates follow (1)
  --info FILE      where to write, when ready, the JSON that a client starts from
  --accounts N     funded development accounts (4)
  --no-makers      start without market makers; the operator's routes switch them at any time
  --no-limits      no rate limits, for load; the operator's routes set any
  --data DIR       keep the state in SQLite across restarts; in memory when absent
  --profile FILE   venue profile (the shipped sandbox profile)
  --backend B      signature checks: ${backendNames.join(', ')}
  --manual-clock   time stands still until POST {adminUrl}/clock {"advanceMs": …} moves it

Examples:
  causeway sandbox --port 8480 --info sandbox.json
  causeway sandbox --seed 7 --no-makers --manual-clock --info /tmp/sandbox.json`;

const options = {
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
  seed: { type: 'string', default: '1' },
  info: { type: 'string' },
  accounts: { type: 'string', default: '4' },
  makers: { type: 'boolean', default: true },
  limits: { type: 'boolean', default: true },
  data: { type: 'string' },
  profile: { type: 'string' },
  backend: { type: 'string', default: 'auto' },
  'manual-clock': { type: 'boolean', default: false },
} as const;

export const verb: Verb = {
  summary: 'run the embedded venue',
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options, allowNegative: true });
    const backend = backendNames.find((name) => name === values.backend);
    if (backend === undefined) {
      throw new UsageError(`--backend must be one of ${backendNames.join(', ')}`);
    }
    const sandbox = await startSandbox({
      seed: integer('seed', values.seed, 0, 2 ** 31 - 1),
      port: integer('port', values.port, 0, 65_535),
      host: values.host,
      accounts: integer('accounts', values.accounts, 4, 1000),
      clock: values['manual-clock'] ? new ManualClock(Date.now()) : systemClock,
      makers: values.makers,
      backend: backend satisfies BackendName,
      reportFault: (error) => console.error('causeway sandbox: internal error', error),
      ...(values.data === undefined ? {} : { data: values.data }),
      ...(values.profile === undefined ? {} : { profile: loadProfile(values.profile) }),
    });
    if (!values.limits) {
      sandbox.venue.state.setLimits({ actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    }
    if (values.info !== undefined) writeInfo(values.info, sandbox.info);
    console.log(`sandbox ready at ${sandbox.info.baseUrl}, operator at ${sandbox.info.adminUrl}`);
    await signal();
    await sandbox.stop();
    return exitCodes.done;
  },
};

/** A reader sees the whole file or none; it holds keys, so only its owner may read it. */
function writeInfo(file: string, info: object): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve());
  });
}

function integer(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be an integer from ${least} to ${most}, not "${text}"`);
}
