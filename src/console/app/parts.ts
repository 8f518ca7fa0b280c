/** The components of the pages: states, tables, forms, and the dialog for a reason. */
import { html, useEffect, useRef, useState } from 'htm/preact';
import { post, textOf, useLoaded } from './api.ts';
import { dateTime, grouped, momentOf, peerOf, words } from './format.ts';

type Child = unknown;
export type Tone = 'good' | 'warn' | 'bad' | 'quiet';

/** A state as colour, shape and word, so that it never depends on colour alone. */
export function State({ tone, children }: { tone: Tone; children?: Child }) {
  return html`<span class=${`state ${tone}`}>${children}</span>`;
}

/** Every other word is a warning. */
const tones: readonly (readonly [tone: Tone, words: readonly string[]])[] = [
  ['good', ['active', 'established', 'open', 'live', 'filled', 'new', 'partially_filled']],
  ['quiet', ['down', 'canceled', 'expired']],
  ['bad', ['rejected', 'blocked', 'stopped']],
];

export function Word({ word }: { word: string }) {
  const [tone = 'warn'] = tones.find(([, all]) => all.includes(word)) ?? [];
  return html`<${State} tone=${tone}>${words(word)}<//>`;
}

/**
 * The styles of a column. `number`: right-aligned, with digits of equal width. `wide`: hidden on a phone. `long`: wraps
 * over several lines. `bare`: without its heading on a phone.
 */
export type Column<Row> = readonly [
  head: string,
  cell: (row: Row) => Child,
  look?: string,
  /** The name that the server uses for sorting. */
  sort?: string | undefined,
];

interface Sort {
  readonly by: string;
  readonly isRising: boolean;
  set(by: string, isRising: boolean): void;
}

interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  href?: (row: Row) => string;
  /** The column that is a link; the first by default. */
  link?: number;
  sort?: Sort;
  look?: string;
  empty: Child;
}

/** On a phone each row becomes a card, and each cell displays its column's heading. */
export function Table<Row>(props: TableProps<Row>) {
  const { columns, empty, href, keyOf, label, link = 0, look: tableLook = '', rows, sort } = props;
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<div class=${`table ${tableLook}`} tabindex="0" role="region" aria-label=${label}><table>
    <thead><tr>${columns.map((column) => html`<${Head} column=${column} sort=${sort} />`)}</tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr key=${keyOf(row)}>${columns.map(([head, cell, look = ''], index) => {
          const held = cell(row);
          const blank = held === '' || held === false ? 'blank' : '';
          return html`<td class=${`${look} ${blank}`} data-head=${head}>
          ${index === link && href ? html`<a href=${href(row)}>${held}</a>` : held}</td>`;
        })}</tr>`,
    )}</tbody></table></div>`;
}

function Head<Row>({ column: [head, , look, by], sort }: { column: Column<Row>; sort?: Sort }) {
  if (by === undefined || sort === undefined)
    return html`<th scope="col" class=${look}>${head}</th>`;
  const isSorted = sort.by === by;
  const order = !isSorted ? undefined : sort.isRising ? 'ascending' : 'descending';
  return html`<th scope="col" class=${look} aria-sort=${order}><button onClick=${() => sort.set(by, isSorted && !sort.isRising)}>${head}${
    isSorted ? (sort.isRising ? ' ▲' : ' ▼') : ''
  }</button></th>`;
}

/** A panel with one table of a route's response; `filters` are the fields that restrict it. */
export function TablePanel<Row>(
  props: Omit<TableProps<Row>, 'rows'> & {
    aside?: Child;
    error: string;
    /** Undefined until the route has responded. */
    rows: readonly Row[] | undefined;
    filters?: Child;
    steps?: readonly Step[];
    children?: Child;
  },
) {
  const { aside, children, error, filters, rows, steps = [], ...table } = props;
  // On a phone the search fields take the space of ten rows.
  const [isOpen, setOpen] = useState(false);
  return html`<${Panel} title=${table.label} aside=${aside}>
    ${filters && html`<button class="plain narrow" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Search</button><form class=${`filters ${isOpen ? 'shown' : ''}`} onSubmit=${(event: Event) => event.preventDefault()}>${filters}</form>`}
    <${Fault} text=${error} />${children}
    ${rows === undefined ? html`<${Waiting} />` : html`<${Table} ...${table} rows=${rows} />`}
    ${steps.length > 0 && html`<div class="buttons">${steps.map(([text, go]) => go && html`<button class="plain" onClick=${go}>${text}</button>`)}</div>`}<//>`;
}

/** A button that leads to another page of a table, if there is one. */
type Step = readonly [text: string, go: false | (() => void)];

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

/** A page whose content is not loaded, with the reason if there is one. */
export function NotYet({ title, error }: { title: string; error: string }) {
  return html`<${Panel} title=${title}>${error === '' ? html`<${Waiting} />` : html`<${Fault} text=${error} />`}<//>`;
}

/** No data yet; screen readers announce this as well. */
function Waiting() {
  return html`<p class="empty" role="status">…</p>`;
}

export function Field(props: { label: string; children?: Child }) {
  return html`<label class="field"><span>${props.label}</span>${props.children}</label>`;
}

