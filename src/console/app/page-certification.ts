/** What counterparties have shown: each run of the certification, scenario by scenario. */
import { html } from 'htm/preact';
import type { CertificationRun } from '../certification-runs.ts';
import { useLoaded } from './api.ts';
import { dateTime } from './format.ts';
import { type Column, Fault, Panel, State, Table, type Tone } from './parts.ts';

type Run = NonNullable<CertificationRun['run']>;
type Scenario = Run['scenarios'][number];
type Outcome = Scenario['outcome'];

interface Runs {
  readonly directory: string | null;
  readonly runs: readonly CertificationRun[];
}

const tones: Readonly<Record<Outcome, Tone>> = {
  passed: 'good',
  failed: 'bad',
  inconclusive: 'warn',
  notRun: 'quiet',
  waived: 'quiet',
};
const words: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'inconclusive',
  notRun: 'not run',
  waived: 'waived',
};

const columns: readonly Column<Scenario>[] = [
  { head: 'Scenario', cell: ({ id }) => html`<strong>${id}</strong>` },
  {
    head: 'Outcome',
    cell: ({ outcome }) => html`<${State} tone=${tones[outcome]}>${words[outcome]}<//>`,
  },
  { head: 'Level', cell: ({ level }) => level },
  { head: 'What', cell: ({ title }) => title, isLong: true },
  { head: 'Why', cell: ({ reason }) => reason, isLong: true },
];

export function CertificationPage() {
  const { error, value } = useLoaded<Runs>('/api/certification', [], 10_000);
  if (value === undefined)
    return html`<${Panel} title="Certification"><${Fault} text=${error} /><//>`;
  const { directory, runs } = value;
  if (directory === null) {
    return html`<${Panel} title="Certification"><p class="empty">Name the folder that <code>causeway certify</code> writes to as
      <code>console.certificationDir</code> in the configuration, and its runs are shown here.</p><//>`;
  }
  if (runs.length === 0)
    return html`<${Panel} title="Certification"><p class="empty">There is no run in ${directory} yet.</p><//>`;
  return runs.map((one) => html`<${RunPanel} key=${one.folder} of=${one} />`);
}

function RunPanel({ of: { expires, fault, folder, run } }: { of: CertificationRun }) {
  if (run === null) return html`<${Panel} title=${folder}><${Fault} text=${fault} /><//>`;
  const { direction, identity, protocol, scenarios, startedMs } = run;
  const counts = (Object.keys(words) as Outcome[]).flatMap((outcome) => {
    const count = scenarios.filter((scenario) => scenario.outcome === outcome).length;
    return count === 0
      ? []
      : [html`<li><${State} tone=${tones[outcome]}>${count} ${words[outcome]}<//></li>`];
  });
  const isValid = expires !== null && Date.parse(expires) > Date.now();
  return html`<${Panel} title=${identity.name} aside=${html`<${State} tone=${isValid ? 'good' : 'quiet'}>${
    expires === null
      ? 'no certificate'
      : `certificate ${isValid ? 'until' : 'ended'} ${expires.slice(0, 10)}`
  }<//>`}>
    <p>${identity.software} ${identity.version}, SenderCompID ${identity.senderCompId}, as ${direction} over ${protocol}, ${dateTime(startedMs)} UTC</p>
    <ul class="chips">${counts}</ul>
    <details><summary>${scenarios.length} scenarios</summary><${Table} label=${`Scenarios of ${identity.name}`} columns=${columns} rows=${scenarios}
      keyOf=${({ id }: Scenario) => id} empty="None." /></details><//>`;
}
