/** Plays a scenario over a wire: in memory with manual time, or over a socket against any server. */
import {
  clientBytes,
  difference,
  type Names,
  rawBytes,
  type Scenario,
  type Step,
} from './script.ts';

/** A way to the server under test. Connections are counted from 1. */
export interface Wire {
  readonly names: Names;
  wallMs(): number;
  connect(connection: number): Promise<void>;
  send(connection: number, bytes: Uint8Array): Promise<void>;
  hangUp(connection: number): Promise<void>;
  /** The next message with `|` for SOH, 'closed', or undefined when there is none in reasonable time. */
  next(connection: number): Promise<string | undefined>;
  /** What came that nobody asked for. */
  rest(connection: number): Promise<string | undefined>;
  wait(ms: number): Promise<void>;
  /** Other verbs: of the application, the operator, the store. */
  other(step: Step): Promise<void>;
  /** Fails when something happened that the scenario does not name. */
  finish(): Promise<void>;
}

export async function play(scenario: Scenario, wire: Wire): Promise<void> {
  const open = new Set<number>();
  const need = async (connection: number) => {
    if (open.has(connection)) return;
    open.add(connection);
    await wire.connect(connection);
  };
  for (const step of scenario.steps) {
    try {
      await playStep(step, wire, need, open);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      throw new Error(`${scenario.title}, line ${step.line}: ${step.verb}: ${step.text}\n${what}`);
    }
  }
  for (const connection of open) await silent(wire, connection, scenario.title);
  await wire.finish();
}

async function playStep(
  { line, verb, text }: Step,
  wire: Wire,
  need: (connection: number) => Promise<void>,
  open: Set<number>,
): Promise<void> {
  const [, kind, digits] = /^(C|S)(\d?)$/.exec(verb) ?? [];
  const connection = Number(digits || 1);
  if (kind === 'C') {
    await need(connection);
    if (text === 'hangs up') {
      open.delete(connection);
      await wire.hangUp(connection);
    } else await wire.send(connection, clientBytes(text, wire.names, wire.wallMs()));
  } else if (kind === 'S') {
    await need(connection);
    await expectSaid(text, connection, wire);
    if (text === 'closed') open.delete(connection);
  } else if (verb === 'raw') {
    await need(1);
    await wire.send(1, rawBytes(text, wire.wallMs()));
  } else if (verb === 'wait') {
    await wire.wait(Math.round(Number.parseFloat(text) * 1000));
  } else {
    await wire.other({ line, verb, text });
    if (verb === 'restart') open.clear();
  }
}

async function expectSaid(text: string, connection: number, wire: Wire): Promise<void> {
  if (text === 'nothing') {
    await silent(wire, connection, 'said');
    return;
  }
  const said = await wire.next(connection);
  if (said === undefined) throw new Error('the server said nothing');
  if (text === 'closed') {
    if (said !== 'closed') throw new Error(`wanted the end, got ${said}`);
    return;
  }
  const wrong = difference(text, said);
  if (wrong !== undefined) throw new Error(wrong);
}

async function silent(wire: Wire, connection: number, what: string): Promise<void> {
  const rest = await wire.rest(connection);
  if (rest !== undefined) throw new Error(`${what}: unasked for: ${rest}`);
}
