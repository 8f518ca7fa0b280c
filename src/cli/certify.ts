/** `causeway certify`: certifies counterparties; the work is done in `src/certify`. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { BridgeSetup } from '../certify/bridge-setup.ts';
import { callerOf } from '../certify/caller.ts';
import { obstacles } from '../certify/certificate.ts';
import { Certification, type CertificationEvent } from '../certify/certification.ts';
import { compare, comparisonText } from '../certify/comparison.ts';
import type { Participant } from '../certify/contra-trader.ts';
import type { Evidence } from '../certify/evidence.ts';
import { htmlReport } from '../certify/html-report.ts';
import {
  type Interview,
  interviewTemplate,
  ofDirection,
  readInterview,
  select,
} from '../certify/interview.ts';
import { junitReport } from '../certify/junit-report.ts';
import { calling, listen } from '../certify/port.ts';
import { programHand } from '../certify/program-hand.ts';
import { countOutcomes, type RunRecord, type ScenarioRecord } from '../certify/record.ts';
import { RunFolder, readSummary } from '../certify/run-folder.ts';
import { type Catalogue, loadCatalogue, needsHand } from '../certify/scenario.ts';
import { readTls, type TestTls } from '../certify/test-tls.ts';
import { isDirectory } from '../runtime/directory.ts';
import { shippedText } from '../runtime/shipped.ts';
import type { CertifyBridgeOptions } from './certify/bridge.ts';
import { certificate, deskKey, keyOfRun, verify } from './certify/certificate.ts';
import { type Asked, options } from './certify/options.ts';
import { passive } from './certify/passive.ts';
import { command } from './command.ts';
import { printableLines } from './fix-text.ts';
import { concluded, exitCodes, UsageError } from './verb.ts';
import { version } from './version.ts';

/** The dictionaries that both sides use, by protocol. */
const dictionaries = {
  fix: ['CAUSEWAY44.xml'],
  fixp: ['fixp.xml', 'orders.xml'],
} as const;

type Action = (asked: Asked, operands: readonly string[]) => Promise<number> | number;

const actions = {
  interview({ direction, json }) {
    const text = interviewTemplate(direction);
    return concluded(json, { text }, text.trimEnd());
  },
  list,
  run,
  self,
  passive,
  report({ out, key }) {
    const folder = new RunFolder(out, keyOfRun(out, key));
    writeReports(folder, folder.read());
    return exitCodes.done;
  },
  certificate,
  verify,
  compare({ json }, [before = '', after = '']) {
    if (after === '')
      throw new UsageError('compare needs two runs, such as old/run.json new/run.json');
    const found = compare(runAt(before), runAt(after));
    return concluded(json, found, comparisonText(found));
  },
} satisfies Readonly<Record<string, Action>>;

export const verb = command({
  summary: 'certify a counterparty, with evidence and a signed certificate',
  forms: [
    'interview|list|run|self|passive [LOG]|report|certificate [options]',
    'verify FILE [options]',
    'compare RUN RUN',
  ],
  about: 'docs/CERTIFICATION-GUIDE.md explains every step.',
  actions: {
    interview: 'print the questions, as a file to fill in',
    list: 'the scenarios that an interview selects; all of the direction without one',
    run: 'play them; earlier results are kept',
    self: 'certify this bridge itself, as a server and as a client, on both protocols',
    passive: 'judge from a log, or from live traffic, which scenarios were already shown',
    report: 'write the reports of the last run again',
    certificate: 'sign a certificate for the last run, if all that is required was shown',
    verify: 'check a certificate without a connection',
    compare: 'show what has changed from one run to another',
  },
  maxOperands: 3,
  options,
  notes:
    'Exit code of run and self: 0 when all that is required was shown, 1 when not. The last run is read from --out.',
  examples: [
    'causeway certify interview > example.yaml',
    'causeway certify run --interview example.yaml --out example --key desk.pem',
    'causeway certify run --interview example.yaml --out example --no-attended --only S-01,S-12',
    'causeway certify certificate --out example --key desk.pem',
    'causeway certify verify example/certificate.json --issuer MCowBQYDK2Vw... --evidence example',
  ],
  async run(values, [action, ...operands]) {
    return actions[action as keyof typeof actions](values, operands);
  },
});

function versions(protocol: Interview['protocol']) {
  const files = dictionaries[protocol].map((file) => shippedText(`dictionaries/${file}`));
  return { causeway: version(), dictionaryHash: hash('sha256', files.join('')) };
}

