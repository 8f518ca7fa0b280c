/** `causeway sandbox`: runs the embedded venue until a signal stops it. */
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { ManualClock, systemClock } from '../runtime/clock.ts';
import { type FaultRule, faultRuleSchema } from '../sandbox/faults.ts';
import { startSandbox } from '../sandbox/server.ts';
import { backendNames, defaultBackend } from '../signer/ecdsa.ts';
import { loadProfile } from '../venue/profile.ts';
import { command } from './command.ts';
import { writeInfo } from './info-file.ts';
import { choice, flag, integer, portRange, seedRange, text } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes, UsageError } from './verb.ts';

const clockRange = { least: -31_536_000_000, most: 31_536_000_000 };
const driftRange = { least: -500_000, most: 500_000 };

const about = `Runs the embedded venue: HTTP, WebSocket, matching engine, fault switches. Its keys and credentials follow from the
seed; they are for development and are worth nothing anywhere else.`;

export const verb = command({
  summary: 'run the embedded venue',
  forms: ['[options]'],
  about,
  options: {
    port: integer('P', 'port of HTTP and WebSocket; 0 takes a free one', portRange, 0),
    host: text('H', 'address to listen on', '127.0.0.1'),
    seed: integer('S', 'from which accounts, keys, makers and fault rates follow', seedRange, 1),
    info: text('FILE', 'where to write, when ready, the JSON that a client starts from'),
    accounts: integer('N', 'funded development accounts', { least: 4, most: 1000 }, 4),
    makers: flag("start without market makers; the operator's routes switch them", true),
    limits: flag("no rate limits, for load; the operator's routes set any", true),
    data: text('DIR', 'keep the state across restarts; in memory when absent'),
    profile: text('FILE', 'venue profile; the shipped sandbox profile when absent'),
    backend: choice(backendNames, 'signature checks', defaultBackend),
    'manual-clock': flag('time stays at 2026-01-05 12:00 UTC until POST {adminUrl}/clock moves it'),
    'clock-offset': integer(
      'MS',
      "how far the venue's clock is ahead; =-MS for behind",
      clockRange,
      0,
    ),
    'clock-drift': integer(
      'PPM',
      "how fast the venue's clock gains; =-PPM for losing",
      driftRange,
      0,
    ),
    faults: text('FILE', 'JSON list of the faults that are armed from the start'),
  },
  examples: [
    'causeway sandbox --port 8480 --info sandbox.json',
    'causeway sandbox --seed 7 --no-makers --manual-clock --info /tmp/sandbox.json',
  ],
  async run({ port, host, seed, info, accounts, makers, limits, data, profile, ...values }) {
    const faults = values.faults === undefined ? [] : faultsOf(values.faults);
    const sandbox = await startSandbox({
      seed,
      port,
      host,
      accounts,
      clock: values['manual-clock'] ? new ManualClock() : systemClock,
      makers,
      backend: values.backend,
      reportFault: (error) => console.error('causeway sandbox: internal error', error),
      ...(data === undefined ? {} : { data }),
      ...(profile === undefined ? {} : { profile: loadProfile(profile) }),
    });
    if (!limits) sandbox.venue.state.setLimits({ actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
    const { state } = sandbox.venue;
    state.clock.setError({ offsetMs: values['clock-offset'], driftPpm: values['clock-drift'] });
    for (const rule of faults) state.faults.arm(rule);
    const stop = stopAsked();
    if (info !== undefined) writeInfo(info, sandbox.info);
    const { baseUrl, adminUrl } = sandbox.info;
    console.log(
      values.json
        ? JSON.stringify({ ready: true, baseUrl, adminUrl })
        : `sandbox ready at ${baseUrl}, operator at ${adminUrl}`,
    );
    await stop;
    await sandbox.stop();
    return exitCodes.done;
  },
});

function faultsOf(file: string): readonly FaultRule[] {
  const fault = (message: string) => new UsageError(`--faults ${file}: ${message}`);
  try {
    return z
      .array(faultRuleSchema)
      .max(256)
      .parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof z.ZodError) throw fault(z.prettifyError(error));
    throw error instanceof Error ? fault(error.message) : error;
  }
}
