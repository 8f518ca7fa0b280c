/** The thread of `signature-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { type SignatureWorkerData, signatureMaker } from './signature-thread.ts';

if (parentPort === null) throw new Error('signature-worker runs as a worker thread');

const signUntilTheEnd = await signatureMaker(workerData as SignatureWorkerData);
parentPort.postMessage('ready');
signUntilTheEnd();
