/**
 * The run as one self-contained HTML file: the results, the whole matrix, and for each scenario the message ladder with
 * its verdicts. It contains no scripts, and all text from the counterparty is escaped.
 */

import { isFramed } from '../fixp/framing.ts';
import { escaped } from '../runtime/xml-tree.ts';
import { obstacles } from './certificate.ts';
import { compare } from './comparison.ts';
import { decodeFrame } from './fixp-message.ts';
import { style } from './html-style.ts';
import { byFamily } from './junit-report.ts';
import {
  type Attempt,
  countingAttempt,
  countOutcomes,
  type Outcome,
  type Rung,
  type RunRecord,
  type ScenarioRecord,
  type Speaker,
  sentence,
  type Verdict,
  verdictsOf,
} from './record.ts';
import type { ComparedRun } from './run-folder.ts';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  notRun: 'not run',
  waived: 'waived',
};
const speakerWords: Readonly<Record<Speaker, string>> = {
  peer: 'counterparty',
  desk: 'desk',
  bridge: 'bridge',
  contra: 'another participant',
  reader: 'another reader',
  venue: 'venue',
  person: 'asked for',
  note: '',
};
const directionWords = {
  acceptor: 'the counterparty connects to Causeway',
  initiator: 'Causeway connects to the counterparty',
} as const;