function list({ interview, direction, catalogue, json }: Asked): number {
  const { scenarios } = loadCatalogue(catalogue);
  const answers = interview === undefined ? undefined : readInterview(interview);
  const chosen =
    answers === undefined ? ofDirection(scenarios, direction) : select(scenarios, answers);
  const way = answers?.direction ?? direction;
  const rows = chosen.map(({ scenario, play, level }) => ({
    id: scenario.id,
    level,
    by: play.notRun !== undefined ? 'not run' : needsHand(play, way) ? 'person' : 'desk alone',
    title: scenario.title,
  }));
  const lines = rows.map(
    ({ id, level, by, title }) => `${id.padEnd(6)} ${level.padEnd(12)} ${by.padEnd(11)} ${title}`,
  );
  return concluded(json, rows, [...lines, `${rows.length} scenarios`].join('\n'));
}

async function run(asked: Asked): Promise<number> {
  if (asked.interview === undefined) throw new UsageError('--interview FILE is needed');
  const interview = readInterview(asked.interview);
  const catalogue = loadCatalogue(asked.catalogue);
  const ids = idsOf(asked, catalogue);
  const { address, direction, features, framing, protocol, session } = interview;
  // The files that an interview names are next to it, so that they stay together.
  const inputs = dirname(asked.interview);
  const credentials = interview.credentials && loginOf(interview.credentials, inputs);
  const tls = interview.tls && readTls(interview.tls, (name) => resolve(inputs, name));
  const reader = readerOf(interview, inputs, tls);
  const rulesHash = rulesHashOf(interview, inputs);
  const folder = new RunFolder(asked.out, deskKey(asked.key));
  const port =
    direction === 'acceptor'
      ? await listen(address.host, address.port, tls, address.backup, callerOf(interview))
      : calling({ ...address, tls });
  const bridge =
    direction === 'acceptor'
      ? await bridgeFor(features, { ...session, protocol, framing, credentials })
      : undefined;
  let certification: Certification | undefined;
  const onSignal = () => certification?.stop();
  process.once('SIGINT', onSignal);
  try {
    certification = new Certification({
      ...{ catalogue, interview, port, bridge, reader },
      password: credentials?.password,
      hand: asked.hand === undefined ? undefined : programHand(asked.hand),
      isAttended: asked.attended,
      evidence: (subject) => folder.takeUp(subject),
      versions: { ...versions(protocol), rulesHash },
      onEvent: asked.events ? writeEvent : asked.json ? undefined : printEvent,
    });
    const text = waitingFor(interview, port.port);
    if (asked.events) writeLine({ kind: 'waiting', text, scenarios: playedOf(certification, ids) });
    else if (!asked.json) {
      console.log(text);
      if (asked.key === undefined) console.log('no --key: this run cannot be certified');
    }
    const record = await certification.run(ids);
    writeReports(folder, certification.evidence);
    return conclude(record, { ...asked, json: asked.json || asked.events });
  } finally {
    process.off('SIGINT', onSignal);
    await (certification ?? port).close();
    await bridge?.stop();
  }
}

/** A session either trades or reads; a counterparty that does both is certified for each with a separate interview. */
async function bridgeFor(
  features: Interview['features'],
  options: Omit<CertifyBridgeOptions, 'role'>,
): Promise<BridgeSetup | undefined> {
  const isReader = features.includes('dropCopy');
  const isTrading = features.includes('orders');
  if (isReader && isTrading) {
    throw new UsageError('an interview declares orders or dropCopy, for these are two sessions');
  }
  if (!isReader && !isTrading) return undefined;
  const { openCertifyBridge } = await import('./certify/bridge.ts');
  return openCertifyBridge({ ...options, role: isReader ? 'drop-copy' : 'order-entry' });
}

/** Subjects mostly wait, so several run in parallel; too many would be too slow on a busy machine. */
const subjectsAtOnce = 4;

async function self(asked: Asked): Promise<number> {
  const { certifySelf, selfSubjects } = await import('./certify/self.ts');
  const catalogue = loadCatalogue(asked.catalogue);
  const ids = idsOf(asked, catalogue);
  const waiting = [...selfSubjects];
  let worst: number = exitCodes.done;
  const worker = async () => {
    for (let subject = waiting.shift(); subject !== undefined; subject = waiting.shift()) {
      const { direction, protocol, role } = subject;
      const name = `${direction}-${protocol}-${role}`;
      const onEvent = asked.json
        ? () => {}
        : (event: CertificationEvent) => printEvent(event, name);
      const out = join(asked.out, name);
      const folder = new RunFolder(out, deskKey(asked.key));
      const about = { catalogue, versions: versions(protocol), ids, onEvent };
      const evidence = await certifySelf({ ...subject, ...about, keptIn: folder });
      writeReports(folder, evidence);
      worst = Math.max(worst, conclude(evidence.run, { ...asked, out }));
    }
  };
  await Promise.all(Array.from({ length: subjectsAtOnce }, worker));
  return worst;
}

