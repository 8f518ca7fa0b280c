/** Restricts a page to one session. */
import { html } from 'htm/preact';
import { useLoaded } from './api.ts';
import { peerOf } from './format.ts';
import { Choice } from './parts.ts';

interface Props {
  value: string;
  set: (value: string) => void;
  /** The text for no session. */
  none?: string;
}

export function SessionChoice({ none = 'all', ...props }: Props) {
  const names = useLoaded('/api/session-names').value ?? [];
  const options = [['', none], ...names.map((name) => [name, peerOf(name)])];
  return html`<${Choice} label="Session" ...${props} options=${options} />`;
}