export function htmlReport(run: RunRecord, before?: ComparedRun): string {
  const { identity } = run;
  const title = `Certification of ${identity.software} ${identity.version}`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escaped(title)}</title><style>${style}</style></head><body><main>`,
    `<h1>${escaped(title)}</h1>`,
    `<p class="dim">${escaped(identity.name)}, ${day(run.endedMs)}; ${directionWords[run.direction]}</p>`,
    banner(run),
    tiles(run),
    '<h2>Matrix</h2>',
    matrix(run.scenarios),
    before === undefined ? '' : changes(before, run),
    '<h2>Subject and versions</h2>',
    facts(run),
    ...byFamily(run.scenarios).flatMap(({ family, own }) => [
      `<h2>${family}</h2>`,
      ...own.map(scenarioCard),
    ]),
    '</main></body></html>',
    '',
  ].join('\n');
}

function banner({ scenarios }: RunRecord): string {
  const blocking = obstacles(scenarios);
  const { passed } = countOutcomes(scenarios);
  const isGood = blocking.length === 0 && passed > 0;
  const words = isGood
    ? 'Everything that is required was shown'
    : `${blocking.length} required ${blocking.length === 1 ? 'scenario is' : 'scenarios are'} not shown`;
  const list = blocking
    .slice(0, 12)
    .map(({ id, title }) => `<a href="#${id}">${id}</a> ${escaped(title)}`)
    .join(', ');
  const more = blocking.length > 12 ? ` and ${blocking.length - 12} more` : '';
  const claims = `<strong>${words}</strong>${list}${more}${unclaimed(scenarios)}`;
  return `<div class="banner ${isGood ? 'passed' : 'failed'}">${claims}</div>`;
}

/** Makes clear that scenarios which cannot be played were not demonstrated. */
function unclaimed(scenarios: readonly ScenarioRecord[]): string {
  const count = scenarios.filter(
    ({ isPlayable, level }) => !isPlayable && level !== 'optional',
  ).length;
  if (count === 0) return '';
  const words = count === 1 ? 'scenario cannot' : 'scenarios cannot';
  return `<p>${count} more ${words} be run here, each with its reason. The report makes no claim about them.</p>`;
}

function tiles({ scenarios }: RunRecord): string {
  const counts = countOutcomes(scenarios);
  const judged = scenarios.flatMap(verdictsOf).length;
  const attempts = scenarios.flatMap((scenario) => scenario.attempts);
  const playedMs = attempts.reduce((sum, { startedMs, endedMs }) => sum + endedMs - startedMs, 0);
  const tile = (number: number | string, words: string) =>
    `<div class="tile"><b>${number}</b><span class="dim">${words}</span></div>`;
  return [
    '<div class="tiles">',
    tile(counts.passed, 'passed'),
    tile(counts.failed, 'failed'),
    counts.inconclusive > 0 ? tile(counts.inconclusive, 'inconclusive') : '',
    counts.waived > 0 ? tile(counts.waived, 'waived') : '',
    tile(counts.notRun, 'not run'),
    tile(judged, 'facts judged'),
    tile(attempts.length, 'attempts'),
    tile(duration(playedMs), 'of playing'),
    '</div>',
  ].join('');
}

function matrix(scenarios: readonly ScenarioRecord[]): string {
  const rows = byFamily(scenarios).map(({ family, own }) => {
    const chips = own.map(
      ({ id, outcome, title }) =>
        `<a class="chip ${outcome}" href="#${id}" title="${escaped(`${title}: ${outcomeWords[outcome]}`)}">${id}</a>`,
    );
    return `<div>${family}</div><div class="chips">${chips.join('')}</div>`;
  });
  return `<div class="card"><div class="matrix">${rows.join('')}</div></div>`;
}

function changes(before: ComparedRun, after: RunRecord): string {
  const { facts: differing, changes: moved } = compare(before, after);
  const rows = [
    ...differing.map((fact) => row(fact.name, `${fact.before} → ${fact.after}`)),
    ...moved.map(({ id, title, before: then, after: now }) =>
      row(id, `${title}: ${then} → ${now}`),
    ),
  ];
  const body = rows.length === 0 ? row('', 'Nothing has changed') : rows.join('');
  return `<h2>Since ${day(before.endedMs)}</h2><div class="card"><table>${body}</table></div>`;
}

function facts(run: RunRecord): string {
  const { identity } = run;
  const rows = [
    row('Counterparty', identity.name),
    row('Software', `${identity.software} ${identity.version}`),
    row('CompIDs', `${identity.senderCompId} → ${identity.targetCompId}`),
    row('Protocol', run.protocol === 'fix' ? 'FIX 4.4' : 'FIXP with SBE'),
    row('Declared', run.features.join(', ') || 'session only'),
    row('Played', `${time(run.startedMs)} to ${time(run.endedMs)} UTC`),
    row('Causeway', run.causeway),
    row('Dictionary SHA-256', run.dictionaryHash, 'hash'),
    row('Catalogue SHA-256', run.catalogueHash, 'hash'),
    row('Rules of engagement SHA-256', run.rulesHash ?? 'none named', 'hash'),
  ];
  return `<div class="card"><table>${rows.join('')}</table></div>`;
}

function row(name: string, value: string, kind = ''): string {
  return `<tr><th>${escaped(name)}</th><td class="${kind}">${escaped(value)}</td></tr>`;
}

function scenarioCard(scenario: ScenarioRecord): string {
  const { id, title, level, outcome, reason, rule, ref, source, attempts } = scenario;
  const counting = countingAttempt(attempts);
  const others = attempts.filter((one) => one !== counting);
  const shown = outcome === 'failed' || outcome === 'inconclusive' ? ' open' : '';
  return [
    `<details class="scenario" id="${id}"${shown}><summary><span class="id">${id}</span>`,
    `<span class="title">${escaped(title)}</span><span class="level">${level}</span>`,
    `<span class="mark ${outcome}">${outcomeWords[outcome]}</span></summary><div class="body">`,
    `<p>${escaped(rule)}. <span class="dim">${escaped(ref)}; from ${escaped(source)}.</span></p>`,
    reason === '' ? '' : `<p class="why ${outcome}">${escaped(reason)}</p>`,
    counting === undefined ? '' : attemptBody(counting),
    others.length === 0 ? '' : otherTries(others),
    '</div></details>',
  ].join('');
}

function otherTries(attempts: readonly Attempt[]): string {
  const tries = attempts.map(
    ({ startedMs, outcome, reason }) =>
      `<li>${time(startedMs)} UTC: ${outcomeWords[outcome]}${reason === '' ? '' : `, ${escaped(reason)}`}</li>`,
  );
  return `<details><summary class="dim">Other tries: ${attempts.length}</summary><ul>${tries.join('')}</ul></details>`;
}

function attemptBody({ startedMs, ladder, venue }: Attempt): string {
  const rungs = ladder.map((rung) => rungItem(rung, startedMs));
  const traces = venue.map(
    ({ clOrdId, orderId, actionHash, seqs, state }) =>
      `<tr><td>${escaped(clOrdId)}</td><td class="hash">order ${escaped(orderId)}<br>action ${escaped(actionHash)}</td><td>${escaped(state)}, seq ${seqs.join(', ')}</td></tr>`,
  );
  return [
    '<div class="lanes"><span>counterparty</span><span>Causeway</span></div>',
    `<ol class="ladder">${rungs.join('')}</ol>`,
    traces.length === 0 ? '' : `<p>At the venue</p><table>${traces.join('')}</table>`,
  ].join('');
}

function rungItem({ atMs, from, label, raw, verdicts }: Rung, startedMs: number): string {
  const isMiddle = raw === undefined;
  const lane = isMiddle ? 'middle' : from === 'peer' ? 'peer' : 'right';
  const isBroken = verdicts.some(({ isMet }) => !isMet);
  const classes = `rung ${lane} ${from}${isBroken ? ' broken' : ''}`;
  const judged = verdicts.length === 0 ? '' : verdictList(verdicts);
  const speaker = speakerWords[from];
  if (isMiddle) {
    const words = speaker === '' ? label : `${speaker}: ${label}`;
    return `<li class="${classes}">${escaped(words)}${judged}</li>`;
  }
  const head = `<span class="what">${escaped(label)}</span><time>${speaker}, +${((atMs - startedMs) / 1000).toFixed(3)} s</time>`;
  return `<li class="${classes}"><header>${head}</header><p class="raw">${rawText(raw)}</p>${judged}</li>`;
}

/** Highlights values; long messages wrap at the edge of the page. */
function rawText(raw: string): string {
  return partsOf(Buffer.from(raw, 'base64'))
    .map(([name, value]) => `${escaped(name)}<b>${escaped(value)}</b>`)
    .join(' | ');
}

/** Splits a message into FIX tags or FIXP names with their values; anything else is hex. */
function partsOf(bytes: Buffer): readonly (readonly [name: string, value: string])[] {
  const decoded = isFramed(bytes) ? decodeFrame(bytes) : undefined;
  if (typeof decoded === 'object') {
    return decoded.fields.map(([name, value]) => [`${name}=`, value]);
  }
  const text = bytes.toString('utf8');
  if (!text.includes('=')) return [['', bytes.toString('hex').replace(/.{8}(?=.)/g, '$& ')]];
  return text
    .split('\x01')
    .filter((field) => field !== '')
    .map((field) => {
      const at = field.indexOf('=');
      return [field.slice(0, at + 1), field.slice(at + 1)];
    });
}

/** A rule is shown once for several consecutive verdicts. */
function verdictList(verdicts: readonly Verdict[]): string {
  const items = verdicts.map((verdict, index) => {
    const { name, got, isMet, rule, ref } = verdict;
    const isTold = verdicts[index + 1]?.rule === rule;
    const words = isMet ? `${name} ${got}` : sentence(verdict);
    const why = isTold ? '' : `<span class="rule">${escaped(`${rule} (${ref})`)}</span>`;
    return `<li${isMet ? '' : ' class="unmet"'}>${escaped(words)}${why}</li>`;
  });
  return `<ul class="verdicts">${items.join('')}</ul>`;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function time(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
