/**
 * A certification while it runs: what a terminal, a page or a program sees and may do. Scenarios are played one after
 * the other; each may be tried again as often as the counterparty likes, and every try is kept.
 */
import type { BridgeStand } from './bridge-stand.ts';
import type { Participant } from './contra.ts';
import type { Desk } from './desk.ts';
import { FixDesk } from './fix-desk.ts';
import { FixpDesk } from './fixp-desk.ts';
import type { Interview, Selected } from './interview.ts';
import { select } from './interview.ts';
import { Player } from './player.ts';
import type { DeskPort } from './port.ts';
import type { Hand, Prompt } from './prompt.ts';
import type { Attempt, Outcome, Rung, RunRecord, ScenarioRecord } from './record.ts';
import { type Catalogue, needsHand } from './scenario.ts';

export interface CertificationOptions {
  readonly catalogue: Catalogue;
  readonly interview: Interview;
  readonly port: DeskPort;
  readonly password?: string | undefined;
  readonly bridge?: BridgeStand | undefined;
  readonly reader?: Participant | undefined;
  /** Acts in place of a person; without it, and without a person, scenarios that need one are not run. */
  readonly hand?: Hand | undefined;
  readonly isAttended: boolean;
  /** Of the same counterparty, whose attempts are kept. */
  readonly before?: RunRecord | undefined;
  readonly versions: Pick<RunRecord, 'causeway' | 'dictionaryHash'>;
  readonly told?: ((event: CertificationEvent) => void) | undefined;
}

export type CertificationEvent =
  | { readonly kind: 'started'; readonly id: string; readonly title: string }
  | { readonly kind: 'rung'; readonly id: string; readonly rung: Rung }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  /** What the prompt asked for was seen, or the scenario is over. */
  | { readonly kind: 'promptOver'; readonly prompt: Prompt }
  | { readonly kind: 'finished'; readonly id: string; readonly record: ScenarioRecord }
  | { readonly kind: 'done'; readonly record: RunRecord };

const mostAttemptsKept = 10;

export class Certification {
  readonly selected: readonly Selected[];
  readonly #options: CertificationOptions;
  readonly #abort = new AbortController();
  readonly #desk: Desk;
  readonly #records = new Map<string, ScenarioRecord>();
  readonly #earlierOrders = new Set<string>();
  readonly #startedMs = Date.now();
  #running: string | undefined;
  #prompt: Prompt | undefined;
  #prompts = 0;
  #plays = 0;

