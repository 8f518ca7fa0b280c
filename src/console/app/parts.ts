/** What the pages are made of: states, tables, forms, and the dialog that asks for a reason. */
import { html, useEffect, useRef, useState } from 'htm/preact';
import { post, Refused } from './api.ts';
import { dateTime, momentOf, words } from './format.ts';

type Child = unknown;
export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state by colour, shape and word, so that colour is never alone. */
export function State({ tone, children }: { tone: Tone; children?: Child }) {
  return html`<span class=${`state ${tone}`}>${children}</span>`;
}

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  established: 'good',
  open: 'good',
  live: 'good',
  filled: 'good',
  new: 'good',
  partially_filled: 'good',
  down: 'quiet',
  canceled: 'quiet',
  expired: 'quiet',
  pending_new: 'warn',
  pending_cancel: 'warn',
  pending_replace: 'warn',
  reducing: 'warn',
  rejected: 'bad',
  blocked: 'bad',
  stopped: 'bad',
};

export function Word({ word }: { word: string }) {
  return html`<${State} tone=${tones[word] ?? 'warn'}>${words(word)}<//>`;
}

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Child;
  /** Numbers stand at the right, in figures of one width. */
  readonly isNumber?: boolean;
  /** Left out on a phone. */
  readonly isWide?: boolean;
  /** Broken over several lines rather than cut off. */
  readonly isLong?: boolean;
}

/** On a phone each row becomes a card, and each cell says what it is. */
export function Table<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  href?: (row: Row) => string;
  empty: Child;
}) {
  const { columns, empty, href, keyOf, label, rows } = props;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const kind = ({ isLong, isNumber, isWide }: Column<Row>) =>
    `${isNumber ? 'number' : ''} ${isWide ? 'wide' : ''} ${isLong ? 'long' : ''}`;
  return html`<div class="table" tabindex="0" role="region" aria-label=${label}><table>
    <thead><tr>${columns.map((column) => html`<th scope="col" class=${kind(column)}>${column.head}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr key=${keyOf(row)}>${columns.map((column, index) => {
          const held = column.cell(row);
          const blank = held === '' || held === false ? 'blank' : '';
          return html`<td class=${`${kind(column)} ${blank}`} data-head=${column.head}>
          ${index === 0 && href ? html`<a href=${href(row)}>${held}</a>` : held}</td>`;
        })}</tr>`,
    )}</tbody></table></div>`;
}

export function Panel(props: { title: string; aside?: Child; children?: Child }) {
  const { aside, children, title } = props;
  return html`<section class="panel"><header><h2>${title}</h2>${aside && html`<div class="aside">${aside}</div>`}</header>
    ${children}</section>`;
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) {
  return html`<dl class="facts">${facts.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

/** In the place of a page whose content has not come, with the reason where there is one. */
export function NotYet({ title, error }: { title: string; error: string }) {
  return html`<${Panel} title=${title}>${error === '' ? html`<${Waiting} />` : html`<${Fault} text=${error} />`}<//>`;
}

/** Nothing is known yet; said to those who do not see it, too. */
export function Waiting() {
  return html`<p class="empty" role="status">…</p>`;
}

export function Field(props: { label: string; children?: Child }) {
  return html`<label class="field"><span>${props.label}</span>${props.children}</label>`;
}

/** A text field that waits for the end of the typing. */
export function Search(props: {
  label: string;
  value: string;
  set: (value: string) => void;
  hint?: string;
}) {
  const { hint, label, set, value } = props;
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (typed === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = typed;
      set(typed);
    }, 250);
    return () => clearTimeout(timer);
  }, [typed]);
  // Changed by somebody else, such as a link; what is typed meanwhile is not taken away.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  return html`<${Field} label=${label}><input type="search" value=${typed} placeholder=${hint}
    onInput=${(event: InputEvent) => setTyped((event.target as HTMLInputElement).value)} /><//>`;
}

