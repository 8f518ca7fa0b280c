/** `causeway signer`: the process that holds the signing keys and opens nothing but one Unix socket. */
import { readFileSync } from 'node:fs';
import { readSignerFile } from '../gateway/signing.ts';
import { openSignerCore } from '../signer/open-signer.ts';
import { readPassphrase } from '../signer/passphrase.ts';
import { serveSigner } from '../signer/signer-server.ts';
import { loadProfile } from '../venue/profile.ts';
import { command } from './command.ts';
import { descriptorRange, integer, needed } from './options.ts';
import { stopAsked } from './stop.ts';
import { exitCodes } from './verb.ts';

const about = `Holds the signing keys and signs what its own policy allows, over a Unix socket in a directory of
mode 0700. It needs no network: run it with RestrictAddressFamilies=AF_UNIX or PrivateNetwork=yes.`;

export const verb = command({
  name: 'signer',
  summary: 'hold the signing keys, in a process of their own',
  forms: ['--config FILE [options]'],
  about,
  options: {
    config: needed('FILE', 'which keys, for which accounts, with which policy (YAML)'),
    'passphrase-fd': integer(
      'N',
      'one passphrase for the keys that name no passphraseFile; else it is asked for',
      descriptorRange,
    ),
  },
  examples: [
    'causeway signer --config config/signer.yaml',
    'causeway signer --config config/signer.yaml --passphrase-fd 3 3< /run/secrets/signer',
  ],
  async run(values) {
    const config = readSignerFile(values.config, null);
    const contract = loadProfile(config.profile);
    warnOfCoreDumps();
    const askPassphrase = passphraseOnce(values['passphrase-fd']);
    const alarm = (text: string) => console.error(`ALARM ${text}`);
    const fatal = (error: Error) => {
      console.error(`the ledger of nonces cannot be written: ${error.message}`);
      process.exit(exitCodes.failed);
    };
    const opened = await openSignerCore({ config, contract, askPassphrase, alarm, fatal });
    const server = await serveSigner(opened.core, config.socket, (text) => console.error(text));
    const stop = stopAsked();
    const keys = [...opened.core.keys].map(([account, address]) => ({ account, address }));
    const { backends } = opened;
    const { socket } = config;
    if (values.json) console.log(JSON.stringify({ ready: true, keys, backends, socket }));
    else {
      for (const { account, address } of keys) console.log(`${address} signs for ${account}`);
      console.log(`signing with ${backends} on ${socket}`);
    }
    await stop;
    await server.close();
    await opened.close();
    return exitCodes.done;
  },
});

/** A descriptor can be read only once, so its passphrase serves every key. */
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

/** A core dump of this process would hold the keys. */
function warnOfCoreDumps(): void {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    if (/^Max core file size\s+0\s/m.test(limits)) return;
    console.error('core dumps are on and would hold the keys: start the signer with ulimit -c 0');
  } catch {
    // Only Linux has this file.
  }
}