/** A run is named by its file, or by its folder. */
function runAt(path: string) {
  return readSummary(isDirectory(path) ? join(path, 'run.json') : path);
}

/** The reports are written after the run, and bound to its evidence. */
function writeReports(folder: RunFolder, evidence: Evidence): void {
  folder.keepReports(evidence, {
    'report.html': htmlReport(evidence.run, folder.previous()),
    'junit.xml': junitReport(evidence.run),
  });
}

function idsOf({ only }: Asked, { scenarios }: Catalogue): readonly string[] | undefined {
  const ids = only?.split(',');
  const unknown = ids?.find((id) => !scenarios.some((scenario) => scenario.id === id));
  if (unknown !== undefined) throw new UsageError(`--only ${unknown}: there is no such scenario`);
  return ids;
}

function loginOf(
  { passwordFile, username }: NonNullable<Interview['credentials']>,
  inputs: string,
): { readonly username: string; readonly password: string } {
  return { username, password: readFileSync(resolve(inputs, passwordFile), 'utf8').trim() };
}

/** Null if the interview names no rules of engagement; no certificate is issued in that case. */
function rulesHashOf({ rules }: Interview, inputs: string): string | null {
  if (rules === undefined) return null;
  return hash('sha256', readFileSync(resolve(inputs, rules)));
}

/** The login of our second session at a server that accepts two. */
function readerOf(
  { address, reader, session }: Interview,
  inputs: string,
  tls: TestTls | undefined,
): Participant | undefined {
  if (reader === undefined) return undefined;
  const names = { senderCompId: reader.senderCompId, targetCompId: session.senderCompId };
  return { ...address, tls, login: { ...names, ...loginOf(reader, inputs) } };
}

function waitingFor(
  { direction, protocol, session, address, credentials }: Interview,
  port: number,
): string {
  const { senderCompId, targetCompId } = session;
  const isServer = direction === 'acceptor';
  const where = `${address.host}:${port}`;
  if (protocol === 'fixp') {
    const user = `user ${credentials?.username} over FIXP`;
    return isServer ? `waiting for ${user} on ${where}` : `calling ${where} as ${user}`;
  }
  return isServer
    ? `waiting for 49=${senderCompId} 56=${targetCompId} on ${where}`
    : `calling ${where} as 49=${targetCompId} 56=${senderCompId}`;
}

function playedOf({ selected }: Certification, ids: readonly string[] | undefined) {
  return selected
    .map(({ scenario }) => scenario.id)
    .filter((id) => ids === undefined || ids.includes(id));
}

/** One line of JSON, for a program that watches; evidence is in the run's folder, so the line stays short. */
function writeEvent(event: CertificationEvent): void {
  if (event.kind === 'done') writeLine({ kind: 'done' });
  else if (event.kind !== 'finished') writeLine(event);
  else {
    const { id, outcome, reason, title } = event.record;
    writeLine({ kind: 'finished', id, title, outcome, reason });
  }
}

function writeLine(line: object): void {
  console.log(JSON.stringify(line));
}

/** `whose` is a prefix for each line if several certifications are reported. */
function printEvent(event: CertificationEvent, whose?: string): void {
  const before = whose === undefined ? '' : `${whose.padEnd(26)} `;
  if (event.kind === 'prompt' && whose === undefined) console.log(`  > ${event.prompt.text}`);
  if (event.kind !== 'finished') return;
  console.log(outcomeText(event.record, before));
}

/** The reason may contain the counterparty's own text. */
export function outcomeText(
  { id, title, outcome, reason }: Pick<ScenarioRecord, 'id' | 'title' | 'outcome' | 'reason'>,
  before = '',
): string {
  const lines = [`${before}${outcome.padEnd(12)} ${id.padEnd(6)} ${title}`];
  if (reason !== '' && outcome !== 'passed') lines.push(`${before}             ${reason}`);
  return printableLines(lines);
}

function conclude(record: RunRecord, { out, json }: Asked): number {
  const blocking = obstacles(record.scenarios);
  const counts = countOutcomes(record.scenarios);
  const { passed, failed, inconclusive, notRun, waived } = counts;
  const line = `${passed} passed, ${failed} failed, ${inconclusive} inconclusive, ${waived} waived, ${notRun} not run`;
  const value = { ...counts, missing: blocking.map(({ id }) => id), out };
  const isShown = blocking.length === 0 && passed > 0;
  return concluded(json, value, `\n${line}\n${join(out, 'report.html')}`, isShown);
}