export function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  set: (value: string) => void;
}) {
  const { label, options, set, value } = props;
  return html`<${Field} label=${label}><select value=${value}
    onChange=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
    ${options.map(([of, text]) => html`<option value=${of}>${text}</option>`)}</select><//>`;
}

/** A moment of UTC as milliseconds in text, empty for none. */
export function Moment(props: { label: string; value: string; set: (value: string) => void }) {
  const { label, set, value } = props;
  const shown = value === '' ? '' : dateTime(Number(value));
  return html`<${Field} label=${`${label} (UTC)`}><input class="moment" value=${shown} placeholder="16:42" title="A time of today, or such as 2026-11-21 16:42:05"
    onChange=${(event: Event) => {
      const field = event.target as HTMLInputElement;
      const atMs = momentOf(field.value, Date.now());
      const isWrong = atMs === undefined && field.value.trim() !== '';
      field.setCustomValidity(isWrong ? 'A time such as 16:42:05, or 2026-11-21 16:42' : '');
      field.reportValidity();
      if (!isWrong) set(String(atMs ?? ''));
    }} /><//>`;
}

export function Fault({ text }: { text: string }) {
  return text === '' ? null : html`<p class="fault" role="alert">${text}</p>`;
}

export interface Asked {
  readonly title: string;
  /** What will happen, in a sentence. */
  readonly text: string;
  readonly act: Readonly<Record<string, unknown>>;
  readonly button: string;
  readonly isDangerous?: boolean;
  /** A word that must be typed, sent as `confirm`. */
  readonly confirm?: string;
  /** Numbers that the act needs, by their names in it. */
  readonly numbers?: Readonly<Record<string, number>>;
}

/** Asks why, lets a dangerous act be confirmed, carries it out and says what came of it. */
export function ActDialog(props: { asked: Asked | undefined; close: (text: string) => void }) {
  const { asked, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [why, setWhy] = useState('');
  const [typed, setTyped] = useState('');
  const [numbers, setNumbers] = useState<Readonly<Record<string, number>>>({});
  const [fault, setFault] = useState('');
  useEffect(() => {
    setWhy('');
    setTyped('');
    setFault('');
    setNumbers(asked?.numbers ?? {});
    if (asked === undefined) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [asked]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const confirm = asked?.confirm === undefined ? {} : { confirm: typed };
    try {
      const done = await post<{ readonly text: string }>('/api/act', {
        ...asked?.act,
        ...numbers,
        ...confirm,
        why,
      });
      close(done.text);
    } catch (error) {
      setFault(error instanceof Refused ? error.message : String(error));
    }
  };
  const isReady =
    why.trim().length >= 3 && (asked?.confirm === undefined || typed === asked.confirm);
  return html`<dialog ref=${dialog} aria-labelledby="act-title" onCancel=${() => close('')}>${
    asked &&
    html`
    <form onSubmit=${submit}><h2 id="act-title">${asked.title}</h2><p>${asked.text}</p>
    ${Object.entries(numbers).map(
      ([
        name,
        value,
      ]) => html`<${Field} label=${name === 'nextIn' ? 'Next in' : 'Next out'}><input type="number" min="1" required
        value=${value} onInput=${(event: InputEvent) =>
          setNumbers({
            ...numbers,
            [name]: (event.target as HTMLInputElement).valueAsNumber,
          })} /><//>`,
    )}
    <${Field} label="Reason, for the audit chain"><input name="why" required minlength="3" maxlength="200" value=${why}
      onInput=${(event: InputEvent) => setWhy((event.target as HTMLInputElement).value)} /><//>
    ${
      asked.confirm &&
      html`<${Field} label=${`Type ${asked.confirm} to confirm`}><input name="confirm" autocomplete="off" value=${typed}
      onInput=${(event: InputEvent) => setTyped((event.target as HTMLInputElement).value)} /><//>`
    }
    <${Fault} text=${fault} />
    <div class="buttons"><button type="button" class="plain" onClick=${() => close('')}>Leave it</button>
    <button class=${asked.isDangerous ? 'danger' : ''} disabled=${!isReady}>${asked.button}</button></div></form>`
  }</dialog>`;
}
