/** The certification results of counterparties, and their runs. */
import { html } from 'htm/preact';
import type { CertificationRun } from '../certification-runs.ts';
import type { RunState, Step } from '../run-progress.ts';
import { type Me, mayDo, queryOf, useLoaded } from './api.ts';
import { clockTime, dateTime } from './format.ts';
import {
  type Asked,
  type Column,
  Fault,
  NotYet,
  Panel,
  State,
  Table,
  type Tone,
  useActs,
} from './parts.ts';

export function CertificationPage({ me }: { me: Me }) {
  const topics = ['certification'] as const;
  const { again, error, value } = useLoaded('/api/certification', {}, topics, 10_000);
  const acts = useActs(again);
  if (value === undefined) return html`<${NotYet} title="Certification" error=${error} />`;
  if (value.directory === null) return html`<${HowToBegin} />`;
  const { folders, runs, states } = value;
  const names = [...new Set([...folders, ...runs.map(({ folder }) => folder)])];
  return html`<${Fault} text=${error} /><p class="result" role="status">${acts.result}</p>
    ${names.length === 0 && html`<${HowToBegin} directory=${value.directory} />`}
    ${names.map((folder) => {
      const kept = runs.find((run) => run.folder === folder);
      const live = states.find((state) => state.folder === folder);
      const canPlay = mayDo(me, 'operate') && folders.includes(folder);
      return html`<${Counterparty} key=${folder} folder=${folder} kept=${kept} live=${live}
        ask=${canPlay ? acts.ask : undefined} />`;
    })}
    ${acts.dialog}`;
}

function HowToBegin({ directory }: { directory?: string }) {
  return html`<${Panel} title="Certification">${
    directory === undefined
      ? html`<p>Name a folder as <code>console.certificationDir</code> in the configuration, with a folder in it for each counterparty.</p>`
      : html`<p>There is no counterparty in ${directory} yet.</p>`
  }
    <p class="muted">The answers of a counterparty are in its <code>interview.yaml</code>; <code>causeway certify interview</code> prints the questions.</p><//>`;
}

function Counterparty(props: {
  folder: string;
  kept: CertificationRun | undefined;
  live: RunState | undefined;
  ask: ((asked: Asked) => void) | undefined;
}) {
  const { ask, folder, kept, live } = props;
  const run = kept?.run ?? undefined;
  const missing = run?.scenarios.filter(isMissing).map(({ id }) => id) ?? [];
  const isRunning = live?.isRunning ?? false;
  return html`<${Panel} title=${run?.identity.name ?? folder} aside=${html`<${Certificate} expires=${kept?.expires ?? null} />`}>
    <${Fault} text=${kept?.fault ?? ''} />
    ${run === undefined ? html`<p class="muted">No scenario has been played yet; the answers of the counterparty are in <code>${folder}/interview.yaml</code>.</p>` : html`<${Summary} run=${run} />`}
    <div class="links">
      ${ask && !isRunning && html`<button onClick=${() => ask(playOf(folder, []))}>Play all…</button>`}
      ${ask && !isRunning && missing.length > 0 && html`<button class="plain" onClick=${() => ask(playOf(folder, missing))}>Play what is missing…</button>`}
      ${ask && isRunning && html`<button class="danger" onClick=${() => ask(stopOf(folder))}>Stop…</button>`}
      ${run && html`<a href=${`/api/certification/report${queryOf({ folder })}`} download>Download the report</a>`}
    </div>
    ${live && html`<${RunPanel} state=${live} />`}
    ${
      run &&
      html`<details><summary>${run.scenarios.length} scenarios</summary><${Table} label=${`Scenarios of ${run.identity.name}`}
      columns=${columnsOf(folder, isRunning ? undefined : ask)} rows=${run.scenarios} keyOf=${({ id }: Scenario) => id} empty="None." /></details>`
    }<//>`;
}

function Certificate({ expires }: { expires: string | null }) {
  if (expires === null) return html`<${State} tone="quiet">no certificate<//>`;
  const isValid = Date.parse(expires) > Date.now();
  const day = expires.slice(0, 10);
  return html`<${State} tone=${isValid ? 'good' : 'warn'}>certificate ${isValid ? 'until' : 'ended'} ${day}<//>`;
}

function Summary({ run }: { run: Run }) {
  const { direction, identity, protocol, scenarios, startedMs } = run;
  const counts = outcomes
    .map((of) => ({ of, count: scenarios.filter(({ outcome }) => outcome === of).length }))
    .filter(({ count }) => count > 0);
  return html`<p>${identity.software} ${identity.version}, SenderCompID(49) ${identity.senderCompId}, as ${direction} over ${protocol}, ${dateTime(startedMs)} UTC</p>
    <ul class="chips">${counts.map(({ count, of }) => html`<li><${OutcomeWord} outcome=${of} count=${count} /></li>`)}</ul>`;
}

