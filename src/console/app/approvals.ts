/** Actions that wait for a second operator. */
import { html } from 'htm/preact';
import type { ApprovalRow } from '../approvals.ts';
import { type Me, mayDo, useLoaded } from './api.ts';
import { clockTime, detailsText, words } from './format.ts';
import { type Asked, type Column, TablePanel, useActs } from './parts.ts';

/** Displays nothing while no action waits. */
export function ApprovalPanel({ me }: { me: Me }) {
  const { again, error, value = [] } = useLoaded('/api/approvals', {}, ['approvals']);
  const acts = useActs(again);
  const columns: readonly Column<ApprovalRow>[] = [
    ['Action', ({ act }) => html`<strong>${words(act)}</strong>`],
    ['Details', ({ details }) => detailsText(details), 'long'],
    ['Requested by', ({ who }) => who],
    ['Why', ({ why }) => why, 'long'],
    ['Expires', ({ expiresMs }) => clockTime(expiresMs, 0)],
    [
      'Actions',
      (row) =>
        html`<span class="row-acts">${
          row.who !== me.who &&
          mayDo(me, 'approve') &&
          html`<button onClick=${() => acts.ask(decision(row, 'approve'))}>Approve</button>`
        }${
          mayDo(me, 'approve') &&
          html`<button class="plain" onClick=${() => acts.ask(decision(row, 'decline'))}>${row.who === me.who ? 'Withdraw' : 'Decline'}</button>`
        }</span>`,
    ],
  ];
  if (value.length === 0)
    return html`<p role="status" class=${acts.result && 'panel'}>${acts.result}</p>${acts.dialog}`;
  return html`<${TablePanel} label="Waiting for approval" columns=${columns} rows=${value} error=${error}
    aside=${html`<span role="status">${acts.result}</span>`} keyOf=${({ id }: ApprovalRow) => String(id)} empty="" />${acts.dialog}`;
}

function decision({ act, details, id, who, why }: ApprovalRow, verb: 'approve' | 'decline'): Asked {
  return {
    title: `${verb === 'approve' ? 'Approve' : 'Decline'}: ${words(act)}`,
    text: `${who} requested this for ${detailsText(details)}, because: ${why}`,
    act: { act: verb, request: id },
    button: verb === 'approve' ? 'Approve' : 'Decline',
    isDangerous: verb === 'approve',
  };
}
