/** `causeway signer`: the process that holds the signing keys and listens on one socket or port. */
import { isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { ConfigError } from '../gateway/config/config-file.ts';
import { readSignerFile } from '../gateway/signing.ts';
import { systemClock } from '../runtime/clock.ts';
import { type ExpiryCode, watchExpiry } from '../runtime/expiry-watch.ts';
import { FoldedAlarm } from '../runtime/folded-alarm.ts';
import { createLog, type Log } from '../runtime/log.ts';
import { ActionError } from '../signer/action.ts';
import { maxCanonicalBytes } from '../signer/canonical.ts';
import { ledgerTables } from '../signer/ledger-tables.ts';
import { expiriesOf, ledgerPlaceOf, openSignerCore } from '../signer/open-signer.ts';
import { readPassphrase } from '../signer/passphrase.ts';
import { pause, pauseFileIn, resume } from '../signer/pause-file.ts';
import { explainAction } from '../signer/policy-explained.ts';
import { RequestAudit } from '../signer/request-audit.ts';
import type { RaiseSignerAlarm, SignerAlarm } from '../signer/signer-alarm.ts';
import type { SignerConfig } from '../signer/signer-config.ts';
import { serveSigner } from '../signer/signer-server.ts';
import { SignerStatus } from '../signer/signer-status.ts';
import type { AuditHead } from '../store/audit-chain.ts';
import { AuditHeadFile, readAuditHead, setAside } from '../store/audit-head-file.ts';
import { loadProfile } from '../venue/profile.ts';
import { command } from './command.ts';
import { migrateAs } from './migrate.ts';
import { writeLine } from './operator-log.ts';
import { descriptorRange, flag, integer, needed, text } from './options.ts';
import { reloadsAsked, stopDuringStart } from './stop.ts';
import { concluded, exitCodes, UsageError, type Values } from './verb.ts';

const about = `Holds the signing keys and signs what its own policy allows, over a Unix socket in a directory of
mode 0700 or 0750, or over TLS for a bridge on another machine. With a socket it needs no network: run it with
RestrictAddressFamilies=AF_UNIX or PrivateNetwork=yes.`;

const options = {
  config: needed('FILE', 'which keys, for which accounts, with which policy (YAML)'),
  'passphrase-fd': integer(
    'N',
    'a passphrase for the keys without passphraseFile; default: prompt for it',
    descriptorRange,
  ),
  'new-ledger': flag('create the ledger of signed nonces if there is none, for the first start'),
  reason: text(
    'TEXT',
    'for pause: the reason, which the signer shows in its state and to "explain"',
  ),
  user: text('NAME', 'for migrate: the owner of the database, who creates the tables'),
  'password-file': text('FILE', 'for migrate: the password of that owner'),
} as const;

export const verb = command({
  summary: 'hold the signing keys in a separate process',
  forms: [
    '--config FILE [options]',
    'explain FILE --config FILE',
    'pause|resume --config FILE',
    'migrate --config FILE --user NAME [--password-file FILE]',
  ],
  about,
  actions: {
    explain: 'check the action in FILE (its canonical JSON) against each rule of the policy',
    pause: 'stop signing placements at once, until "resume"; cancels are still signed',
    resume: 'sign placements again',
    migrate: 'make or complete the tables of ledger.postgres, as the owner of that database',
  },
  isActionOptional: true,
  maxOperands: 2,
  options,
  examples: [
    'causeway signer --config config/signer.yaml --new-ledger',
    'causeway signer --config config/signer.yaml --passphrase-fd 3 3< /run/secrets/signer',
    'causeway signer pause --config config/signer.yaml --reason "unexplained fills"',
    'causeway signer migrate --config config/signer.yaml --user postgres',
  ],
  async run(values, [action, file]) {
    const config = readSignerFile(values.config, null);
    switch (action) {
      case 'explain':
        return explain(config, file, values.json);
      case 'pause':
      case 'resume':
        return setPause(pauseFileIn(config.dataDir), action, values);
      case 'migrate': {
        const place = ledgerPlaceOf(config);
        const { json, user } = values;
        if (place === undefined || user === undefined)
          throw new UsageError('migrate needs ledger.postgres in the configuration, and --user');
        return migrateAs(user, values['password-file'], place, ledgerTables, json);
      }
      default:
        return serve(config, values);
    }
  },
});

function setPause(
  file: string,
  action: 'pause' | 'resume',
  { json, reason = '' }: { readonly json: boolean; readonly reason?: string | undefined },
): number {
  let text = `No placement is signed while ${file} exists. "causeway signer resume" ends the pause.`;
  if (action === 'pause') pause(file, reason);
  else text = resume(file) ? 'Placements are signed again.' : 'Placements were not paused.';
  return concluded(json, { paused: action === 'pause', file }, text);
}

async function serve(config: SignerConfig, values: Values<typeof options>): Promise<number> {
  const reloads = reloadsAsked();
  const contract = loadProfile(config.profile);
  const log = createLog({ level: 'info' });
  const asked = stopDuringStart(log);
  warnOfCoreDumps(log);
  const alarm: RaiseSignerAlarm = (text, code) =>
    writeLine(log, text, { event: 'signer_alarm', code });
  const fatal = (code: SignerAlarm) => (error: Error) => {
    const text = `nothing can be recorded: ${error.message}`;
    writeLine(log, text, { event: 'signer_ended', code });
    process.exit(exitCodes.failed);
  };
  const { audit, headFile } = openAudit(config, log, alarm);
  const { backend, core, ...opened } = await openSignerCore({
    ...{ config, contract, alarm, fatal: fatal('ledger_failed') },
    askPassphrase: passphraseOnce(values['passphrase-fd']),
    mayCreateLedger: values['new-ledger'],
    unaudited: () => audit.problem,
  });
  const connections = () => server.connections;
  const status = new SignerStatus({
    ...{ core, audit, connections, alarm, clock: systemClock },
    fatal: fatal('audit_failed'),
  });
  const refused = new FoldedAlarm();
  const server = await serveSigner(core, config, {
    report: (text) => {
      const line = refused.add(text, systemClock.now().monoMs);
      if (line !== undefined) writeLine(log, line, { event: 'signer_connection' });
    },
    ended: (text) => status.ended(text),
    answered: (...frame) => status.answered(...frame),
  });
  const stop = asked();
  if (config.status?.socket !== undefined)
    await status.server.listenPrivately(config.status.socket);
  const { host = '127.0.0.1', port } = config.status ?? {};
  const url = port === undefined ? undefined : await status.server.listen({ host, port });
  const keys = () => [...core.keys].map(([account, address]) => ({ account, address }));
  const facts = {
    keys: keys(),
    backend,
    place: server.place,
    status: url ?? config.status?.socket,
  };
  const text = `signing with ${backend} on ${server.place}`;
  writeLine(log, text, { event: 'signer_ready' }, facts);
  const expiry = (text: string, code: ExpiryCode) =>
    writeLine(log, text, { event: 'expiry', code });
  let stopWatch = watchExpiry(expiriesOf(config), systemClock, expiry);
  const reload = async () => {
    try {
      const changed = readSignerFile(values.config, null);
      const { expiries, keys: next } = reloaded(config, changed);
      const renewCertificates = server.renewal();
      await opened.changeKeys(next);
      renewCertificates();
      stopWatch();
      stopWatch = watchExpiry(expiries, systemClock, expiry);
      const text = 'the keys and certificates of the configuration are in use';
      writeLine(log, text, { event: 'config_read' }, { keys: keys() });
    } catch (error) {
      writeLine(log, (error as Error).message, { event: 'config_refused' });
    }
  };
  reloads.begin(reload);
  await stop;
  await reloads.end();
  stopWatch();
  await server.close();
  await status.server.close();
  await opened.close();
  await audit.close();
  await headFile?.close();
  return exitCodes.done;
}

/** The parts of the configuration that a reload applies: keys with their policies, and certificates. */
function reloaded(config: SignerConfig, changed: SignerConfig) {
  const { keys } = changed;
  const other =
    JSON.stringify({ ...changed, keys: [] }) !== JSON.stringify({ ...config, keys: [] });
  if (other)
    throw new ConfigError('only keys change without a restart of the signer; nothing changed');
  return { keys, expiries: expiriesOf(changed) };
}

/** The head goes to the log and, if configured, to a file, which is compared at each start. */
function openAudit(
  { auditHeadFile: file, dataDir }: SignerConfig,
  log: Log,
  alarm: RaiseSignerAlarm,
): { readonly audit: RequestAudit; readonly headFile: AuditHeadFile | undefined } {
  const headFile =
    file === undefined
      ? undefined
      : new AuditHeadFile(file, (text) => alarm(text, 'audit_head_failed'));
  const published = (head: AuditHead) => {
    const text = `audit log: ${head.position} records, head ${head.hash}`;
    writeLine(log, text, { event: 'audit_head' });
    headFile?.write(head);
  };
  const kept = file && readAuditHead(file);
  const audit = new RequestAudit(dataDir, systemClock, { published, alarm });
  if (file && kept && !audit.has(kept)) {
    alarm(setAside(file, kept, audit.head.position), 'audit_cut');
  }
  return { audit, headFile };
}

async function explain(
  config: SignerConfig,
  file: string | undefined,
  isJson: boolean,
): Promise<number> {
  if (file === undefined) throw new UsageError('name the file with the action');
  const contract = loadProfile(config.profile);
  const asked = { config, contract, canonical: await actionIn(file), clock: systemClock };
  const { isAllowed, rows } = await explainAction(asked).catch((error: unknown) => {
    throw error instanceof ActionError ? new Error(`${file}: ${error.message}`) : error;
  });
  const lines = rows.map(({ rule, problem }) => `${rule.padEnd(18)}${problem ?? 'OK'}`);
  lines.push(isAllowed ? 'It would be signed.' : 'It would be refused.');
  return concluded(isJson, { allowed: isAllowed, rules: rows }, lines.join('\n'), isAllowed);
}

/** The text of an action. A file that is longer than any action is not read to its end, because it may have none. */
async function actionIn(file: string): Promise<Uint8Array> {
  const bytes = await buffer(createReadStream(file, { end: maxCanonicalBytes + 1 }));
  if (bytes.length > maxCanonicalBytes + 1) throw new Error(`${file} is longer than any action`);
  if (!isUtf8(bytes)) throw new Error(`${file} is not UTF-8`);
  return Buffer.from(bytes.toString().trim());
}

/** A descriptor can be read only once, so its passphrase is used for every key. */
function passphraseOnce(fd: number | undefined): (file: string) => Promise<string> {
  if (fd === undefined) {
    return (file) => readPassphrase({ fd: null, file: null }, `Passphrase for ${file}`);
  }
  let read: Promise<string> | undefined;
  return () => {
    read ??= readPassphrase({ fd, file: null }, '');
    return read;
  };
}

/**
 * A core dump of this process would contain the keys. Linux gives the memory of a program that its user may run and not
 * read to root, and writes no dumps of it, as if it had asked for that.
 */
function warnOfCoreDumps(log: Log): void {
  try {
    if (statSync('/proc/self/mem').uid !== process.getuid?.()) return;
    const limits = readFileSync('/proc/self/limits', 'utf8');
    if (/^Max core file size\s+0\s/m.test(limits)) return;
    const text = 'core dumps are on and would hold the keys: start the signer with ulimit -c 0';
    writeLine(log, text, { event: 'config_warning' });
  } catch {
    // Only Linux has this file.
  }
}
