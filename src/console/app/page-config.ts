/** The running configuration. It contains no secrets, only the names of their files. */
import { html } from 'htm/preact';
import { useLoaded } from './api.ts';
import { Fault, Panel } from './parts.ts';

export function ConfigPage() {
  const { error, value } = useLoaded('/api/config', {}, ['audit']);
  return html`<${Panel} title="Running configuration" aside=${html`<span class="muted">secrets are named by file</span>`}>
    <${Fault} text=${error} />
    <dl class="tree">${Object.entries(value ?? {}).map(([name, held]) => html`<${Branch} name=${name} value=${held} isOpen />`)}</dl><//>`;
}

function Branch({ name, value, isOpen }: { name: string; value: unknown; isOpen?: boolean }) {
  if (typeof value !== 'object' || value === null) {
    return html`<div class="leaf"><dt>${name}</dt><dd><code>${String(value)}</code></dd></div>`;
  }
  const entries = Object.entries(value);
  if (entries.length === 0)
    return html`<div class="leaf"><dt>${name}</dt><dd class="muted">none</dd></div>`;
  return html`<details open=${isOpen && entries.length < 8}><summary>${name}${Array.isArray(value) && html` <span class="muted">${entries.length}</span>`}</summary>
    ${entries.map(([key, held]) => html`<${Branch} name=${nameOf(key, held)} value=${held} />`)}</details>`;
}

/** A list entry is displayed with its own name, if it has one. */
function nameOf(key: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return key;
  const { name, senderCompId } = value as { name?: unknown; senderCompId?: unknown };
  return String(senderCompId ?? name ?? key);
}
