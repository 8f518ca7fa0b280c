/**
 * Scenarios are data: one YAML file each, below `certification/` (docs/CERTIFICATION-GUIDE.md). A file contains the
 * purpose of the scenario, the rule that it demonstrates with its reference, and the steps of both sides, once for both
 * directions or once for each.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { shippedNames, shippedText } from '../runtime/shipped.ts';
import { faultList, parseYaml } from '../runtime/yaml.ts';
import { readBridgeAct } from './bridge-act.ts';
import { isNamed, LineError, parseLine } from './line.ts';
import { untrustedKinds } from './test-tls.ts';

/** Our role: the counterparty connects to an acceptor; an initiator connects to the counterparty. */
export const directions = ['acceptor', 'initiator'] as const;
export type Direction = (typeof directions)[number];

/** Our end of the connection: the scripted engine alone, or the bridge with the sandbox. */
export const setups = ['engine', 'bridge'] as const;
export type Setup = (typeof setups)[number];

export const levels = ['mandatory', 'optional', 'conditional'] as const;
export type Level = (typeof levels)[number];

/** Steps without text. */
const commands = [
  'logon',
  'open',
  'hang up',
  'leave site',
  'renew',
  'silence',
  'stop reading',
  'probe',
] as const;
/** Steps with text, by key. */
const verbs = [
  'desk',
  'raw',
  'peer',
  'second',
  'client',
  'server',
  'contra',
  'venue',
  'bridge',
  'untrusted',
  'reader',
  'ask',
  'wait',
  'alive',
] as const;
export type Verb = (typeof commands)[number] | (typeof verbs)[number];

export class CatalogueError extends Error {}

const text = z.string().min(1).max(2000);
/** YAML parses a line that is only a MsgType(35), such as 5, as a number. */
const line = z.union([text, z.int().transform(String)]);
const tagRule = z.strictObject({ rule: text, ref: text });
const stepOptions = z.strictObject({
  says: text.optional().describe('what a person reads, in a prompt and in the report'),
  does: text.optional().describe("for a program, where the step's own text is not what it does"),
  rule: text.optional(),
  ref: text.optional(),
  tags: z
    .record(z.string().regex(/^(\d{1,5}|[A-Z]\w*)$/), tagRule)
    .optional()
    .describe('rules of single tags'),
  within: z
    .string()
    .regex(/^\d{1,4}(\.\d)?(ms|s|hb)$/, 'such as 5s, 200ms or 1.5hb')
    .optional()
    .describe('hb: in units of HeartBtInt(108)'),
  optional: z.boolean().optional().describe('the expected message may be missing'),
  among: z
    .boolean()
    .optional()
    .describe('other messages may come before; they wait for later steps'),
  times: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe("at most this many times, until the next step's message arrives"),
  burst: z
    .int()
    .min(2)
    .max(1000)
    .optional()
    .describe('this many times in one piece, without reading responses in between'),
  garbled: z
    .boolean()
    .optional()
    .describe('what is sent is garbled, so it uses no MsgSeqNum(34) up'),
});

export interface Step extends Readonly<z.output<typeof stepOptions>> {
  readonly verb: Verb;
  readonly text: string;
}

const stepObject = stepOptions
  .extend(Object.fromEntries(verbs.map((verb) => [verb, line.optional()])))
  .transform((given, context): Step => {
    const values = given as Record<string, unknown>;
    const own = verbs.filter((verb) => values[verb] !== undefined);
    const [verb] = own;
    if (verb === undefined || own.length > 1) {
      context.addIssue({ code: 'custom', message: `a step has one of: ${verbs.join(', ')}` });
      return z.NEVER;
    }
    const stepText = String(values[verb]);
    const fault = faultOf(verb, stepText);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    const { [verb]: _, ...options } = values;
    return { verb, text: stepText, ...options };
  });
