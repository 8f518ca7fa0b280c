/** `causeway client`: a small interactive client for FIX or FIXP, to try a bridge by hand or from a script. */
import { readFileSync } from 'node:fs';
import { type FixPeer, runFixClient } from './client-fix.ts';
import { type FixpPeer, runFixpClient } from './client-fixp.ts';
import { command } from './command.ts';
import { allCommands, type HandTls, printer } from './conversation.ts';
import { readInfo } from './info-file.ts';
import { flag, integer, portRange, text } from './options.ts';
import { exitCodes, UsageError, type Values } from './verb.ts';

const options = {
  info: text('FILE', 'what "causeway demo --info FILE" wrote'),
  session: text('COMPID', 'which of its sessions; the first for order entry when absent'),
  host: text('H', 'where the bridge is', '127.0.0.1'),
  fixp: flag('speak FIXP and SBE'),
  port: integer('P', 'its port', portRange),
  sender: text('COMPID', 'SenderCompID(49)'),
  target: text('COMPID', 'TargetCompID(56)'),
  user: text('NAME', 'Username(553)', ''),
  'password-file': text('FILE', 'the password of the user'),
  tls: flag('connect over TLS; implied by the files below'),
  ca: text('FILE', 'certificates that are trusted, as PEM; those of the system when absent'),
  cert: text('FILE', 'client certificate, if the bridge requires one'),
  key: text('FILE', 'its key'),
  data: text('DIR', 'keep the sequence numbers of FIX there; if absent, each logon resets them'),
} as const;

export const verb = command({
  summary: 'trade by hand over FIX or FIXP',
  forms: [
    '--info FILE [--session COMPID]',
    '--host H --port P --sender COMPID --target COMPID --user NAME --password-file FILE',
    '--fixp --info FILE [--session NAME]',
    '--fixp --host H --port P --user NAME --password-file FILE',
  ],
  about: 'Connects as a client of FIX 4.4, or of FIXP, and shows each message with names.',
  options,
  notes: `Commands on standard input, one a line:\n\n  ${allCommands.replaceAll('\n', '\n  ')}`,
  examples: [
    'causeway client --info demo.json',
    "echo 'buy BTC-USDC 0.01 49000' | causeway client --info demo.json --session BRAVO",
    "echo 'buy BTC-USDC 0.01 49000' | causeway client --fixp --info demo.json",
  ],
  async run({ data, info, session, json, fixp, tls: isTls, ca, cert, key, ...values }) {
    const tls = tlsOf(isTls, { ca, cert, key });
    const print = printer(json);
    if (fixp && data !== undefined) throw new UsageError('--data is for FIX, not with --fixp');
    if (fixp) {
      const peer = info === undefined ? givenFixp(values) : fixpFromInfo(info, session);
      await runFixpClient({ ...peer, tls }, print);
    } else {
      const peer = info === undefined ? givenFix(values) : fixFromInfo(info, session);
      await runFixClient({ ...peer, tls, data }, print);
    }
    return exitCodes.done;
  },
});

type TlsFiles = Readonly<Record<'ca' | 'cert' | 'key', string | undefined>>;

function tlsOf(isTls: boolean, files: TlsFiles): HandTls | undefined {
  const given = Object.entries(files).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readFileSync(file)] as const],
  );
  return isTls || given.length > 0 ? Object.fromEntries(given) : undefined;
}

function fixFromInfo(file: string, name: string | undefined): FixPeer {
  const { host, port, sessions } = readInfo(file).fix;
  const named = sessions.map((one) => ({ name: one.senderCompId, host, port, ...one }));
  return chosen(named, name, file);
}

function fixpFromInfo(file: string, name: string | undefined): FixpPeer {
  const { fixp } = readInfo(file);
  if (fixp === undefined) throw new UsageError(`${file} names no FIXP port`);
  const { host, port, sessions } = fixp;
  return { ...chosen(sessions, name, file), host, port };
}

/** The session with this name, or the first one for order entry. */
function chosen<S extends { readonly name: string; readonly role: string }>(
  sessions: readonly S[],
  name: string | undefined,
  file: string,
): S {
  const session = sessions.find((one) =>
    name === undefined ? one.role === 'order-entry' : one.name === name,
  );
  if (session !== undefined) return session;
  const known = sessions.map((one) => one.name).join(', ');
  throw new UsageError(`--session ${name}: ${file} has ${known}`);
}

type Given = Pick<
  Values<typeof options>,
  'host' | 'port' | 'sender' | 'target' | 'user' | 'password-file'
>;

function givenFix(given: Given): FixPeer {
  const { host, port, sender, target, user } = given;
  if (port === undefined || sender === undefined || target === undefined) {
    throw new UsageError('--info FILE, or --port, --sender and --target, are needed');
  }
  const names = { senderCompId: sender, targetCompId: target, username: user };
  return { host, port, ...names, password: passwordOf(given) };
}

function givenFixp(given: Given): FixpPeer {
  const { host, port, user } = given;
  if (port === undefined || user === '') {
    throw new UsageError('--info FILE, or --port and --user, are needed');
  }
  return { host, port, name: user, username: user, password: passwordOf(given) };
}

function passwordOf({ 'password-file': file }: Given): string {
  return file === undefined ? '' : readFileSync(file, 'utf8').trim();
}
