/** A signer process whose keys are in a token, in any form of the program, and its reloads with other keys of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { LedgerAnchors } from '../../src/signer/ledger-anchors.ts';
import { RemoteSigner } from '../../src/signer/remote-signer.ts';
import { socketLink } from '../../src/signer/signer-link.ts';
import { account, contract, envelope, request } from '../signer/signer-samples.ts';
import { pin, type SoftToken, softHsm } from './soft-token.ts';
import { until } from './waits.ts';

const root = join(import.meta.dirname, '../..');
const keyOf = (keyLabel: string, address: Account) => ({
  token: { module: softHsm, label: 'desk', keyLabel, pinFile: 'pin', address },
});

/**
 * Returns the key that signed at each step, and what the signer wrote. The token has the keys desk-1 and desk-2. In two of
 * the steps the file names a key that the token does not have, and a key by the address of the other one.
 */
export async function rotateInToken(
  command: readonly [string, ...string[]],
  token: SoftToken,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly keys: readonly string[]; readonly log: string; readonly code: number }> {
  const directory = join(token.directory, 'signer');
  mkdirSync(directory);
  chmodSync(directory, 0o700);
  writeFileSync(join(directory, 'pin'), `${pin}\n`, { mode: 0o600 });
  const [one, two] = [token.addKey('desk-1'), token.addKey('desk-2', { id: '02' })];
  const file = join(directory, 'signer.yaml');
  const configure = (key: object) => {
    const keys = [{ ...key, policy: { accounts: [account] } }];
    const profile = join(root, 'dictionaries/venue.sandbox.yaml');
    const place = { environment: 'local', profile, socket: 'signer.sock', dataDir: '.' };
    writeFileSync(file, JSON.stringify({ ...place, keys }));
  };
  configure(keyOf('desk-1', one));
  const [program, ...words] = command;
  const child = spawn(program, [...words, 'signer', '--config', file, '--new-ledger'], { env });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const says = (text: string, from = 0) => {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    return until(() => hasEnded() || log.includes(text, from)).then(() => {
      if (!log.includes(text, from)) throw new Error(`not ${text}, but: ${log}`);
    });
  };
  const reload = async (key: object, outcome: string) => {
    configure(key);
    const from = log.length;
    child.kill('SIGHUP');
    await says(outcome, from);
  };
  let bridge: RemoteSigner | undefined;
  try {
    await says('signer_ready');
    const signer = await RemoteSigner.open({
      ...{ contract, clock: systemClock, link: socketLink(join(directory, 'signer.sock')) },
      anchors: new LedgerAnchors(null, systemClock, () => {}),
      report: () => {},
    });
    bridge = signer;
    const keys: string[] = [];
    const names = new Map([
      [one, 'desk-1'],
      [two, 'desk-2'],
    ]);
    const sign = async (refusedKey?: Account) => {
      const asked = request(envelope(keys.length + 1), refusedKey && { refusedKey });
      const result = await signer.sign(asked);
      keys.push(result.kind === 'signed' ? (names.get(result.key) ?? result.key) : result.text);
    };
    await sign();
    await reload({ ...keyOf('desk-2', two), older: keyOf('desk-1', one) }, 'config_read');
    await sign();
    await sign(two);
    await reload(keyOf('desk-9', one), 'config_refused');
    await sign();
    await reload(keyOf('desk-1', two), 'config_refused');
    await sign();
    await reload(keyOf('desk-2', two), 'config_read');
    await sign(two);
    return { keys, log, code: await ended(child) };
  } finally {
    await bridge?.close();
    child.kill('SIGKILL');
  }
}

async function ended(child: ChildProcess): Promise<number> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}
