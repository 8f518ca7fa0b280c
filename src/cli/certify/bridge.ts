/**
 * The bridge that counterparties trade on during their certification: a sandbox, the gateway, and a session for them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BridgeSetup, Login } from '../../certify/bridge-setup.ts';
import type { Interview } from '../../certify/interview.ts';
import type { Config } from '../../gateway/config/config.ts';
import { hashSecret, lightCost } from '../../gateway/passwords/secret-hash.ts';
import { freePort } from '../../runtime/free-port.ts';
import { copyShipped } from '../../runtime/shipped.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { sandboxProfile } from '../../venue/profile.ts';
import { demoSessions, writeDemoFiles } from '../demo-files.ts';
import { BridgeActs, changeConfig } from './bridge-acts.ts';
import { BridgeProcess } from './bridge-process.ts';
import { CertifySigner } from './signer.ts';

const host = '127.0.0.1';
const seed = 1;
const account = 'desk-a';
const everyAccount = ['desk-a', 'desk-b'];
/** The login if the counterparty has no password, which nobody needs to know. */
const defaultLogin = { username: 'certified', password: 'said-for-the-counterparty' };

export interface CertifyBridgeOptions
  extends Pick<Login, 'senderCompId' | 'targetCompId'>,
    Partial<Pick<Interview, 'protocol' | 'framing'>> {
  /** The purpose of the counterparty's session. */
  readonly role: 'order-entry' | 'drop-copy';
  readonly credentials?: Pick<Login, 'username' | 'password'> | undefined;
  /** The files of the bridge's certificate and of its clients' CA; the other participant has none. */
  readonly tls?: NonNullable<Config['fix']['tls']>;
}

export async function openCertifyBridge(options: CertifyBridgeOptions): Promise<BridgeSetup> {
  await using opened = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), 'causeway-certify-'));
  opened.defer(() => rmSync(directory, { recursive: true, force: true }));
  const sandbox = await startSandbox({ seed, makers: false });
  opened.defer(() => sandbox.stop());
  const { senderCompId, targetCompId, credentials } = options;
  const login: Login = { senderCompId, targetCompId, ...(credentials ?? defaultLogin) };
  // After a restart the bridge uses the same ports as before.
  const port = await freePort({ host, port: 0 });
  const fixpPort = await freePort({ host, port: 0 });
  const backupPort = await freePort({ host, port: 0 });
  const configFile = await writeDemoFiles({
    directory,
    seed,
    fixHost: host,
    fixPort: port,
    fixpPort,
    venueUrl: sandbox.info.baseUrl,
    profileFile: copyShipped(sandboxProfile, directory),
    accounts: sandbox.info.accounts,
    cancelOnDisconnect: false,
  });
  addSession(directory, configFile, login, options);
  const signer = new CertifySigner(join(directory, 'signer.yaml'));
  opened.defer(() => signer.stop());
  await signer.start();
  const bridge = new BridgeProcess(configFile);
  opened.defer(() => bridge.end('SIGTERM'));
  await bridge.start();
  const session = `FIX.4.4:${login.targetCompId}/->${login.senderCompId}/`;
  const acts = new BridgeActs({ bridge, signer, configFile, backupPort, senderCompId, session });
  const [contra, reader, other] = ['BRAVO', 'DROP', 'ALPHA'].map((name) =>
    demoSessions(seed).find(({ senderCompId }) => senderCompId === name),
  );
  if (contra === undefined || reader === undefined || other === undefined)
    throw new Error('the demo lacks a session');
  // In a scenario, `{account}` is the account that the counterparty trades on.
  const ownAccount = sandbox.info.accounts[0]?.account ?? '';
  const venue = (text: string) =>
    operate(sandbox.info.adminUrl, text.replaceAll('{account}', ownAccount));
  const kept = opened.move();
  return {
    host,
    port,
    fixpPort,
    backupPort,
    contra,
    other,
    reader,
    login,
    setNumbers: (nextIn, nextOut) => bridge.ask({ kind: 'numbers', session, nextIn, nextOut }),
    venue,
    act: (text) => acts.act(text),
    async tidy() {
      await venue('POST /reset');
      await acts.undo();
      await bridge.ask({ kind: 'cancel' });
    },
    trace: (orderIds) =>
      orderIds.flatMap((orderId) => {
        const order = sandbox.venue.state.exchange.order(orderId);
        if (order === null) return [];
        const { actionHash, nonce, state } = order;
        return [{ orderId, actionHash, nonce, state }];
      }),
    stop: () => kept.disposeAsync(),
  };
}

/** Adds the counterparty's session on the demo's first account, and replaces a session of the same name. */
function addSession(
  directory: string,
  configFile: string,
  login: Login,
  { role, protocol = 'fix', framing = 'big', tls }: CertifyBridgeOptions,
): void {
  const { senderCompId, targetCompId, username, password } = login;
  const hashFile = join(directory, 'secrets', 'counterparty.hash');
  writeFileSync(hashFile, `${hashSecret(password, lightCost)}\n`, { mode: 0o600 });
  const session = {
    protocol,
    senderCompId,
    // A FIXP client is identified by its user alone.
    ...(protocol === 'fix' && { targetCompId, allowReset: true }),
    role,
    users: [username],
    accounts: role === 'drop-copy' ? everyAccount : [account],
    actions: ['order', 'quote', 'algo', 'conditional'],
  };
  const user = { name: username, secretHashFile: hashFile };
  changeConfig(configFile, ({ fix, fixp, sessions, users }) => ({
    fix: { ...fix, ...(tls && { tls }) },
    fixp: { ...fixp, byteOrder: framing, ...(tls && { tls }) },
    signer: { mode: 'process', socket: 'signer.sock' },
    users: [...users.filter(({ name }) => name !== username), user],
    sessions: [...sessions.filter((one) => one.senderCompId !== senderCompId), session],
    // The bridge does not wait for orders at the end of the certification.
    shutdownGraceMs: 0,
  }));
}

async function operate(adminUrl: string, text: string): Promise<void> {
  const [, method = '', path = '', body] = /^(\S+) (\S+) ?(\{.*\})?$/.exec(text) ?? [];
  const answer = await fetch(`${adminUrl}${path}`, {
    method,
    ...(body !== undefined && { body }),
  });
  if (!answer.ok) throw new Error(`${text}: HTTP ${answer.status} ${await answer.text()}`);
}