function columnsOf(folder: string, ask: ((asked: Asked) => void) | undefined): Column<Scenario>[] {
  const columns: Column<Scenario>[] = [
    ['Scenario', ({ id }) => html`<strong>${id}</strong>`],
    ['Outcome', ({ outcome }) => html`<${OutcomeWord} outcome=${outcome} />`],
    ['Level', ({ level }) => level],
    ['What', ({ title }) => title, 'long'],
    ['Why', ({ reason }) => reason, 'long'],
  ];
  if (ask === undefined) return columns;
  const cell = ({ id, isPlayable }: Scenario) =>
    isPlayable &&
    html`<button class="plain" aria-label=${`Play ${id}`} onClick=${() => ask(playOf(folder, [id]))}>Play…</button>`;
  return [...columns, ['Action', cell]];
}

function playOf(folder: string, only: readonly string[]): Asked {
  const what =
    only.length === 0
      ? 'all that the interview selects'
      : only.length > 5
        ? `${only.length} scenarios`
        : only.join(', ');
  return {
    title: `Certify ${folder}`,
    text: `Plays ${what}. Earlier results are kept. The counterparty connects to the address of its interview.`,
    act: { act: 'certify', folder, only },
    button: 'Play',
  };
}

function stopOf(folder: string): Asked {
  return {
    title: `Stop the certification of ${folder}`,
    text: 'The scenario under way ends; the results so far are kept.',
    act: { act: 'certify_stop', folder },
    button: 'Stop',
    isDangerous: true,
  };
}

type Run = NonNullable<CertificationRun['run']>;
type Scenario = Run['scenarios'][number];
type Outcome = Scenario['outcome'];

/** In the order in which they are counted. */
const words: Readonly<Record<Outcome, readonly [tone: Tone, text: string]>> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  inconclusive: ['warn', 'inconclusive'],
  notRun: ['quiet', 'not run'],
  waived: ['quiet', 'waived'],
};
const outcomes = Object.keys(words) as readonly Outcome[];

function OutcomeWord({ outcome, count }: { outcome: Outcome; count?: number }) {
  const [tone, text] = words[outcome];
  return html`<${State} tone=${tone}>${count === undefined ? text : `${count} ${text}`}<//>`;
}

/** Whether it has not been demonstrated yet, and can be played here. */
function isMissing({ isPlayable, outcome }: Scenario): boolean {
  return isPlayable && outcome !== 'passed' && outcome !== 'waived';
}

/** A certification in progress: its progress, the current instruction, and the messages exchanged. */
function RunPanel({ state }: { state: RunState }) {
  const { fault, finished, isRunning, playing, prompt, steps, total, waiting } = state;
  return html`<div class="run">
    <p><${State} tone=${isRunning ? 'good' : 'quiet'}>${isRunning ? 'under way' : 'ended'}<//> ${isRunning && waiting}
      <progress max=${Math.max(1, total)} value=${finished.length} aria-label="Scenarios played"></progress> ${finished.length} of ${total}</p>
    <${Fault} text=${fault} />
    ${playing && html`<p>Playing <strong>${playing.id}</strong> ${playing.title}</p>`}
    <div role="status">${
      prompt &&
      html`<div class="prompt"><strong>The counterparty must act</strong><p>${prompt.text}</p>${
        prompt.line !== '' && html`<code>${prompt.line}</code>`
      }</div>`
    }</div>
    ${isRunning && steps.length > 0 && html`<ol class="ladder" aria-label="Messages">${steps.map((step) => html`<${Rung} step=${step} />`)}</ol>`}
    ${
      finished.length > 0 &&
      html`<ul class="finished">${finished.map(
        ({ id, outcome, reason, title }) =>
          html`<li key=${id}><${OutcomeWord} outcome=${outcome} /> <strong>${id}</strong> ${title}${
            outcome !== 'passed' && reason !== '' && html`<span class="muted"> ${reason}</span>`
          }</li>`,
      )}</ul>`
    }</div>`;
}

function Rung({ step: { atMs, faults, from, label, text } }: { step: Step }) {
  return html`<li><time>${clockTime(atMs)}</time> <span class="lane">${from}</span> ${label}
    ${text !== '' && html`<code class="line" title=${text}>${text}</code>`}
    ${faults.map((fault) => html`<${Fault} text=${fault} />`)}</li>`;
}
