/** Narrows a page to one session. */
import { html } from 'htm/preact';
import { useLoaded } from './api.ts';
import { peerOf } from './format.ts';
import { Choice } from './parts.ts';

export function SessionChoice(props: { value: string; set: (value: string) => void }) {
  const names = useLoaded('/api/session-names').value ?? [];
  const options = [['', 'all'], ...names.map((name) => [name, peerOf(name)])];
  return html`<${Choice} label="Session" ...${props} options=${options} />`;
}
