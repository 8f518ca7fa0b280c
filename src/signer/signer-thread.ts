/** The signer as a thread of the bridge: frames come and go over the thread's port. */
import { parentPort, workerData } from 'node:worker_threads';
import { WarmLoop } from '../runtime/warm-loop.ts';
import { KeystoreError } from './keystore.ts';
import { openSignerCore, type ThreadData } from './open-signer.ts';
import { signerConfigSchema } from './signer-config.ts';
import { answerFrame } from './signer-server.ts';

const port = parentPort;
if (port === null) throw new Error('signer-thread runs as a worker thread');

const { config, contract } = workerData as ThreadData;
const { core, close } = await openSignerCore({
  config: signerConfigSchema.parse(config),
  contract,
  askPassphrase: (file) =>
    Promise.reject(new KeystoreError(`${file} needs a passphraseFile: a thread cannot ask`)),
  alarm: (text) => port.postMessage({ alarm: text }),
  fatal: (error) => {
    throw error;
  },
  isShared: true,
});
const warm = new WarmLoop();
port.on('message', (word: Uint8Array | 'close') => {
  if (word === 'close') void close().then(() => port.close());
  else {
    void answerFrame(core, word).then((answer) => {
      port.postMessage(answer);
      warm.keep();
    });
  }
});
port.postMessage('ready');
