/** `causeway demo`: the embedded venue with live markets, and the bridge in front of it, for FIX and FIXP clients. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Bridge, openBridge } from '../console/console.ts';
import { type LoadedConfig, loadConfig } from '../gateway/config/config-file.ts';
import { DataLock } from '../gateway/data/data-lock.ts';
import { copyShipped } from '../runtime/shipped.ts';
import { developmentAccounts } from '../sandbox/development-accounts.ts';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { openEcdsa } from '../signer/ecdsa.ts';
import { sandboxProfile, shippedProfile } from '../venue/profile.ts';
import { command } from './command.ts';
import { demoFixpSessions, demoOperator, demoSessions, writeDemoFiles } from './demo-files.ts';
import { logonText } from './demo-logon.ts';
import { awaitFailedTransactions } from './failed-transaction.ts';
import { writeInfo } from './info-file.ts';
import { flag, integer, portRange, seedRange, text } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

const host = '127.0.0.1';
const usualConsolePort = 9881;
const usualFixpPort = 9882;

const about = `Starts the embedded venue with market makers, and the bridge with a port for FIX 4.4 and one for FIXP, on
loopback, with development keys.`;

export const verb = command({
  summary: 'the venue, living markets and the bridge, in one command',
  forms: ['[options]'],
  about,
  options: {
    port: integer('P', 'FIX port; 0 takes a free one', portRange, 9880),
    'fixp-port': integer(
      'P',
      `FIXP port; ${usualFixpPort}, or a free one with --port 0`,
      portRange,
    ),
    console: integer(
      'P',
      `port of the console; ${usualConsolePort}, or a free one with --port 0`,
      portRange,
    ),
    info: text('FILE', 'where to write, when ready, the JSON that a client starts from'),
    data: text('DIR', 'keep everything; the same command resumes there, also after kill -9'),
    seed: integer('S', 'from which accounts, keys and passwords follow', seedRange, 1),
    cod: flag("cancel a session's orders when its connection breaks"),
    makers: flag('no market makers', true),
    venue: text('URL', 'an outside venue with the sandbox profile and accounts of the same seed'),
  },
  examples: ['causeway demo', 'causeway demo --port 0 --data ./demo --info demo.json'],
  async run({ port, console: consolePort, info, data, seed, cod, makers, venue, json, ...ports }) {
    const directory =
      data === undefined ? mkdtempSync(join(tmpdir(), 'causeway-demo-')) : resolve(data);
    const kept = data === undefined ? {} : { data: join(directory, 'venue') };
    // A signal during the start must not leave development keys in the temporary directory.
    const stop = stopAsked();
    // If a port is in use, no venue must keep running and keep the process alive.
    await using opened = new AsyncDisposableStack();
    if (data === undefined) opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    const sandbox = venue === undefined ? await startSandbox({ seed, makers, ...kept }) : undefined;
    opened.defer(() => sandbox?.stop());
    const configFile = await writeDemoFiles({
      directory,
      seed,
      fixHost: host,
      fixPort: port,
      fixpPort: ports['fixp-port'] ?? (port === 0 ? 0 : usualFixpPort),
      consolePort: consolePort ?? (port === 0 ? 0 : usualConsolePort),
      venueUrl: venue ?? sandbox?.info.baseUrl ?? '',
      profileFile: copyShipped(sandboxProfile, directory),
      accounts: sandbox?.info.accounts ?? (await accountsOf(seed)),
      cancelOnDisconnect: cod,
    });
    const loaded = loadConfig(configFile);
    const lock = DataLock.take(loaded);
    opened.defer(() => lock.release());
    const bridge = await openDemo(loaded);
    opened.defer(() => bridge.stop());
    if (sandbox !== undefined)
      nameLanes(sandbox, bridge, copyShipped('dictionaries/orders.xml', directory));
    const running = demoInfo(bridge, sandbox, seed);
    if (info !== undefined) writeInfo(info, running);
    console.log(json ? JSON.stringify(running) : welcome(running));
    await stop;
    return exitCodes.done;
  },
});

function openDemo(loaded: LoadedConfig): Promise<Bridge> {
  awaitFailedTransactions();
  return openBridge({
    loaded,
    alarm: (text) => console.error(`ALARM ${text}`),
    notice: () => {},
    fatal(error) {
      console.error('the bridge cannot continue, so it exits:', error);
      process.exit(exitCodes.failed);
    },
  });
}

/** The venue of the demo publishes the bridge's addresses. */
function nameLanes({ venue }: Sandbox, { gateway }: Bridge, schemaFile: string): void {
  Object.assign(venue.state.lanes, {
    fix: { host, port: gateway.port, tlsSni: null },
    fixp: { host, port: gateway.fixpPort, tlsSni: null },
    fixpSchemaUrl: pathToFileURL(schemaFile).href,
  });
}

async function accountsOf(seed: number) {
  return developmentAccounts({ profile: shippedProfile(), seed }, await openEcdsa(), 4);
}

type DemoInfo = ReturnType<typeof demoInfo>;

/** It contains passwords, so only its owner may read it. */
function demoInfo(
  { consoleUrl = '', gateway }: Bridge,
  sandbox: Sandbox | undefined,
  seed: number,
) {
  return {
    fix: { host, port: gateway.port, beginString: 'FIX.4.4', sessions: demoSessions(seed) },
    fixp: {
      ...{ host, port: gateway.fixpPort, framing: 'big-endian' },
      sessions: demoFixpSessions(seed),
    },
    console: { url: consoleUrl, ...demoOperator(seed) },
    symbols: gateway.symbols,
    sandbox: sandbox?.info ?? null,
  };
}

function welcome({ console: desk, fix, fixp, sandbox }: DemoInfo): string {
  const [first] = fix.sessions;
  return [
    `FIX 4.4 on ${host}:${fix.port}`,
    ...fix.sessions.map(
      ({ senderCompId, targetCompId, username, password, role, accounts }) =>
        `  49=${senderCompId} 56=${targetCompId} 553=${username} 554=${password}  ${role} ${accounts.join(', ')}`,
    ),
    `FIXP on ${host}:${fixp.port}, as "causeway client --fixp" speaks it`,
    ...fixp.sessions.map(
      ({ username, password, role, accounts }) =>
        `  user ${username} password ${password}  ${role} ${accounts.join(', ')}`,
    ),
    `console ${desk.url}  name ${desk.name}  token ${desk.token}`,
    ...(sandbox ? [`venue ${sandbox.baseUrl}, operator ${sandbox.adminUrl}`] : []),
    '',
    ...(first
      ? ['A Logon that works for two minutes, with | for SOH:', `  ${logonText(first, Date.now())}`]
      : []),
    'and the fields of an order:',
    '  35=D|11=my-1|55=BTC-USDC|54=1|38=0.01|40=2|44=49000|59=1|60=<now>|',
    '',
    'Ctrl-C ends the demo.',
  ].join('\n');
}
