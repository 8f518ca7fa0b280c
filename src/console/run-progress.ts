/** The progress of a certification, from the output of `causeway certify run --events`. */
import { z } from 'zod';
import { parsedJson } from '../runtime/parsed-json.ts';
import { outcome } from './certification-runs.ts';
import { shownText } from './message-view.ts';

const verdict = z.object({
  name: z.string(),
  wanted: z.string(),
  got: z.string(),
  isMet: z.boolean(),
  rule: z.string(),
});
const rung = z.object({
  atMs: z.number(),
  from: z.string(),
  label: z.string(),
  raw: z.string().optional(),
  verdicts: z.array(verdict),
});
const prompt = z.object({ scenario: z.string(), text: z.string(), line: z.string() });
const finished = z.object({
  kind: z.literal('finished'),
  id: z.string(),
  title: z.string(),
  outcome,
  reason: z.string(),
});
const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting'), text: z.string(), scenarios: z.array(z.string()) }),
  z.object({ kind: z.literal('started'), id: z.string(), title: z.string() }),
  z.object({ kind: z.literal('rung'), id: z.string(), rung }),
  z.object({ kind: z.literal('prompt'), prompt }),
  z.object({ kind: z.literal('promptOver') }),
  finished,
  z.object({ kind: z.literal('done') }),
]);

export type Step = Readonly<ReturnType<typeof stepOf>>;

type Finished = Omit<z.output<typeof finished>, 'kind'>;

export type RunState = Readonly<ReturnType<typeof begun>>;

export function begun(folder: string, startedMs: number) {
  return {
    folder,
    startedMs,
    isRunning: true,
    /** Whether everything that was to be played was played. */
    isOver: false,
    /** The address at which the counterparty is expected. */
    waiting: 'getting ready',
    total: 0,
    playing: null as { readonly id: string; readonly title: string } | null,
    /** The current instruction for the counterparty. */
    prompt: null as { readonly text: string; readonly line: string } | null,
    finished: [] as readonly Finished[],
    /** The steps of the current scenario, latest last. */
    steps: [] as readonly Step[],
    /** Why it ended early. */
    fault: '',
  };
}

const maxSteps = 60;
const maxFinished = 1_000;

/** Any other line changes nothing. */
export function afterLine(state: RunState, line: string): RunState {
  const read = event.safeParse(parsedJson(line));
  return read.success ? { ...state, ...changeOf(state, read.data) } : state;
}

export function ended(state: RunState, fault: string): RunState {
  return { ...state, isRunning: false, playing: null, prompt: null, fault };
}

function changeOf(state: RunState, change: z.output<typeof event>): Partial<RunState> {
  switch (change.kind) {
    case 'waiting':
      return { waiting: change.text, total: change.scenarios.length };
    case 'started':
      return { playing: { id: change.id, title: change.title }, steps: [] };
    case 'rung':
      return { steps: [...state.steps, stepOf(change.rung)].slice(-maxSteps) };
    case 'prompt':
      return { prompt: { text: change.prompt.text, line: change.prompt.line } };
    case 'promptOver':
      return { prompt: null };
    case 'finished': {
      const { kind: _, ...scenario } = change;
      return { playing: null, finished: [...state.finished, scenario].slice(-maxFinished) };
    }
    case 'done':
      return { isOver: true };
  }
}

/** `text` is the message with `|` for the separator; `faults` describe the expectations that were not met. */
function stepOf({ atMs, from, label, raw, verdicts }: z.output<typeof rung>) {
  const faults = verdicts
    .filter(({ isMet }) => !isMet)
    .map(({ got, name, rule, wanted }) => `${name}: wanted ${wanted}, got ${got}. ${rule}`);
  const text = raw === undefined ? '' : shownText(Buffer.from(raw, 'base64'));
  return { atMs, from, label, text, faults };
}
