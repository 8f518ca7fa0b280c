/**
 * Passive mode: determines from a traffic log which scenarios have been demonstrated. A scenario has been if all its
 * messages are in the log in order, whatever is between them. Missing messages prove nothing, so nothing fails here.
 */
import { Bindings } from './bindings.ts';
import { judge } from './expectation.ts';
import { FixpFlows } from './fixp-flows.ts';
import { fixpFaults } from './fixp-rules.ts';
import type { Interview, Selected } from './interview.ts';
import { LineError } from './line.ts';
import { Numbers } from './numbers.ts';
import { fieldOf, listenToFix, type ReceivedMessage } from './received-message.ts';
import type { Verdict } from './record.ts';
import type { Direction, Step } from './scenario.ts';
import { standingFaults, timestampMs } from './standing-rules.ts';

export interface Sighting {
  readonly id: string;
  readonly title: string;
  /** The positions, from 1, of its messages in the log; empty if it was not found. */
  readonly lines: readonly number[];
}

export interface PassiveResult {
  readonly messages: number;
  readonly sightings: readonly Sighting[];
  /** Violations that do not depend on a scenario, with the position of the message. */
  readonly faults: readonly { readonly line: number; readonly verdict: Verdict }[];
}

export interface Logged {
  /** Its position, from 1. */
  readonly line: number;
  readonly isPeer: boolean;
  readonly message: ReceivedMessage;
}

/** Reads a log in any format: each message is found by its `8=FIX`, with SOH, `|` or `^A` between the fields. */
export function readLog(text: string, { session }: Pick<Interview, 'session'>): readonly Logged[] {
  const logged: Logged[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const at = line.indexOf('8=FIX');
    if (at < 0) continue;
    const separated = line.slice(at).replaceAll('^A', '\x01');
    const isSoh = separated.includes('\x01');
    const bytes = Buffer.from(isSoh ? separated : separated.replaceAll('|', '\x01'));
    const listener = listenToFix('peer', (incoming) => {
      if (incoming.kind !== 'message') return;
      const { message } = incoming;
      const isPeer = fieldOf(message, 49) === session.senderCompId;
      // SendingTime(52) is compared with the log's own clock.
      const atMs = timestampMs(fieldOf(message, 52) ?? '') ?? message.atMs;
      logged.push({ line: index + 1, isPeer, message: { ...message, atMs } });
    });
    listener(bytes);
  }
  return logged;
}

export function judgeLog(
  log: readonly Logged[],
  selected: readonly Selected[],
  interview: Interview,
): PassiveResult {
  const faultsOf = interview.protocol === 'fixp' ? fixpStanding(interview) : fixStanding(interview);
  const faults = log.flatMap((logged) =>
    faultsOf(logged).map((verdict) => ({ line: logged.line, verdict })),
  );
  const sightings = selected.flatMap(({ scenario, play }): Sighting[] => {
    const steps = visibleSteps(play.steps);
    if (steps === undefined) return [];
    const { id, title } = scenario;
    return [{ id, title, lines: sighted(log, steps, interview) }];
  });
  return { messages: log.length, sightings, faults };
}

type Standing = (logged: Logged) => readonly Verdict[];

function fixStanding({ session }: Interview): Standing {
  const numbers = new Numbers();
  return ({ isPeer, message }) => {
    if (isPeer) return standingFaults(message, session, numbers);
    numbers.sent(message);
    return [];
  };
}

function fixpStanding({ direction, credentials }: Interview): Standing {
  const isServer = direction === 'initiator';
  const username = isServer ? undefined : credentials?.username;
  const flows = new FixpFlows(isServer);
  const requestsNs = new Set<bigint>();
  let theirRequestNs = 0n;
  let hasTerminated = false;
  return ({ isPeer, message }) => {
    const timestamp = BigInt(fieldOf(message, 'Timestamp') ?? 0);
    if (!isPeer) {
      flows.sent(message);
      if (timestamp > 0n) requestsNs.add(timestamp);
      return [];
    }
    if (message.msgType === 'Negotiate' || message.msgType === 'Establish') hasTerminated = false;
    // The traffic may start in the middle of a session.
    const isKnown = flows.sessionId !== '';
    const wrong = flows.received(message);
    const wrongNumber = isKnown ? wrong : undefined;
    const known = { sessionId: flows.sessionId, requestsNs, theirRequestNs, hasTerminated };
    const changed = isKnown ? flows.changed : undefined;
    const faults = fixpFaults(message, { ...known, changed, username, wrongNumber });
    if (timestamp > 0n) theirRequestNs = timestamp;
    if (message.msgType === 'Terminate') hasTerminated = true;
    return faults;
  };
}

/** Steps that leave no message in a log. */
const unseen = /^(raw|second|silence|venue|bridge|untrusted|reader)$/;

/** The steps that leave a message in a log; undefined if one of the other steps is what the scenario tests. */
function visibleSteps(steps: readonly Step[]): readonly Step[] | undefined {
  const isUnseen = ({ verb, text }: Step) =>
    unseen.test(verb) || text === 'closed' || (verb === 'desk' && /\$next|\|(9|10)=/.test(text));
  if (steps.some(isUnseen)) return undefined;
  const seen = steps.filter(
    ({ verb, text, optional }) =>
      ['desk', 'peer', 'client', 'server'].includes(verb) && text !== 'nothing' && !optional,
  );
  return seen.length < 2 ? undefined : seen;
}

function sighted(
  log: readonly Logged[],
  steps: readonly Step[],
  { direction, session }: Interview,
): readonly number[] {
  for (const from of log.keys()) {
    // Live traffic has its own symbols and quantities, so they are captured instead of required.
    const bindings = new Bindings(
      (name) => (name === 'hb' ? String(session.heartBtInt) : undefined),
      (name) => `unset-${name}`,
      {},
    );
    const lines: number[] = [];
    let at = from;
    for (const step of steps) {
      while (at < log.length && !fits(log[at], step, bindings, direction)) {
        // The search for the first step determines where a demonstration starts.
        at = lines.length === 0 ? log.length : at + 1;
      }
      const found = log[at];
      if (found === undefined) break;
      lines.push(found.line);
      at += 1;
    }
    if (lines.length === steps.length) return lines;
  }
  return [];
}

function fits(
  logged: Logged | undefined,
  step: Step,
  bindings: Bindings,
  direction: Direction,
): boolean {
  if (logged === undefined || logged.isPeer !== isOfPeer(step, direction)) return false;
  const basis = { rule: '', ref: '' };
  const isMet = (on: Bindings) =>
    judge(step, logged.message, on, basis).every((verdict) => verdict.isMet);
  try {
    return isMet(bindings.copy()) && isMet(bindings);
  } catch (error) {
    // This is arithmetic on a value that has not been sent yet.
    if (error instanceof LineError) return false;
    throw error;
  }
}

function isOfPeer({ verb }: Step, direction: Direction): boolean {
  return verb === 'peer' || verb === (direction === 'acceptor' ? 'client' : 'server');
}
