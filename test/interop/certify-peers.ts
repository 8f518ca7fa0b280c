/** Certifies engines that nobody here wrote, as clients, at a desk with a bridge behind it. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Certification } from '../../src/certify/certification.ts';
import { htmlReport } from '../../src/certify/html-report.ts';
import { type Feature, parseInterview } from '../../src/certify/interview.ts';
import { listen } from '../../src/certify/port.ts';
import type { Hand } from '../../src/certify/prompt.ts';
import type { Outcome, RunRecord } from '../../src/certify/record.ts';
import { loadCatalogue } from '../../src/certify/scenario.ts';
import { openCertifyBridge } from '../../src/cli/certify/bridge.ts';
import { jspurefixHome } from '../support/jspurefix.ts';
import { LinePeer, startJspurefix } from './line-peer.ts';

const root = join(import.meta.dirname, '../..');
const password = 'of-the-certification';

export interface PeerPlan {
  readonly software: string;
  readonly version: string;
  readonly senderCompId: string;
  readonly heartBtIntS: number;
  readonly features: readonly Feature[];
  readonly hasPassword: boolean;
  readonly answerS: number;
  /** Not played, because this engine would take minutes over them. */
  readonly without: readonly string[];
  /** Begins the counterparty, which connects to this port, and does what prompts ask. */
  start(port: number): Promise<Hand>;
}

export async function certifyEngine(plan: PeerPlan): Promise<RunRecord> {
  const { software, version, senderCompId, heartBtIntS, features, hasPassword, without, answerS } =
    plan;
  const session = { senderCompId, targetCompId: 'CAUSEWAY' };
  const credentials = hasPassword ? { username: 'engine', password } : undefined;
  const bridge = await openCertifyBridge({ ...session, credentials, role: 'order-entry' });
  const port = await listen('127.0.0.1', 0);
  const certification = new Certification({
    catalogue: loadCatalogue(join(root, 'certification')),
    interview: parseInterview(
      JSON.stringify({
        counterparty: { name: 'Interoperability', software, version },
        direction: 'acceptor',
        session: { ...session, heartBtInt: heartBtIntS },
        address: { port: 0 },
        features,
        patience: { connectS: 60, answerS },
      }),
      'an engine',
    ),
    port,
    bridge,
    hand: await plan.start(port.port),
    isAttended: false,
    versions: { causeway: 'interop', dictionaryHash: 'interop' },
  });
  try {
    const ids = certification.selected.map(({ scenario }) => scenario.id);
    return await certification.run(ids.filter((id) => !without.includes(id)));
  } finally {
    await certification.close();
    await bridge.stop();
  }
}

/** `{ failed: ['S-24'], … }`, without what was not run. */
export function outcomesOf(run: RunRecord): Partial<Record<Outcome, readonly string[]>> {
  const found: Partial<Record<Outcome, string[]>> = {};
  for (const { id, outcome } of run.scenarios) {
    if (outcome === 'notRun') continue;
    const ids = found[outcome] ?? [];
    ids.push(id);
    found[outcome] = ids;
  }
  return found;
}

/** Why what is not passed is not, for whoever reads of a run that went otherwise than it should. */
export function reasonsOf(run: RunRecord): string {
  const notPassed = run.scenarios.filter(({ outcome }) => /^(failed|inconclusive)$/.test(outcome));
  return notPassed.map(({ id, reason }) => `${id}: ${reason}`).join('\n');
}

/** Where CI keeps it for people to read. */
export function keepReport(run: RunRecord, name: string): void {
  const { CERTIFICATION_REPORTS: folder } = process.env;
  if (folder !== undefined) writeFileSync(join(folder, `${name}.html`), htmlReport(run));
}

export function quickFixPlan(): PeerPlan {
  return {
    software: 'QuickFIX C++',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query has placeholders of this form
    version: execFileSync('dpkg-query', ['-W', '-f=${Version}', 'libquickfix-dev'], {
      encoding: 'utf8',
    }),
    senderCompId: 'QUICKFIX',
    heartBtIntS: 5,
    features: ['keepsNumbers', 'credentials', 'orders', 'replaces', 'massCancel', 'status'],
    hasPassword: true,
    without: [],
    answerS: 10,
    start: startQuickFix,
  };
}

async function startQuickFix(port: number): Promise<Hand> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-certify-quickfix-'));
  const source = readFileSync(join(import.meta.dirname, 'quickfix-trader.cpp'), 'utf8');
  const cpp = join(folder, 'trader.cpp');
  // The trader's heartbeats are those of a long day; nobody waits a minute for one here.
  writeFileSync(cpp, source.replace('HeartBtInt=30', 'HeartBtInt=5'));
  const program = join(folder, 'trader');
  execFileSync('g++', ['-std=c++11', '-w', cpp, '-o', program, '-lquickfix', '-lpthread']);
  const dictionary = join(root, 'dictionaries/CAUSEWAY44.xml');
  const names = ['QUICKFIX', 'CAUSEWAY', 'engine', password];
  let days = 0;
  const begin = () =>
    new LinePeer(
      spawn(program, [String(port), dictionary, join(folder, `store-${days}`), ...names], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    );
  let peer = begin();
  return {
    async act({ who, line }) {
      if (who === 'client') peer.tell(line);
      if (line !== 'reset') return;
      // A new day of the session: it remembers nothing.
      await peer.kill();
      days += 1;
      peer = begin();
    },
    async stop() {
      await peer.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function jspurefixPlan(): PeerPlan {
  const file = join(jspurefixHome(), 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return {
    software: 'jspurefix',
    version,
    senderCompId: 'JSPUREFIX',
    heartBtIntS: 30,
    features: [],
    hasPassword: false,
    without: ['S-09', 'S-11'],
    answerS: 2,
    async start(port) {
      let peer = startJspurefix({ port, resets: true });
      let isStopped = false;
      // It ends with its connection, so somebody must begin it again.
      const again = async () => {
        while (!isStopped) {
          await peer.says('ended');
          await peer.kill();
          if (!isStopped) peer = startJspurefix({ port, resets: true });
        }
      };
      void again();
      return {
        async act() {},
        async stop() {
          isStopped = true;
          await peer.kill();
        },
      };
    },
  };
}
