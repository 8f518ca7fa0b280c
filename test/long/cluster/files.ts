/** The files of a cluster as its operator would write them: keys, credentials and sessions that all nodes have, and those of each node. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { hashSecret } from '../../../src/gateway/passwords/secret-hash.ts';
import type { SandboxInfo } from '../../../src/sandbox/server.ts';
import { sealKey, writeKeystore } from '../../../src/signer/keystore.ts';

/** Passwords and keys of a test need no second of work to check. */
const quickScrypt = { N: 16, r: 1, p: 1 };
const quickSeal = { n: 1024, r: 8, p: 1 };

/** A shard is an account with a session of each protocol, or with as many as are asked for. */
export interface ShardPlan {
  readonly name: string;
  readonly account: string;
  readonly fix: readonly string[];
  readonly fixp: readonly string[];
}

export const passwordOf = (session: string) => `the password of ${session}`;

export class ClusterFiles {
  readonly directory: string;
  readonly shards: readonly ShardPlan[];
  readonly signerFile: string;
  readonly #info: SandboxInfo;
  readonly #profileFile: string;

  static async write(
    directory: string,
    info: SandboxInfo,
    profileFile: string,
    shards: readonly ShardPlan[],
  ): Promise<ClusterFiles> {
    const files = new ClusterFiles(directory, info, profileFile, shards);
    mkdirSync(files.#secret(''), { recursive: true, mode: 0o700 });
    for (const shard of shards) await files.#writeSecrets(shard);
    files.#write('signer.yaml', files.#signer());
    return files;
  }

  private constructor(
    directory: string,
    info: SandboxInfo,
    profileFile: string,
    shards: readonly ShardPlan[],
  ) {
    this.directory = directory;
    this.shards = shards;
    this.signerFile = join(directory, 'signer.yaml');
    this.#info = info;
    this.#profileFile = profileFile;
  }

  /** Writes the files of one machine, and answers that of its cluster. */
  writeNode(name: string, bridge: object, cluster: object): string {
    mkdirSync(join(this.directory, name), { mode: 0o700 });
    this.#write(`${name}/gateway.yaml`, { ...this.#bridge(), ...bridge });
    this.#write(`${name}/cluster.yaml`, { bridge: 'gateway.yaml', ...cluster });
    return join(this.directory, name, 'cluster.yaml');
  }

  #secret(name: string): string {
    return join(this.directory, 'secrets', name);
  }

  #write(name: string, value: object | string): void {
    const text = typeof value === 'string' ? value : stringify(value);
    writeFileSync(join(this.directory, name), text, { mode: 0o600 });
  }

  async #writeSecrets({ account: id, fix, fixp, name }: ShardPlan): Promise<void> {
    const account = this.#info.accounts.find((one) => one.account === id);
    const key = account?.agents[0]?.key;
    if (account === undefined || key === undefined) throw new Error(`no account ${id}`);
    const { apiKey, apiSecret, passphrase } = account;
    const texts = { apiKey, apiSecret, passphrase, keyPassphrase: `the key of ${name}` };
    for (const [what, text] of Object.entries(texts)) {
      this.#write(`secrets/${name}.${what}`, `${text}\n`);
    }
    const sealed = await sealKey(Buffer.from(key, 'hex'), texts.keyPassphrase, 'local', quickSeal);
    writeKeystore(this.#secret(`${name}.keystore.json`), sealed);
    for (const session of [...fix, ...fixp]) {
      this.#write(`secrets/${session}.hash`, `${hashSecret(passwordOf(session), quickScrypt)}\n`);
    }
  }

  #signer(): object {
    return {
      environment: 'local',
      profile: this.#profileFile,
      socket: 'signer.sock',
      dataDir: 'signer',
      keys: this.shards.map(({ account, name }) => ({
        keystoreFile: `secrets/${name}.keystore.json`,
        passphraseFile: `secrets/${name}.keyPassphrase`,
        policy: { accounts: [account] },
      })),
    };
  }

  #bridge(): object {
    const hash = (session: string) => this.#secret(`${session}.hash`);
    return {
      environment: 'local',
      dataDir: 'data',
      venue: { profile: this.#profileFile, baseUrl: this.#info.baseUrl },
      signer: { mode: 'process', socket: join(this.directory, 'signer.sock') },
      shutdownGraceMs: 2_000,
      accounts: this.shards.map(({ account, name }) => ({
        name,
        account,
        apiKeyFile: this.#secret(`${name}.apiKey`),
        apiSecretFile: this.#secret(`${name}.apiSecret`),
        passphraseFile: this.#secret(`${name}.passphrase`),
      })),
      users: this.shards.flatMap(({ fix, fixp }) =>
        [...fix, ...fixp].map((name) => ({ name, secretHashFile: hash(name) })),
      ),
      sessions: this.shards.flatMap(({ fix, fixp, name: account }) => [
        ...fix.map((name) => ({ ...sessionOf(name, account), targetCompId: 'CAUSEWAY' })),
        ...fixp.map((name) => ({ protocol: 'fixp', ...sessionOf(name, account) })),
      ]),
    };
  }
}

function sessionOf(name: string, account: string): object {
  return {
    senderCompId: name,
    role: 'order-entry',
    users: [name],
    accounts: [account],
    actions: ['order'],
  };
}
