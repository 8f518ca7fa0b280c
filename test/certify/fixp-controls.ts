/** Certifies a FIXP client with one defect, or with none, and says which scenarios each defect breaks. */
import { Certification } from '../../src/certify/certification.ts';
import { parseInterview } from '../../src/certify/interview.ts';
import { listen } from '../../src/certify/port.ts';
import type { RunRecord } from '../../src/certify/record.ts';
import { BrokenFixpPeer, type FixpDefect } from './broken-fixp-peer.ts';
import { catalogue } from './controls.ts';

const credentials = { username: 'broken', password: 'on-purpose' };
const keepaliveS = 1;

export async function certifyFixpPeer(
  defects: readonly FixpDefect[],
  ids?: readonly string[],
): Promise<RunRecord> {
  const port = await listen('127.0.0.1', 0);
  const interview = parseInterview(
    JSON.stringify({
      counterparty: { name: 'Broken', software: 'broken-fixp-peer', version: defects[0] ?? '0' },
      direction: 'acceptor',
      protocol: 'fixp',
      session: { senderCompId: 'BROKEN', targetCompId: 'CAUSEWAY', heartBtInt: keepaliveS },
      address: { port: 0 },
      credentials: { username: credentials.username, passwordFile: 'none' },
      features: ['orders'],
      patience: { connectS: 10, answerS: 3 },
    }),
    'controls',
  );
  const keepaliveMs = keepaliveS * 1000;
  const hand = new BrokenFixpPeer({ port: port.port, credentials, keepaliveMs, defects });
  const certification = new Certification({
    catalogue,
    interview,
    port,
    password: credentials.password,
    hand,
    isAttended: false,
    versions: { causeway: 'test', dictionaryHash: 'test' },
  });
  try {
    const engine = certification.selected.filter(({ play }) => play.setup === 'engine');
    return await certification.run(ids ?? engine.map(({ scenario }) => scenario.id));
  } finally {
    await certification.close();
  }
}

const everyProbe = [
  ...['P-01', 'P-02', 'P-03', 'P-04', 'P-05', 'P-06', 'P-07', 'P-08', 'P-09', 'P-10', 'P-11'],
  ...['P-12', 'P-13', 'P-14', 'P-18'],
];

/** Exactly these scenarios of the engine setup fail for each defect. */
export const fixpBreaks: Readonly<Record<FixpDefect, readonly string[]>> = {
  reusesSessionId: ['P-02', 'P-04', 'P-14'],
  ignoresRequestTimestamp: ['P-05'],
  neverEndsSilentServer: ['P-06'],
  keepsNoneAlive: everyProbe,
  countsWrong: everyProbe,
  ignoresGaps: ['P-07', 'P-08', 'P-09', 'P-10'],
  asksTwice: ['P-08'],
  repeatsRefused: ['P-09', 'P-10'],
  negotiatesAgain: ['P-12', 'P-13'],
  answersNoTerminate: ['P-13', 'P-14'],
  neverReceivesAll: ['P-14'],
  takesWrongFlow: ['P-15'],
  takesEarlyMessages: ['P-16'],
  ignoresFraming: ['P-17'],
  refusesLongerBlocks: ['P-18'],
  takesAnySchema: ['P-18'],
  saysSeconds: [...everyProbe.slice(0, -1), 'P-15', 'P-16', 'P-17', 'P-18'],
  talksAfterTerminate: ['P-06', 'P-13', 'P-14', 'P-15', 'P-16', 'P-18'],
  doublesOrders: ['P-11'],
};