const step = z.unknown().transform((given, context): Step => {
  if (typeof given === 'string') {
    const verb = commands.find((one) => one === given);
    if (verb !== undefined) return { verb, text: '' };
    const message = `"${given}" is not a step without a text: ${commands.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  const checked = stepObject.safeParse(given);
  if (checked.success) return checked.data;
  for (const { path, message } of checked.error.issues) {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
  return z.NEVER;
});

const playOptions = z.strictObject({
  level: z.enum(levels).optional(),
  when: z.string().optional(),
  notRun: text.optional().describe('the reason why there are no steps'),
});

export interface Play extends Readonly<z.output<typeof playOptions>> {
  readonly setup: Setup;
  readonly steps: readonly Step[];
}

const play = playOptions.extend({ setup: z.enum(setups), steps: z.array(step).max(200) }).partial();

export const scenarioId = z.string().regex(/^[SOXRQVDP]-\d\d[a-z]?$/, 'not the id of a scenario');

const head = z.strictObject({
  id: scenarioId,
  title: text,
  level: z.enum(levels),
  protocol: z.enum(['fix', 'fixp']).default('fix'),
  when: z
    .string()
    .optional()
    .describe("the interview's feature that a conditional scenario depends on"),
  source: text,
  rule: text,
  ref: text,
});

export interface Scenario extends Readonly<z.output<typeof head>> {
  readonly plays: Readonly<Partial<Record<Direction, Play>>>;
}

const shape = head
  .extend({ both: play.optional(), acceptor: play.optional(), initiator: play.optional() })
  .transform(({ both, acceptor, initiator, ...head }, context): Scenario => {
    const plays: Partial<Record<Direction, Play>> = {};
    // A value for one direction takes precedence over a value for both.
    for (const direction of directions) {
      const own = { acceptor, initiator }[direction];
      if (both === undefined && own === undefined) continue;
      const { steps = [], ...rest } = { ...both, ...own };
      const isRun = own?.notRun === undefined;
      plays[direction] = {
        ...rest,
        setup: rest.setup ?? 'engine',
        steps: isRun ? steps : [],
      };
      if ((rest.notRun === undefined) === steps.length > 0 || !isRun) continue;
      context.addIssue({ code: 'custom', message: `${direction} needs either steps or notRun` });
    }
    const isFixp = head.protocol === 'fixp';
    for (const { verb, text } of Object.values(plays).flatMap(({ steps }) => steps)) {
      if (!messageVerbs.includes(verb) || verb === 'contra' || words.includes(text)) continue;
      if (isNamed(text) === isFixp) continue;
      const message = `"${text}" is not a message of ${head.protocol}`;
      context.addIssue({ code: 'custom', message });
    }
    if (head.level === 'conditional' && head.when === undefined) {
      context.addIssue({ code: 'custom', message: 'a conditional scenario names its `when`' });
    }
    return { ...head, plays };
  });

const messageVerbs: readonly string[] = [
  ...['desk', 'client', 'server', 'contra', 'reader', 'second', 'peer'],
];
/** The words that can be used instead of a message. */
const words: readonly string[] = ['closed', 'nothing', 'logon'];

/** Returns the fault in the text of a step, or undefined. */
function faultOf(verb: string, line: string): string | undefined {
  const isMessage = messageVerbs.includes(verb) && !words.includes(line);
  try {
    if (isMessage) parseLine(line);
    if (verb === 'bridge') readBridgeAct(line);
    if (verb === 'untrusted' && !untrustedKinds.some((kind) => kind === line)) {
      return `"${line}" is not a certificate to refuse: ${untrustedKinds.join(', ')}`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof LineError) return error.message;
    throw error;
  }
}

export function readScenario(source: string, file: string): Scenario {
  const checked = parseYaml(source, file, shape);
  if (checked.kind === 'faults') throw new CatalogueError(faultList(file, checked.faults));
  return checked.value;
}

export interface Catalogue {
  readonly scenarios: readonly Scenario[];
  /** SHA-256 over all files, in the order of their ids; it identifies the catalogue in a certificate. */
  readonly hash: string;
}

const letters = 'SOXRQVDP';

/** Reads every `*.yaml` below the folder; the default is the shipped scenarios. */
export function loadCatalogue(folder?: string): Catalogue {
  const files =
    folder === undefined
      ? shippedNames('certification')
      : readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const source =
        folder === undefined
          ? shippedText(`certification/${file}`)
          : readFileSync(join(folder, file), 'utf8');
      return { scenario: readScenario(source, file), source };
    });
  found.sort((a, b) => rank(a.scenario.id) - rank(b.scenario.id));
  const hash = createHash('sha256');
  for (const [index, { scenario, source }] of found.entries()) {
    if (found[index - 1]?.scenario.id === scenario.id) {
      throw new CatalogueError(`two files hold scenario ${scenario.id}`);
    }
    hash.update(`${scenario.id}\n${source}\n`);
  }
  return { scenarios: found.map(({ scenario }) => scenario), hash: hash.digest('hex') };
}

function rank(id: string): number {
  const variant = id.length > 4 ? id.charCodeAt(4) - 96 : 0;
  return letters.indexOf(id.charAt(0)) * 10_000 + Number(id.slice(2, 4)) * 100 + variant;
}

/** Whether a person at the other side, or a program instead, must act. */
export function needsHand(play: Play, direction: Direction): boolean {
  const asked: readonly Verb[] =
    direction === 'acceptor' ? ['ask', 'client'] : ['ask', 'contra', 'venue', 'bridge'];
  return play.steps.some(({ verb }) => asked.includes(verb));
}
