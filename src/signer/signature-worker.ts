/** The thread of `signature-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type SignatureThreadData, signatureMaker } from './signature-thread.ts';

const port = parentPort;
if (port === null) throw new Error('signature-worker runs as a worker thread');

const { backend, secretKeys } = workerData as SignatureThreadData;
const answerTo = await signatureMaker({ backend, secretKeys });
port.on('message', (word: Uint8Array | 'close') => {
  if (word !== 'close') {
    port.postMessage(answerTo(word));
    return;
  }
  for (const secretKey of secretKeys) secretKey.fill(0);
  port.close();
});
port.postMessage('ready');
