/** Certifies a client with one defect, or with none, and answers which scenarios it does not pass. */
import { connect } from 'node:net';
import { join } from 'node:path';
import type { BridgeSetup } from '../../src/certify/bridge-setup.ts';
import { callerOf } from '../../src/certify/caller.ts';
import { Certification } from '../../src/certify/certification.ts';
import type { Evidence } from '../../src/certify/evidence.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { type Feature, parseInterview } from '../../src/certify/interview.ts';
import { listen } from '../../src/certify/port.ts';
import type { Rung, RunRecord } from '../../src/certify/record.ts';
import type { RunFolder } from '../../src/certify/run-folder.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';
import { BrokenPeer, type Defect } from './broken-peer.ts';

export const catalogue = loadCatalogue(join(import.meta.dirname, '../../certification'));
/**
 * A short one where nothing is traded; the bridge takes none below 5. On a machine that is busy with other work a
 * right answer may take a second, and half a heartbeat is all the room that S-09 gives.
 */
const engineHeartBtIntS = 2;
const bridgeHeartBtIntS = 5;

export interface ControlOptions {
  readonly defects: readonly Defect[];
  /** Those of the engine setup when absent. */
  readonly ids?: readonly string[];
  readonly bridge?: BridgeSetup;
  readonly tradesAtLogon?: boolean;
  readonly splitsLogon?: boolean;
  /** A bridge and a venue answer later than our end alone. */
  readonly answerS?: number;
  /** What the interview declares besides. */
  readonly features?: readonly Feature[];
  /** Nothing but the scenarios of `ids` is selected. */
  readonly isNarrow?: boolean;
  readonly keptIn?: RunFolder;
  /** A client that is there already, and is not stopped; it calls this port. */
  readonly peer?: { readonly hand: BrokenPeer; readonly port: number };
  /** Others connect to the desk whenever a scenario starts, or a message of the counterparty arrives. */
  readonly hasStrangers?: boolean;
  /** The run is stopped as soon as the desk waits for what follows this rung. */
  readonly stopBehind?: (rung: Rung) => boolean;
}

export async function certifyPeer(options: ControlOptions): Promise<RunRecord> {
  return (await evidenceOfPeer(options)).run;
}

export async function evidenceOfPeer({
  defects,
  ids,
  bridge,
  tradesAtLogon = false,
  splitsLogon = false,
  answerS = bridge === undefined ? 3 : 10,
  features = [],
  isNarrow = false,
  keptIn,
  peer,
  hasStrangers = false,
  stopBehind = () => false,
}: ControlOptions): Promise<Evidence> {
  const heartBtIntS = bridge === undefined ? engineHeartBtIntS : bridgeHeartBtIntS;
  const interview = parseInterview(
    JSON.stringify({
      counterparty: { name: 'Broken', software: 'broken-peer', version: defects.join(' ') || '0' },
      direction: 'acceptor',
      session: { ...BrokenPeer.names, heartBtInt: heartBtIntS },
      address: { port: 0 },
      features: ['keepsNumbers', 'orders', 'replaces', ...features],
      patience: { connectS: 10, answerS },
    }),
    'controls',
  );
  const port = await listen(
    '127.0.0.1',
    peer?.port ?? 0,
    undefined,
    undefined,
    callerOf(interview),
  );
  const hand =
    peer?.hand ??
    new BrokenPeer({ port: port.port, heartBtIntS, defects, tradesAtLogon, splitsLogon });
  const versions = { causeway: 'test', dictionaryHash: 'test', rulesHash: 'rules' };
  const scenarios = catalogue.scenarios.filter(({ id }) => !isNarrow || ids?.includes(id));
  const certification = new Certification({
    catalogue: { ...catalogue, scenarios },
    interview,
    port,
    bridge,
    hand: peer === undefined ? hand : { act: (prompt) => hand.act(prompt), stop: async () => {} },
    isAttended: false,
    ...(keptIn && { evidence: (subject) => keptIn.takeUp(subject) }),
    versions,
    onEvent: (event) => {
      if (event.kind === 'rung' && stopBehind(event.rung)) setImmediate(() => certification.stop());
      if (hasStrangers && (event.kind === 'started' || event.kind === 'rung')) visit(port.port);
    },
  });
  try {
    const engine = certification.selected.filter(({ play }) => play.setup === 'engine');
    await certification.run(ids ?? engine.map(({ scenario }) => scenario.id));
    return certification.evidence;
  } finally {
    await certification.close();
  }
}

