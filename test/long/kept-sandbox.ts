/** A sandbox on a data directory, in a process of its own, which prints where its operator is: for checks that kill it. */
import { ManualClock } from '../../src/runtime/clock.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
const sandbox = await startSandbox({ ...options, clock: new ManualClock() });
process.stdout.write(`${sandbox.info.adminUrl}\n`);
process.once('SIGTERM', () => void sandbox.stop().then(() => process.exit()));
