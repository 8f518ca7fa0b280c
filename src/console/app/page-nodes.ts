/** The cluster of this shard: nodes, shards, database, and the actions for all shards. */
import { html } from 'htm/preact';
import type {
  ActReport,
  ClusterNodeRow,
  ClusterShardRow,
  ClusterView,
} from '../../gateway/operator/cluster-link.ts';
import { useLoaded } from './api.ts';
import { clockTime, momentText } from './format.ts';
import { type Column, Fault, NotYet, Panel, State, TablePanel, type Tone } from './parts.ts';

const refreshMs = 1_000;

const shardTones: Readonly<Record<string, Tone>> = { serving: 'good', starting: 'warn' };

const shardColumns: readonly Column<ClusterShardRow>[] = [
  ['Shard', ({ accounts, shard }) => html`<strong title=${accounts.join(', ')}>${shard}</strong>`],
  [
    'State',
    ({ isServed, state }) =>
      html`<${State} tone=${isServed ? 'good' : (shardTones[state] ?? 'bad')}>${isServed ? 'serving' : state}<//>`,
  ],
  ['Node', ({ node }) => node ?? 'none'],
  ['Epoch', ({ epoch }) => epoch ?? '', 'number'],
  ['Position', ({ position }) => position ?? '', 'number'],
  ['Owner for', ({ ownedMs }) => since(ownedMs), 'number'],
  [
    'Last renewal',
    ({ renewedMs }) => (renewedMs === null ? '' : `${seconds(renewedMs)} ago`),
    'number',
  ],
  ['Sessions', ({ sessions }) => sessions, 'number'],
  [
    'Console',
    ({ consoleUrl, node }) =>
      consoleUrl === null
        ? node && `on ${node}`
        : html`<a href=${consoleUrl} rel="noreferrer">open</a>`,
  ],
];

const nodeColumns: readonly Column<ClusterNodeRow>[] = [
  [
    'Node',
    ({ isHere, node }) =>
      html`<strong>${node}</strong>${isHere && html` <span class="muted">this one</span>`}`,
  ],
  [
    'State',
    ({ isDraining }) =>
      isDraining ? html`<${State} tone="warn">draining<//>` : html`<${State} tone="good">alive<//>`,
  ],
  ['Version', ({ version }) => version],
  ['Shards', ({ shards }) => shards.join(', ') || 'none'],
  ['Last seen', ({ silentMs }) => `${seconds(silentMs)} ago`, 'number'],
];

const actColumns: readonly Column<ActReport>[] = [
  ['Time', ({ atMs }) => momentText(atMs)],
  ['Act', ({ act }) => actText(act)],
  ['By', ({ by, node }) => `${by.who}, through ${node}`],
  ['Reason', ({ by }) => by.why, 'long'],
  ['Confirmed', (report) => html`<${Confirmations} report=${report} />`, 'long'],
];

export function NodesPage() {
  const { error, value } = useLoaded('/api/cluster', {}, [], refreshMs);
  if (value === undefined) return html`<${NotYet} title="Nodes" error=${error} />`;
  const { acts, nodes, shards } = value;
  const unserved = shards.filter(({ isServed }) => !isServed).length;
  return html`<${Fault} text=${error} />
    <${Database} view=${value} />
    <${TablePanel} label="Shards" aside=${
      unserved === 0
        ? html`<${State} tone="good">all are served<//>`
        : html`<${State} tone="bad">${unserved} of ${shards.length} not served<//>`
    } columns=${shardColumns} rows=${shards} error="" keyOf=${({ shard }: ClusterShardRow) => shard} empty="" />
    <${TablePanel} label="Nodes" columns=${nodeColumns} rows=${nodes} error="" keyOf=${({ node }: ClusterNodeRow) => node} empty="" />
    <${TablePanel} label="Acts for all shards" columns=${actColumns} rows=${acts} error=""
      keyOf=${(act: ActReport) => `${act.id} ${act.atMs}`} empty="No operator has used the kill switch or changed limits." />`;
}

function Database({ view: { database } }: { view: ClusterView }) {
  if (database === null)
    return html`<${Panel} title="Data"><p>Each shard has a directory on this machine, so no other node can take over.</p><//>`;
  const { isAway, isReplicated, readAgoMs, standbys } = database;
  if (isAway)
    return html`<${Panel} title="Database"><p role="alert"><${State} tone="bad">away<//> The database does not answer this node. What is
      shown below is as it was ${readAgoMs === null ? '' : seconds(readAgoMs)} ago; nothing is taken or given up meanwhile.</p><//>`;
  const waited = standbys?.filter(
    ({ syncState }) => syncState === 'sync' || syncState === 'quorum',
  );
  return html`<${Panel} title="Database">
    <p>${replicationState(isReplicated, waited?.length)}</p>
    ${
      standbys === null
        ? html`<p class="muted">The role of the bridge may not see standbys: grant pg_read_all_stats to it.</p>`
        : html`<ul>${standbys.map(
            ({ lagBytes, name, syncState }) =>
              html`<li><strong>${name}</strong> ${syncState}, ${lagBytes.toLocaleString('en')} bytes behind</li>`,
          )}</ul>`
    }<//>`;
}

function replicationState(isReplicated: boolean | null, waited: number | undefined) {
  if (isReplicated === null)
    return html`<${State} tone="warn">not known<//> The database has not reported its standbys.`;
  if (!isReplicated)
    return html`<${State} tone="bad">not replicated<//> Commits wait for no standby: a failover can lose them.`;
  if (waited === 0)
    return html`<${State} tone="bad">no standby<//> Commits wait for a standby, and none is connected.`;
  return html`<${State} tone="good">replicated<//> Commits wait for a standby.`;
}

/** Unconfirmed shards come first, each by name. */
function Confirmations({ report: { confirmed, id, unconfirmed } }: { report: ActReport }) {
  return html`<div>${unconfirmed.map(
    ({ shard, why }) => html`<div><${State} tone="bad">${shard} NOT confirmed<//> ${why}</div>`,
  )}${id === null && html`<div><${State} tone="bad">not recorded<//> for the other nodes</div>`}${confirmed.map(
    ({ atMs, isHere, node, shard, text }) =>
      html`<div title=${text}><${State} tone=${isHere ? 'good' : 'quiet'}>${shard}<//> ${node}, ${clockTime(atMs)}${!isHere && ': not there'}</div>`,
  )}</div>`;
}

function actText(act: ActReport['act']): string {
  const about = act.kind === 'set_limits' ? act.target : act.scope;
  const subject = 'name' in about ? `${about.kind} ${about.name}` : 'everything';
  const names = { kill: 'kill switch on', release: 'kill switch off', set_limits: 'limits' };
  return `${names[act.kind]}: ${subject}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function since(ms: number | null): string {
  if (ms === null) return '';
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return seconds(ms);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
