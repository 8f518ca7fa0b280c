/** `causeway demo`: the embedded venue with living markets, and the bridge in front of it, ready for a FIX client. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../gateway/config-file.ts';
import { Gateway } from '../gateway/gateway.ts';
import { developmentAccounts } from '../sandbox/development-accounts.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { openEcdsa } from '../signer/ecdsa.ts';
import { loadProfile } from '../venue/profile.ts';
import { type DemoSession, demoSessions, writeDemoFiles } from './demo-files.ts';
import { exitCodes, UsageError, type Verb } from './verb.ts';

const help = `causeway demo [options]

Starts the embedded venue with market makers, and the bridge with a FIX 4.4 port, on loopback, with development keys.

  --port P      FIX port; 0 takes a free one (9880)
  --info FILE   where to write, when ready, the JSON that a client starts from
  --data DIR    keep everything; the same command goes on where it was, also after kill -9
  --seed S      integer from which accounts, keys and passwords follow (1)
  --cod         cancel a session's orders when its connection breaks
  --no-makers   no market makers
  --venue URL   an outside venue with the sandbox profile and the accounts of the same seed

Examples:
  causeway demo
  causeway demo --port 0 --data ./demo --info demo.json`;

const options = {
  port: { type: 'string', default: '9880' },
  info: { type: 'string' },
  data: { type: 'string' },
  seed: { type: 'string', default: '1' },
  cod: { type: 'boolean', default: false },
  makers: { type: 'boolean', default: true },
  venue: { type: 'string' },
} as const;

const host = '127.0.0.1';
const profileFile = resolve(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');

export const verb: Verb = {
  summary: 'the venue, living markets and the bridge, in one command',
  help,
  async run(args) {
    const { values } = parseArgs({ args: [...args], options, allowNegative: true });
    const seed = integer('seed', values.seed, 2 ** 31 - 1);
    const port = integer('port', values.port, 65_535);
    const isKept = values.data !== undefined;
    const directory = isKept
      ? resolve(values.data ?? '')
      : mkdtempSync(join(tmpdir(), 'causeway-demo-'));
    const makers = values.makers;
    const sandbox =
      values.venue === undefined
        ? await startSandbox({ seed, makers, ...(isKept && { data: join(directory, 'venue') }) })
        : undefined;
    const accounts = sandbox?.info.accounts ?? (await accountsOf(seed));
    const configFile = await writeDemoFiles({
      directory,
      seed,
      fixHost: host,
      fixPort: port,
      venueUrl: values.venue ?? sandbox?.info.baseUrl ?? '',
      profileFile,
      accounts,
      cancelOnDisconnect: values.cod,
    });
    const gateway = await openGateway(configFile);
    const sessions = demoSessions(seed);
    if (values.info !== undefined) writeInfo(values.info, { gateway, sandbox, sessions });
    console.log(welcome(gateway, sandbox, sessions));
    await stopAsked();
    await gateway.stop();
    await sandbox?.stop();
    if (!isKept) rmSync(directory, { recursive: true, force: true });
    return exitCodes.done;
  },
};

function openGateway(configFile: string): Promise<Gateway> {
  return Gateway.open({
    loaded: loadConfig(configFile),
    alarm: (text) => console.error(`ALARM ${text}`),
    notice: () => {},
    fatal(error) {
      console.error('the store has failed, so the bridge ends:', error);
      process.exit(exitCodes.failed);
    },
  });
}

async function accountsOf(seed: number) {
  return developmentAccounts(
    { profile: loadProfile(profileFile), seed },
    await openEcdsa('auto'),
    4,
  );
}

interface Running {
  readonly gateway: Gateway;
  readonly sandbox: Sandbox | undefined;
  readonly sessions: readonly DemoSession[];
}

/** A reader sees the whole file or none; it holds passwords, so only its owner may read it. */
function writeInfo(file: string, { gateway, sandbox, sessions }: Running): void {
  const info = {
    fix: { host, port: gateway.port, beginString: 'FIX.4.4', sessions },
    symbols: gateway.symbols,
    sandbox: sandbox?.info ?? null,
  };
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify(info, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

function welcome(
  gateway: Gateway,
  sandbox: Sandbox | undefined,
  sessions: readonly DemoSession[],
): string {
  const [first] = sessions;
  return [
    `FIX 4.4 on ${host}:${gateway.port}`,
    ...sessions.map(
      ({ senderCompId, targetCompId, username, password, role, accounts }) =>
        `  49=${senderCompId} 56=${targetCompId} 553=${username} 554=${password}  ${role} ${accounts.join(', ')}`,
    ),
    ...(sandbox ? [`venue ${sandbox.info.baseUrl}, operator ${sandbox.info.adminUrl}`] : []),
    '',
    `A Logon that works, | stands for SOH:`,
    `  8=FIX.4.4|35=A|34=1|49=${first?.senderCompId}|56=${first?.targetCompId}|98=0|108=30|553=${first?.username}|554=${first?.password}|`,
    'and an order:',
    '  35=D|11=my-1|55=BTC-USDC|54=1|38=0.01|40=2|44=49000|59=1|60=<now>|',
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}

function integer(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (/^\d{1,10}$/.test(text) && value <= highest) return value;
  throw new UsageError(`--${name} must be an integer from 0 to ${highest}, not ${text}`);
}

function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}
