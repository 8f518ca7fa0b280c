/** One session: all that is known of it, and what an operator may do with it. */
import { html, useState } from 'htm/preact';
import { type Me, queryOf, useLoaded } from './api.ts';
import { ago, clockTime, grouped, peerOf } from './format.ts';
import { type Row, SessionState } from './page-sessions.ts';
import { ActDialog, type Asked, Facts, Fault, NotYet, Panel } from './parts.ts';
import { Sparkline } from './sparkline.ts';

export function SessionPage({ name, me }: { name: string; me: Me }) {
  const path = `/api/session${queryOf({ name })}`;
  const { again, error, value: row } = useLoaded<Row>(path, ['sessions'], 2_000);
  const [asked, setAsked] = useState<Asked>();
  const [told, setTold] = useState('');
  if (row === undefined) return html`<${NotYet} title="Session" error=${error} />`;
  const of = queryOf({ session: name });
  return html`
    <${Panel} title=${peerOf(name)} aside=${html`<a href="#/sessions">all sessions</a>`}>
      <${Fault} text=${error} />
      <${Facts} facts=${factsOf(row)} />
      <p class="links"><a href=${`#/orders${of}`}>Orders of this session</a> <a href=${`#/messages${of}`}>Messages of this session</a></p>
    <//>
    <${Panel} title="Time to an answer" aside=${html`<span class="muted">mean of every 2 s, the last two minutes</span>`}>
      <${Sparkline} values=${row.latencyUs} label=${`Answer time of ${peerOf(name)}`} isLarge /><//>
    ${me.mayAct && html`<${Acts} row=${row} ask=${setAsked} told=${told} />`}
    <${ActDialog} asked=${asked} close=${(text: string) => {
      setAsked(undefined);
      setTold(text);
      again();
    }} />`;
}

function factsOf(row: Row): [string, unknown][] {
  const { address, counts, held, lastHeardMs, limits, openOrders, queued, unreadBytes } = row;
  const set = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return [
    ['State', html`<${SessionState} row=${row} />`],
    ['Lane', row.lane],
    ['For', row.clientRole],
    ['Next in', row.nextIn],
    ['Next out', row.nextOut],
    [
      'Last heard',
      lastHeardMs === 0 ? 'not since the start' : `${clockTime(lastHeardMs)}, ${ago(lastHeardMs)}`,
    ],
    ['Address', address ?? '—'],
    ['Open orders', openOrders],
    ['Gaps', counts.gaps],
    ['Resends', counts.resends],
    ['Rejected by the client', counts.rejects],
    ['Beyond a gap', queued],
    ['Held for a logon', held],
    ['Unread', `${grouped(String(unreadBytes))} bytes`],
    ['Users', row.users.join(', ') || '—'],
    ['Accounts', row.accounts.join(', ') || '—'],
    ['Limits', set.map(([limit, value]) => `${limit} ${value}`).join(', ') || 'none'],
    ['Name', html`<code>${row.name}</code>`],
  ];
}

function Acts(props: { row: Row; ask: (asked: Asked) => void; told: string }) {
  const { ask, row, told } = props;
  return html`<${Panel} title="Acts" aside=${html`<span role="status">${told}</span>`}>
    <ul class="acts">${actsOf(row).map(
      (act) => html`<li><button class=${act.isDangerous ? 'plain risky' : 'plain'}
        onClick=${() => ask(askedOf(row, act))}>${act.text}…</button> <span>${act.what}</span></li>`,
    )}</ul><//>`;
}

interface Act {
  readonly name: string;
  readonly text: string;
  readonly what: string;
  readonly isDangerous: boolean;
}

const acts: readonly (Act & { readonly when: (row: Row) => boolean })[] = [
  {
    name: 'start',
    text: 'Start',
    what: 'The client may log on again.',
    isDangerous: false,
    when: ({ isStopped }) => isStopped,
  },
  {
    name: 'test_request',
    text: 'Test request',
    what: 'The client must answer with a heartbeat.',
    isDangerous: false,
    when: ({ lane, phase }) => lane === 'fix' && phase === 'active',
  },
  {
    name: 'logout',
    text: 'Force logout',
    what: 'The client is logged out and may come back at once.',
    isDangerous: false,
    when: ({ phase }) => phase !== 'down',
  },
  {
    name: 'stop',
    text: 'Stop',
    what: 'The client is logged out, and nobody may log on until the session is started.',
    isDangerous: true,
    when: ({ isStopped }) => !isStopped,
  },
  {
    name: 'set_numbers',
    text: 'Set numbers',
    what: 'Both sides must agree on the next numbers. Kept messages are dropped.',
    isDangerous: true,
    when: ({ phase }) => phase === 'down',
  },
  {
    name: 'reset',
    text: 'Reset to 1',
    what: 'Both numbers become 1. Kept messages are dropped.',
    isDangerous: true,
    when: ({ phase }) => phase === 'down',
  },
];

/** What makes sense in the state of the session. */
function actsOf(row: Row): readonly Act[] {
  return acts.filter(({ when }) => when(row));
}

function askedOf({ name, nextIn, nextOut }: Row, act: Act): Asked {
  return {
    title: `${act.text}: ${peerOf(name)}`,
    text: act.what,
    act: { act: act.name, session: name },
    button: act.text,
    isDangerous: act.isDangerous,
    ...(act.name === 'set_numbers' && { numbers: { nextIn, nextOut } }),
  };
}