/** A port scan, a health check, and the client of somebody else. */
function visit(port: number): void {
  const ofOther = { ...BrokenPeer.names, senderCompId: 'OTHER', msgSeqNum: 7, wallMs: Date.now() };
  const logon = lineBytes('A|98=0|108=30', ofOther);
  for (const bytes of ['', 'GET /healthz HTTP/1.1\r\n\r\n', logon]) {
    const socket = connect({ host: '127.0.0.1', port }).on('error', () => {});
    socket.resume().unref().write(bytes);
  }
}

/** Ids of what was played and not passed. */
export function notPassed(run: RunRecord): readonly string[] {
  return run.scenarios
    .filter(({ attempts, outcome }) => attempts.length > 0 && outcome !== 'passed')
    .map(({ id }) => id);
}

/** Nothing can be shown with them. */
const everyLogon = [
  'S-01 S-02 S-03 S-04 S-04b S-05 S-06 S-08 S-09 S-10 S-11 S-12 S-13 S-14',
  'S-15 S-16 S-17 S-18 S-19 S-20 S-21 S-22 S-23 S-24 S-25 S-26 S-27 S-31',
  'S-32 S-33 S-34 S-35 S-36 S-37 S-38 S-39 S-40 S-42 S-43 S-45 R-12 Q-06',
  'V-06 V-09',
].flatMap((ids) => ids.split(' '));

/** Exactly these scenarios of the engine setup fail for each defect. */
export const engineBreaks: Readonly<Partial<Record<Defect, readonly string[]>>> = {
  noHeartbeat: ['S-09'],
  cutsTestReqId: ['S-10'],
  neverAsksSilentPeer: ['S-11'],
  ignoresGaps: ['S-02', 'S-12', 'S-22', 'S-23'],
  asksForEveryMessage: ['S-12', 'S-22'],
  takesLowNumbers: ['S-03', 'S-13'],
  takesDuplicates: ['S-14'],
  dropsNewDuplicates: ['S-15'],
  ignoresOrigTime: ['S-16'],
  ignoresMissingOrigTime: ['S-17'],
  resendsAsNew: ['S-18', 'S-21', 'S-24'],
  resendsAdmin: ['S-19', 'S-20', 'S-22', 'S-24'],
  ignoresResendRequest: ['S-18', 'S-19', 'S-20', 'S-21', 'S-22', 'S-24'],
  answersForEver: ['S-24'],
  fillsInPieces: ['S-20'],
  followsLowGapFill: ['S-26'],
  followsBackward: ['S-25', 'S-27'],
  ignoresCheckSum: ['S-32'],
  ignoresSendingTime: ['S-34'],
  ignoresMissingTags: ['S-35'],
  ignoresUndefinedTags: ['S-36'],
  ignoresUnknownTypes: ['S-37'],
  ignoresUnsupportedTypes: ['S-38'],
  answersNoLogout: ['S-31', 'S-39', 'S-42', 'S-45', 'R-12', 'Q-06'],
  // The first Logon(A) of a day is right.
  forgetsNumbers: everyLogon.slice(1),
  keepsOldNumbers: ['S-31', 'S-45', 'Q-06'],
  asksForLostAgain: ['S-23'],
  leavesAtBursts: ['S-43'],
  leavesWhenRefused: ['R-12'],
  rejectsRestated: ['Q-06'],
  rejectsBusts: ['V-06'],
  ignoresCompIds: ['S-04', 'S-04b'],
  needsNoLogon: ['S-06'],
  ignoresBeginString: ['S-08'],
  otherHeartBtInt: ['S-01'],
  skipsNumbers: ['S-04b', 'S-16', 'S-17', 'S-25', 'S-27', 'S-34', 'S-35', 'S-36', 'S-37'],
  usesLocalTime: everyLogon,
};

export const bridgeIds = ['O-01', 'O-02', 'X-01', 'X-03', 'X-07', 'X-10'] as const;

/** The same for orders that reach the bridge. */
export const bridgeBreaks: Readonly<Partial<Record<Defect, readonly string[]>>> = {
  namesWrongOrder: ['X-01', 'X-03', 'X-07', 'X-10'],
  keepsChain: ['X-10'],
  sendsMarket: bridgeIds,
  rejectsPendingNew: bridgeIds,
  doublesOrders: bridgeIds,
};