  constructor(options: CertificationOptions) {
    const { catalogue, interview, port, password, bridge, reader, before } = options;
    this.#options = options;
    this.selected = select(catalogue.scenarios, interview);
    const { username } = interview.credentials ?? {};
    const OurDesk = interview.protocol === 'fixp' ? FixpDesk : FixDesk;
    this.#desk = new OurDesk(
      {
        direction: interview.direction,
        port,
        names: interview.session,
        heartBtIntS: interview.session.heartBtInt,
        isReader: interview.features.includes('dropCopy'),
        framing: interview.framing,
        credentials:
          username === undefined || password === undefined ? undefined : { username, password },
        mayReset: interview.features.includes('resetAtLogon'),
        bridge,
        reader,
        connectWithinMs: interview.patience.connectS * 1000,
        answerWithinMs: interview.patience.answerS * 1000,
      },
      this.#abort.signal,
    );
    for (const selected of this.selected) {
      const earlier = before?.scenarios.find(({ id }) => id === selected.scenario.id);
      const attempts = earlier?.attempts ?? [];
      this.#records.set(selected.scenario.id, recordOf(selected, attempts, 'not played yet'));
    }
  }

  /** The scenario that is being played. */
  get running(): string | undefined {
    return this.#running;
  }

  /** What somebody is asked to do now. */
  get prompt(): Prompt | undefined {
    return this.#prompt;
  }

  get port(): number {
    return this.#options.port.port;
  }

  get record(): RunRecord {
    const { interview, catalogue, versions } = this.#options;
    const { counterparty, session, direction, protocol, features } = interview;
    const { senderCompId, targetCompId } = session;
    return {
      format: 'causeway-certification-run/1',
      identity: { ...counterparty, senderCompId, targetCompId },
      direction,
      protocol,
      features,
      ...versions,
      catalogueHash: catalogue.hash,
      startedMs: this.#startedMs,
      endedMs: Date.now(),
      scenarios: this.selected.flatMap(({ scenario }) => this.#records.get(scenario.id) ?? []),
    };
  }

  /** Plays all that are selected, or those of these ids. */
  async run(ids?: readonly string[]): Promise<RunRecord> {
    for (const selected of this.selected) {
      if (this.#abort.signal.aborted) break;
      if (ids !== undefined && !ids.includes(selected.scenario.id)) continue;
      await this.#play(selected);
      // Nobody waits an hour for one who is not there.
      if (this.#desk.wire.isDeserted) break;
    }
    const { record } = this;
    this.#tell({ kind: 'done', record });
    return record;
  }

  /** Ends what is played now as soon as it can; what was played stands. */
  stop(): void {
    this.#abort.abort();
  }

  async close(): Promise<void> {
    this.stop();
    this.#desk.close();
    await this.#options.hand?.stop();
  }

  async #play(selected: Selected): Promise<void> {
    const { scenario, play } = selected;
    const { id, title } = scenario;
    this.#running = id;
    this.#tell({ kind: 'started', id, title });
    const obstacle = this.#obstacle(selected);
    const earlier = this.#records.get(id)?.attempts ?? [];
    const attempts =
      obstacle === undefined
        ? [...earlier, await this.#attempt(selected)].slice(-mostAttemptsKept)
        : earlier;
    const record = this.#waived(recordOf({ ...selected, play }, attempts, obstacle ?? ''));
    this.#records.set(id, record);
    this.#promptOver();
    this.#running = undefined;
    this.#tell({ kind: 'finished', id, record });
  }

  #attempt({ scenario, play }: Selected): Promise<Attempt> {
    const { interview, hand } = this.#options;
    const { instrument, patience } = interview;
    this.#plays += 1;
    const run = this.#startedMs.toString(36);
    return new Player({
      desk: this.#desk,
      scenario,
      play,
      values: { ...instrument, soak: `${patience.soakS}s` },
      answerWithinMs: patience.answerS * 1000,
      promptWithinMs: (hand === undefined ? patience.promptS : 2 * patience.answerS) * 1000,
      earlierOrders: this.#earlierOrders,
      run,
      prefix: `${run}${this.#plays.toString(36)}`,
      signal: this.#abort.signal,
      rung: (rung) => this.#tell({ kind: 'rung', id: scenario.id, rung }),
      prompt: (prompt) => this.#ask(prompt),
      tidy: async () => hand?.tidy?.(),
    }).play();
  }

  /** Why the scenario cannot be played here, or undefined. */
  #obstacle({ play }: Selected): string | undefined {
    const { bridge, hand, interview, isAttended } = this.#options;
    if (play.notRun !== undefined) return play.notRun;
    if (play.stand === 'bridge' && interview.direction === 'acceptor' && bridge === undefined) {
      return 'there is no bridge to trade on';
    }
    if (hand !== undefined || isAttended || !needsHand(play, interview.direction)) return undefined;
    return 'needs a person, and nobody attends';
  }

  async #ask(prompt: Omit<Prompt, 'id'>): Promise<void> {
    this.#promptOver();
    this.#prompts += 1;
    this.#prompt = { ...prompt, id: this.#prompts };
    this.#tell({ kind: 'prompt', prompt: this.#prompt });
    await this.#options.hand?.act(this.#prompt);
  }

  #promptOver(): void {
    if (this.#prompt !== undefined) this.#tell({ kind: 'promptOver', prompt: this.#prompt });
    this.#prompt = undefined;
  }

  #waived(record: ScenarioRecord): ScenarioRecord {
    const waiver = this.#options.interview.waivers.find(({ id }) => id === record.id);
    const isNeeded = record.outcome !== 'passed';
    if (waiver === undefined || !isNeeded || Date.parse(waiver.until) < Date.now()) return record;
    const reason = `waived by ${waiver.by} until ${waiver.until}: ${waiver.reason}`;
    return { ...record, outcome: 'waived', reason };
  }

  #tell(event: CertificationEvent): void {
    this.#options.told?.(event);
  }
}

function recordOf(
  { scenario, play, level }: Selected,
  attempts: readonly Attempt[],
  obstacle: string,
): ScenarioRecord {
  const { id, title, rule, ref, source } = scenario;
  const latest = attempts.at(-1);
  const outcome: Outcome = latest?.outcome ?? 'notRun';
  const reason = latest?.reason ?? play.notRun ?? obstacle;
  const head = { id, title, level, rule, ref, source, stand: play.stand };
  return { ...head, isPlayable: play.notRun === undefined, outcome, reason, attempts };
}
