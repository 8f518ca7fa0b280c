/** The complete story of one order: each step with its time and full content. */
import { html, useState } from 'htm/preact';
import type { OrderRow } from '../../gateway/view/order-row.ts';
import type { StoryStep } from '../story.ts';
import { type Me, mayDo, queryOf, useLoaded } from './api.ts';
import { clockTime, dateTime, duration, peerOf } from './format.ts';
import { canceling, OrderState, refusedText } from './page-orders.ts';
import { Facts, Figure, NotYet, Panel, useActs } from './parts.ts';
import { Trades } from './trades.ts';

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
  const { order, steps, trades } = value;
  const isActing = mayDo(me, 'operate');
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
        isActing &&
        html`<p class="links"><button class="plain risky" onClick=${() => acts.ask(canceling([order]))}>Cancel the order…</button></p>`
      }
      <p role="status">${acts.result}</p>
      <${Milestones} steps=${steps} session=${order.session} />
    <//>
    <${Trades} order=${orderKey} trades=${trades} ask=${isActing ? acts.ask : undefined} />
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

/** A latency chart of an order, from its first message to the first report of a venue event. */
function Milestones({ steps, session }: { steps: readonly StoryStep[]; session: string }) {
  const spans = spansOf(steps, session);
  const [first] = spans;
  if (first === undefined) return null;
  const endUs = Math.max(...spans.map(({ toUs }) => toUs));
  const scale = 100 / Math.max(1, endUs - first.fromUs);
  return html`<dl class="spans">${spans.map(({ fromUs, name, toUs }) => {
    const width = Math.max(0.4, (toUs - fromUs) * scale);
    return html`<div><dt>${name}</dt><dd><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6" /><rect
      class="done" x=${Math.min(100 - width, (fromUs - first.fromUs) * scale)} width=${width} height="6" /></svg> ${duration(toUs - fromUs)}</dd></div>`;
  })}</dl>`;
}

/** The spans of the first action, without unfinished ones. */
function spansOf(steps: readonly StoryStep[], session: string) {
  const after = (fromUs: number | undefined, isWanted: (step: StoryStep) => boolean) =>
    fromUs === undefined
      ? undefined
      : steps.find((step) => step.atUs >= fromUs && isWanted(step))?.atUs;
  const of = (kind: StoryStep['kind']) => (step: StoryStep) => step.kind === kind;
  const received = after(0, of('received'));
  const recorded = after(received, of('recorded'));
  const asked = after(recorded, of('asked'));
  const answered = after(asked, of('answered'));
  const event = after(asked, of('event'));
  const reported = after(
    event,
    ({ kind, message }) => kind === 'reported' && message?.session === session,
  );
  const spans: [name: string, fromUs: number | undefined, toUs: number | undefined][] = [
    ['message to record', received, recorded],
    ['record to request', recorded, asked],
    ['request to response', asked, answered],
    ['request to stream event', asked, event],
    ['stream event to report', event, reported],
  ];
  return spans.flatMap(([name, fromUs, toUs]) =>
    fromUs === undefined || toUs === undefined ? [] : [{ name, fromUs, toUs }],
  );
}
