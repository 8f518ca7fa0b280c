/** The complete story of one order: each step with its time and full content. */
import { html, useState } from 'htm/preact';
import type { OrderRow } from '../../gateway/order-row.ts';
import type { StoryStep } from '../story.ts';
import { type Me, mayDo, queryOf, useLoaded } from './api.ts';
import { Figure } from './figure.ts';
import { clockTime, dateTime, duration, peerOf } from './format.ts';
import { Milestones } from './milestones.ts';
import { canceling, OrderState, refusedText } from './page-orders.ts';
import { Facts, NotYet, Panel, useActs } from './parts.ts';

const kindTexts: Readonly<Record<StoryStep['kind'], string>> = {
  received: 'client',
  recorded: 'account',
  asked: 'to venue',
  answered: 'venue',
  event: 'stream',
  reported: 'to client',
};

export function OrderPage({ orderKey, me }: { orderKey: string; me: Me }) {
  const { again, error, value } = useLoaded('/api/order', { key: orderKey }, ['orders']);
  const [hasCopies, setCopies] = useState(false);
  const acts = useActs(again);
  if (value === undefined) return html`<${NotYet} title="Order" error=${error} />`;
  const { order, steps } = value;
  const firstUs = steps[0]?.atUs ?? 0;
  const isCopy = ({ message }: StoryStep) =>
    message?.direction === 'out' && message.session !== order.session;
  const copies = steps.filter(isCopy).length;
  const shown = hasCopies ? steps : steps.filter((step) => !isCopy(step));
  const orders = `#/orders${queryOf({ session: order.session })}`;
  return html`<${Panel} title=${`Order ${order.clOrdId}`} aside=${html`<a href=${orders}>orders of ${peerOf(order.session)}</a>`}>
      <${Facts} facts=${factsOf(order, steps)} />
      ${
        order.isOpen &&
        mayDo(me, 'operate') &&
        html`<p class="links"><button class="plain risky" onClick=${() => acts.ask(canceling([order]))}>Cancel the order…</button></p>`
      }
      <p role="status">${acts.result}</p>
      <${Milestones} steps=${steps} session=${order.session} />
    <//>
    <${Panel} title="Story" aside=${html`<span class="muted">${shown.length} steps</span>`}>
      ${steps.length === 0 && html`<p class="empty">The trail has no records of this order; it may be older than the trail.</p>`}
      ${
        copies > 0 &&
        html`<label class="choice"><input type="checkbox" checked=${hasCopies} onChange=${() => setCopies(!hasCopies)} /> with ${copies} reports to other sessions</label>`
      }
      <ol class="story">${shown.map((step, index) => html`<${Step} key=${`${step.atUs} ${index}`} step=${step} sinceUs=${step.atUs - firstUs} />`)}</ol>
    <//>${acts.dialog}`;
}

/** Text(58) of the last report that had one. */
function lastWord(steps: readonly StoryStep[]): string | undefined {
  const texts = steps
    .filter(({ kind }) => kind === 'reported')
    .flatMap(({ facts }) => facts.filter(([name]) => name === 'Text(58)' || name === 'Text'));
  return texts.at(-1)?.[1];
}

function factsOf(order: OrderRow, steps: readonly StoryStep[]): [string, unknown][] {
  const lastText = lastWord(steps);
  return [
    ['Status', html`<${OrderState} order=${order} />`],
    ['Symbol', order.symbol],
    ['Side', order.side],
    ['Quantity', html`<${Figure} of=${order.qty || '—'} />`],
    ['Price', order.price === null ? 'market' : html`<${Figure} of=${order.price} />`],
    ['Filled', html`<${Figure} of=${order.cumQty} />`],
    ['Average', order.avgPx === null ? '—' : html`<${Figure} of=${order.avgPx} />`],
    ['Type', `${order.ordType}, ${order.timeInForce}`],
    ['Accepted or last replaced', dateTime(order.changedMs)],
    ...(order.reason === '' ? [] : [[refusedText(order), order.reason] as [string, unknown]]),
    ['Account', order.account],
    ['Session', peerOf(order.session)],
    ...(lastText === undefined ? [] : [['Last text', lastText] as [string, unknown]]),
    ['OrderID', html`<span class="id">${order.orderId ?? '—'}</span>`],
    ['Digest', html`<span class="id">${order.venueRef ?? '—'}</span>`],
  ];
}

function Step({ step, sinceUs }: { step: StoryStep; sinceUs: number }) {
  return html`<li class=${step.kind}>
    <div class="when"><time>${clockTime(step.atUs / 1_000, 6)}</time><span class="muted">+${duration(sinceUs)}</span></div>
    <div class="what"><span class="lane">${kindTexts[step.kind]}${step.message && ` ${peerOf(step.message.session)}`}</span> <strong>${step.title}</strong>
      <dl>${step.facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${
        step.text !== '' &&
        html`<details><summary>${step.message === null ? 'Raw text' : 'The message'}</summary><pre>${step.text}</pre>
        ${step.message && html`<a href=${`#/message/${step.message.id}`}>Decoded</a>`}</details>`
      }
    </div></li>`;
}
