/** Certifies a server that is scripted: it sends these lines in answer to each message, in a session of its own. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Certification } from '../../src/certify/certification.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { type Feature, parseInterview } from '../../src/certify/interview.ts';
import { calling } from '../../src/certify/port.ts';
import { listenToFix, type ReceivedMessage } from '../../src/certify/received-message.ts';
import type { Rung, ScenarioRecord } from '../../src/certify/record.ts';
import { catalogue } from './controls.ts';

const host = '127.0.0.1';
const names = { senderCompId: 'SERVER', targetCompId: 'DESK' };

export interface ServerOptions {
  readonly id: string;
  /** `end` closes the connection. */
  readonly answers: (message: ReceivedMessage) => readonly string[];
  /** The run is stopped as soon as the desk waits for what follows this rung. */
  readonly stopBehind?: (rung: Rung) => boolean;
  /** What the interview declares besides; a person is there, who does what is asked. */
  readonly features?: readonly Feature[];
}

export async function certifyServer({
  id,
  answers,
  stopBehind = () => false,
  features = [],
}: ServerOptions): Promise<ScenarioRecord> {
  const server = createServer((socket) => serve(socket, answers)).listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const interview = parseInterview(
    JSON.stringify({
      counterparty: { name: 'Scripted', software: 'certify-server', version: '1' },
      direction: 'initiator',
      session: { ...names, heartBtInt: 5 },
      address: { host, port, backup: { host, port } },
      features: ['keepsNumbers', ...features],
      patience: { connectS: 10, answerS: 3 },
    }),
    'server',
  );
  const certification = new Certification({
    catalogue,
    interview,
    port: calling({ host, port }),
    isAttended: features.length > 0,
    versions: { causeway: 'test', dictionaryHash: 'test' },
    onEvent: (event) => {
      if (event.kind === 'rung' && stopBehind(event.rung)) setImmediate(() => certification.stop());
    },
  });
  try {
    await certification.run([id]);
    return certification.evidence.scenario(id);
  } finally {
    await certification.close();
    server.close();
  }
}

function serve(socket: Socket, answers: ServerOptions['answers']): void {
  let msgSeqNum = 0;
  const listener = listenToFix('peer', (incoming) => {
    if (incoming.kind !== 'message') return;
    for (const line of answers(incoming.message)) {
      if (line === 'end') socket.end();
      else {
        msgSeqNum += 1;
        socket.write(lineBytes(line, { ...names, msgSeqNum, wallMs: Date.now() }));
      }
    }
  });
  socket.on('error', () => {});
  socket.on('data', listener);
}
