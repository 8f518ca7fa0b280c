/** The least that a signing thread can be: a digest comes, its signature goes. What `signer.bench.ts` compares with. */
import { parentPort } from 'node:worker_threads';
import { openEcdsa } from '../src/signer/ecdsa.ts';

const port = parentPort;
if (port === null) throw new Error('runs as a worker thread');
const ecdsa = await openEcdsa('auto');
const key = new Uint8Array(32).fill(7);
port.on('message', (digest: Uint8Array) => port.postMessage(ecdsa.sign(digest, key)));
port.postMessage('ready');
