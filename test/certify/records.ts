/** A run with one scenario of each outcome. */
import type { Evidence } from '../../src/certify/evidence.ts';
import type { RunRecord, ScenarioRecord, Subject } from '../../src/certify/record.ts';

const bytes = Buffer.from('8=FIX.4.4\x0135=8\x0158=<script>alert(1)</script>\x01').toString(
  'base64',
);

export function scenarioRecord(
  id: string,
  outcome: ScenarioRecord['outcome'],
  more: Partial<ScenarioRecord> = {},
): ScenarioRecord {
  const verdict = { tag: 58, name: 'Text(58)', wanted: 'a', got: 'b', rule: 'R', ref: 'F' };
  const rung = {
    atMs: 5,
    from: 'peer' as const,
    label: '8 ExecutionReport',
    raw: bytes,
    verdicts: [{ ...verdict, isMet: outcome === 'passed' }],
  };
  const played = outcome === 'waived' ? ('failed' as const) : outcome;
  const attempt = {
    startedMs: 1,
    endedMs: 9,
    outcome: played,
    reason: 'why',
    ladder: [rung],
    venue: [],
  };
  return {
    id,
    title: `Title of ${id}`,
    level: 'mandatory',
    rule: 'A rule',
    ref: 'FIX',
    source: 'QF',
    setup: 'engine',
    isPlayable: true,
    outcome,
    reason: outcome === 'passed' ? '' : 'why',
    attempts: outcome === 'notRun' ? [] : [attempt],
    ...more,
  };
}

export function runRecord(scenarios: readonly ScenarioRecord[], version = '1.0'): RunRecord {
  return {
    ...subjectAt(version),
    causeway: '0.1.0',
    features: ['orders'],
    startedMs: 0,
    endedMs: 60_000,
    scenarios,
  };
}

/** Evidence that shows these scenarios, added to what there is; a waived one is waived until the middle of 2030. */
export function addRecords(evidence: Evidence, scenarios: readonly ScenarioRecord[]): Evidence {
  evidence.add({
    kind: 'begun',
    atMs: 1,
    subject: evidence.subject,
    causeway: '0.1.0',
    features: ['orders'],
    scenarios: scenarios.map(({ attempts: _, outcome: __, ...scenario }) => scenario),
    waivers: scenarios
      .filter(({ outcome }) => outcome === 'waived')
      .map(({ id }) => ({ id, reason: 'later', by: 'J. Doe', until: '2030-06-30' })),
  });
  for (const { id, attempts } of scenarios) {
    for (const attempt of attempts) evidence.add({ kind: 'attempt', id, attempt });
  }
  return evidence;
}

export function subjectAt(version: string, signer: string | null = null): Subject {
  return {
    identity: {
      name: 'Example & Sons',
      software: 'OMS',
      version,
      senderCompId: 'EX',
      targetCompId: 'CAUSEWAY',
    },
    direction: 'acceptor',
    protocol: 'fix',
    catalogueHash: 'c',
    dictionaryHash: 'd',
    rulesHash: 'r',
    signer,
  };
}
