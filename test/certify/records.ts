/** A run with one scenario of each outcome. */
import type { RunRecord, ScenarioRecord } from '../../src/certify/record.ts';

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
  const attempt = { startedMs: 1, endedMs: 9, outcome, reason: 'why', ladder: [rung], venue: [] };
  return {
    id,
    title: `Title of ${id}`,
    level: 'mandatory',
    rule: 'A rule',
    ref: 'FIX',
    source: 'QF',
    stand: 'engine',
    isPlayable: true,
    outcome,
    reason: outcome === 'passed' ? '' : 'why',
    attempts: outcome === 'notRun' ? [] : [attempt],
    ...more,
  };
}

export function runRecord(scenarios: readonly ScenarioRecord[], version = '1.0'): RunRecord {
  return {
    format: 'causeway-certification-run/1',
    identity: {
      name: 'Example & Sons',
      software: 'OMS',
      version,
      senderCompId: 'EX',
      targetCompId: 'CAUSEWAY',
    },
    direction: 'acceptor',
    protocol: 'fix',
    features: ['orders'],
    causeway: '0.1.0',
    catalogueHash: 'c',
    dictionaryHash: 'd',
    startedMs: 0,
    endedMs: 60_000,
    scenarios,
  };
}
