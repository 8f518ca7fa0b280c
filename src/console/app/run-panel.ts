/** A certification in progress: its progress, the current instruction, and the messages exchanged. */
import { html } from 'htm/preact';
import type { RunState, Step } from '../run-progress.ts';
import { clockTime } from './format.ts';
import { OutcomeWord } from './outcome.ts';
import { Fault, State } from './parts.ts';

export function RunPanel({ state }: { state: RunState }) {
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
