/** Keyboard shortcuts: `g` and a letter opens a page, `/` focuses the search, `?` lists them all. */
import { html, useEffect, useRef } from 'htm/preact';

const pages: Readonly<Record<string, readonly [page: string, title: string]>> = {
  v: ['overview', 'Overview'],
  o: ['orders', 'Orders'],
  s: ['sessions', 'Sessions'],
  m: ['messages', 'Messages'],
  n: ['venue', 'Venue and nonces'],
  r: ['risk', 'Risk'],
  l: ['latency', 'Latency'],
  a: ['alarms', 'Alarms'],
  u: ['audit', 'Audit'],
};

export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let isGoing = false;
    const pressed = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, key, metaKey, target } = event;
      const isTyping =
        target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
      if (isTyping || altKey || ctrlKey || metaKey) return;
      const page = isGoing ? pages[key]?.[0] : undefined;
      isGoing = key === 'g';
      if (page !== undefined) location.hash = `#/${page}`;
      else if (key === '?') dialog.current?.showModal();
      else if (key === '/') focusSearch(event);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const keys = [
    ...Object.entries(pages).map(([key, [, title]]) => [`g ${key}`, title]),
    ['/', 'Search'],
    ['?', 'These shortcuts'],
  ];
  return html`<dialog ref=${dialog} aria-label="Keyboard shortcuts"><h2>Keyboard shortcuts</h2><dl class="keys">${keys.map(
    ([key, title]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${title}</dd></div>`,
  )}</dl><form method="dialog" class="buttons"><button>Close</button></form></dialog>`;
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}