interface FieldProps {
  label: string;
  value: string;
  set: (value: string) => void;
}

/** A text field that waits until the user stops typing. */
export function Search(props: FieldProps) {
  const { label, set, value } = props;
  const [typed, setTyped] = useState(value);
  const applied = useRef(value);
  useEffect(() => {
    if (typed === applied.current) return undefined;
    const timer = setTimeout(() => {
      applied.current = typed;
      set(typed);
    }, 250);
    return () => clearTimeout(timer);
  }, [typed]);
  // Changed from outside, such as by a link; text that is being typed is not overwritten.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setTyped(value);
  }, [value]);
  return html`<${Field} label=${label}><input type="search" value=${typed} onInput=${(event: InputEvent) => setTyped((event.target as HTMLInputElement).value)} /><//>`;
}

export function Choice(
  props: FieldProps & { options: readonly (readonly [value: string, text: string])[] },
) {
  const { label, options, set, value } = props;
  return html`<${Field} label=${label}><select value=${value}
    onChange=${(event: Event) => set((event.target as HTMLSelectElement).value)}>
    ${options.map(([of, text]) => html`<option value=${of}>${text}</option>`)}</select><//>`;
}

/** A UTC time as milliseconds in text, empty if there is none. */
export function Moment({ label, set, value }: FieldProps) {
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

interface AskedField {
  /** The name in the action. */
  readonly name: string;
  readonly label: string;
  /** A number selects a number input. */
  readonly value: string | number;
  readonly isOptional?: boolean;
}

export interface Asked {
  readonly title: string;
  /** The effect of the action, as a sentence. */
  readonly text: string;
  readonly act: Readonly<Record<string, unknown>>;
  readonly button: string;
  readonly isDangerous?: boolean;
  /** A word that must be typed, sent as `confirm`. */
  readonly confirm?: string;
  /** The fields that the action needs in addition to the reason. */
  readonly fields?: readonly AskedField[];
}

/** The dialog and result of a page on which operators act; `done` is called after each action. */
export function useActs(done: () => void) {
  const [asked, ask] = useState<Asked>();
  const [result, setResult] = useState('');
  const close = (text: string) => {
    ask(undefined);
    setResult(text);
    done();
  };
  return { ask, result, dialog: html`<${ActDialog} asked=${asked} close=${close} />` };
}

/** A dialog for the reason, and for confirming a dangerous action; `close` receives the result. */
function ActDialog(props: { asked: Asked | undefined; close: (text: string) => void }) {
  const { asked, close } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (asked === undefined) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [asked]);
  return html`<dialog ref=${dialog} aria-labelledby="act-title" onCancel=${() => close('')}>${
    asked && html`<${ActForm} asked=${asked} close=${close} />`
  }</dialog>`;
}

function ActForm({ asked, close }: { asked: Asked; close: (text: string) => void }) {
  const [fault, setFault] = useState('');
  const [isReady, setReady] = useState(false);
  const { act, button, confirm, fields = [], isDangerous, text, title } = asked;
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.target as HTMLFormElement);
    const numbers = fields
      .filter(({ value }) => typeof value === 'number')
      .map(({ name }) => [name, Number(given.get(name))]);
    const typed = Object.fromEntries([...given, ...numbers]);
    try {
      close((await post<{ readonly text: string }>('/api/act', { ...act, ...typed })).text);
    } catch (error) {
      setFault(textOf(error));
    }
  };
  return html`<form onSubmit=${submit} onInput=${(event: Event) => setReady((event.currentTarget as HTMLFormElement).checkValidity())}>
    <h2 id="act-title">${title}</h2><p>${text}</p>
    ${fields.map(({ isOptional, label, name, value }) =>
      typeof value === 'number'
        ? html`<${Field} label=${label}><input name=${name} type="number" min="1" required defaultValue=${value} /><//>`
        : html`<${Field} label=${label}><input name=${name} maxlength="100" required=${!isOptional} defaultValue=${value} /><//>`,
    )}
    <${Field} label="Reason, for the audit chain"><input name="why" required pattern="\\s*\\S.+\\S\\s*" maxlength="200" /><//>
    ${confirm && html`<${Field} label=${`Type ${confirm} to confirm`}><input name="confirm" autocomplete="off" required pattern=${confirm} /><//>`}
    <${Fault} text=${fault} />
    <div class="buttons"><button type="button" class="plain" onClick=${() => close('')}>Go back</button>
    <button class=${isDangerous ? 'danger' : ''} disabled=${!isReady}>${button}</button></div></form>`;
}

/** Restricts a page to one session; `none` is the text for no session. */
export function SessionChoice({
  none = 'all',
  ...props
}: Omit<FieldProps, 'label'> & { none?: string }) {
  const names = useLoaded('/api/session-names').value ?? [];
  const options = [['', none], ...names.map((name) => [name, peerOf(name)])];
  return html`<${Choice} label="Session" ...${props} options=${options} />`;
}

/** An amount whose digits are displayed in groups of three, but copied as FIX needs them: 40000.5, not 40 000.5. */
export function Figure({ of }: { of: string }) {
  const groups = grouped(of).split(' ');
  return html`<span class="fig">${groups.map((group) => html`<span>${group}</span>`)}</span>`;
}
