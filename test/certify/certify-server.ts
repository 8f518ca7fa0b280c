/** Certifies a server that is scripted: it sends these lines in answer to each message, in a session of its own. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { BridgeSetup } from '../../src/certify/bridge-setup.ts';
import { Certification, type CertificationEvent } from '../../src/certify/certification.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { type Feature, parseInterview } from '../../src/certify/interview.ts';
import { calling } from '../../src/certify/port.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import { listenToFix, type ReceivedMessage } from '../../src/certify/received-message.ts';
import type { Rung, ScenarioRecord } from '../../src/certify/record.ts';
import type { Scenario } from '../../src/certify/scenario.ts';
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
  /** Another scenario than the one of the catalogue. */
  readonly scenario?: Scenario;
  readonly hand?: Hand;
  readonly onEvent?: (event: CertificationEvent) => void;
}

export async function certifyServer({
  id,
  answers,
  stopBehind = () => false,
  features = [],
  scenario,
  hand,
  onEvent = () => {},
}: ServerOptions): Promise<ScenarioRecord> {
  const server = createServer((socket) => serve(socket, answers));
  const port = await listening(server);
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
    catalogue: scenario === undefined ? catalogue : { scenarios: [scenario], hash: 'h' },
    interview,
    port: calling({ host, port }),
    hand,
    isAttended: features.length > 0,
    versions: { causeway: 'test', dictionaryHash: 'test' },
    onEvent: (event) => {
      onEvent(event);
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

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, host), 'listening');
  return (server.address() as AddressInfo).port;
}

/** A bridge behind the desk that is scripted in the same way, for a client. */
export async function scriptedBridge(
  client: { readonly senderCompId: string; readonly targetCompId: string },
  answers: ServerOptions['answers'],
): Promise<BridgeSetup> {
  let sent = 0;
  const own = { senderCompId: client.targetCompId, targetCompId: client.senderCompId };
  const server = createServer((socket) => serve(socket, answers, own, sent));
  const port = await listening(server);
  const login = { ...client, username: 'client', password: 'of the test' };
  const nothing = async () => {};
  return {
    ...{
      host,
      port,
      fixpPort: port,
      backupPort: port,
      login,
      contra: login,
      other: login,
      reader: login,
    },
    ...{ venue: nothing, act: nothing, tidy: nothing, trace: () => [] },
    async setNumbers(_, nextOut) {
      sent = nextOut - 1;
    },
    stop: async () => void server.close(),
  };
}

function serve(
  socket: Socket,
  answers: ServerOptions['answers'],
  own = names,
  msgSeqNum = 0,
): void {
  const listener = listenToFix('peer', (incoming) => {
    if (incoming.kind !== 'message') return;
    for (const line of answers(incoming.message)) {
      if (line === 'end') socket.end();
      else {
        msgSeqNum += 1;
        socket.write(lineBytes(line, { ...own, msgSeqNum, wallMs: Date.now() }));
      }
    }
  });
  socket.on('error', () => {});
  socket.on('data', listener);
}
