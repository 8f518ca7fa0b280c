/**
 * A running certification: what a terminal, a page or a program can see and do. Scenarios are played one after the
 * other. Each may be repeated as often as the counterparty likes, and every attempt is recorded.
 */
import type { BridgeSetup } from './bridge-setup.ts';
import type { Participant } from './contra-trader.ts';
import { Evidence } from './evidence.ts';
import { FixTestSession } from './fix-test-session.ts';
import { FixpTestSession } from './fixp-test-session.ts';
import { type Interview, type Selected, select } from './interview.ts';
import { Player } from './player.ts';
import type { TestPort } from './port.ts';
import type { Hand, Prompt } from './prompt.ts';
import type { Attempt, Rung, RunRecord, ScenarioRecord, Subject } from './record.ts';
import { type Catalogue, needsHand } from './scenario.ts';
import type { TestSession } from './test-session.ts';

export interface CertificationOptions {
  readonly catalogue: Catalogue;
  readonly interview: Interview;
  readonly port: TestPort;
  readonly password?: string | undefined;
  readonly bridge?: BridgeSetup | undefined;
  readonly reader?: Participant | undefined;
  /** Acts instead of a person. Without it and without a person, scenarios that need one are not run. */
  readonly hand?: Hand | undefined;
  readonly isAttended: boolean;
  /** The evidence of this subject with its earlier results. Without it, evidence is not stored. */
  readonly evidence?: ((subject: Omit<Subject, 'signer'>) => Evidence) | undefined;
  readonly versions: Pick<RunRecord, 'causeway' | 'dictionaryHash'> &
    Partial<Pick<RunRecord, 'rulesHash'>>;
  readonly onEvent?: ((event: CertificationEvent) => void) | undefined;
}

export type CertificationEvent =
  | { readonly kind: 'started'; readonly id: string; readonly title: string }
  | { readonly kind: 'rung'; readonly id: string; readonly rung: Rung }
  | { readonly kind: 'prompt'; readonly prompt: Prompt }
  /** The prompt was followed, or the scenario has ended. */
  | { readonly kind: 'promptOver'; readonly prompt: Prompt }
  | { readonly kind: 'finished'; readonly id: string; readonly record: ScenarioRecord }
  | { readonly kind: 'done'; readonly record: RunRecord };

export class Certification {
  readonly selected: readonly Selected[];
  /** The evidence of all runs so far. */
  readonly evidence: Evidence;
  readonly #options: CertificationOptions;
  readonly #abort = new AbortController();
  readonly #session: TestSession;
  readonly #earlierOrders = new Set<string>();
  readonly #startedMs = Date.now();
  #prompt: Prompt | undefined;
  #prompts = 0;
  #plays = 0;

  constructor(options: CertificationOptions) {
    const { catalogue, interview, port, password, bridge, reader } = options;
    this.#options = options;
    this.selected = select(catalogue.scenarios, interview);
    const { username } = interview.credentials ?? {};
    const OurSession = interview.protocol === 'fixp' ? FixpTestSession : FixTestSession;
    this.#session = new OurSession(
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
    const subject = subjectFrom(options);
    this.evidence = options.evidence?.(subject) ?? new Evidence({ ...subject, signer: null });
    const { numbers } = this.evidence;
    if (numbers !== undefined) this.#session.resume?.(numbers);
  }

  /** Runs all selected scenarios, or those with these ids. */
  async run(ids?: readonly string[]): Promise<RunRecord> {
    this.#begin();
    for (const selected of this.selected) {
      if (this.#abort.signal.aborted) break;
      if (ids !== undefined && !ids.includes(selected.scenario.id)) continue;
      await this.#play(selected);
      // The run does not wait an hour for a counterparty that is not there.
      if (this.#session.wire.isDeserted) break;
    }
    const record = this.evidence.run;
    this.#options.onEvent?.({ kind: 'done', record });
    return record;
  }

  /** Ends the current scenario as soon as possible; earlier results count. */
  stop(): void {
    this.#abort.abort();
  }

  async close(): Promise<void> {
    this.stop();
    this.#session.close();
    await this.#options.hand?.stop();
  }

  #begin(): void {
    const { interview, versions } = this.#options;
    this.evidence.add({
      kind: 'begun',
      atMs: this.#startedMs,
      subject: this.evidence.subject,
      causeway: versions.causeway,
      features: interview.features,
      scenarios: this.selected.map(({ scenario, play, level }) => {
        const { id, title, rule, ref, source } = scenario;
        const isPlayable = play.notRun === undefined;
        const reason = play.notRun ?? 'not played yet';
        return { id, title, level, rule, ref, source, setup: play.setup, isPlayable, reason };
      }),
      waivers: interview.waivers,
    });
  }

  async #play(selected: Selected): Promise<void> {
    const { id, title } = selected.scenario;
    this.#options.onEvent?.({ kind: 'started', id, title });
    const reason = this.#obstacle(selected);
    if (reason !== undefined) this.evidence.add({ kind: 'skipped', id, reason });
    else {
      const play = async () =>
        this.evidence.add({ kind: 'attempt', id, attempt: await this.#attempt(selected) });
      await play();
      if (this.#session.isCorrected && this.evidence.scenario(id).outcome === 'inconclusive')
        await play();
    }
    const record = this.evidence.scenario(id);
    this.#promptOver();
    this.#options.onEvent?.({ kind: 'finished', id, record: asTried(record) });
  }

  async #attempt({ scenario, play }: Selected): Promise<Attempt> {
    const { interview, hand } = this.#options;
    const { direction, features, instrument, patience } = interview;
    this.#plays += 1;
    const run = this.#startedMs.toString(36);
    const attempt = await new Player({
      session: this.#session,
      scenario,
      play,
      values: { ...instrument, soak: `${patience.soakS}s` },
      hasOwnTraffic: direction === 'acceptor' && features.includes('ownTraffic'),
      answerWithinMs: patience.answerS * 1000,
      promptWithinMs: (hand === undefined ? patience.promptS : 2 * patience.answerS) * 1000,
      earlierOrders: this.#earlierOrders,
      run,
      prefix: `${run}${this.#plays.toString(36)}`,
      signal: this.#abort.signal,
      rung: (rung) => this.#options.onEvent?.({ kind: 'rung', id: scenario.id, rung }),
      prompt: (prompt) => this.#ask(prompt),
      tidy: async () => hand?.tidy?.(),
    }).play();
    const numbers = this.#session.resumable?.();
    return { ...attempt, ...(numbers && { numbers }) };
  }

  /** Why the scenario cannot be run here, or undefined. */
  #obstacle({ play }: Selected): string | undefined {
    const { bridge, hand, interview, isAttended } = this.#options;
    if (play.notRun !== undefined) return play.notRun;
    if (play.setup === 'bridge' && interview.direction === 'acceptor' && bridge === undefined) {
      return 'there is no bridge to trade on';
    }
    if (hand !== undefined || isAttended || !needsHand(play, interview.direction)) return undefined;
    return 'needs a person, and nobody is available';
  }

  async #ask(prompt: Omit<Prompt, 'id'>): Promise<void> {
    this.#promptOver();
    this.#prompts += 1;
    this.#prompt = { ...prompt, id: this.#prompts };
    this.#options.onEvent?.({ kind: 'prompt', prompt: this.#prompt });
    await this.#options.hand?.act(this.#prompt);
  }

  #promptOver(): void {
    if (this.#prompt !== undefined)
      this.#options.onEvent?.({ kind: 'promptOver', prompt: this.#prompt });
    this.#prompt = undefined;
  }
}

/** What the latest attempt came to, with the result that counts if that is another. */
function asTried(record: ScenarioRecord): ScenarioRecord {
  const latest = record.attempts.at(-1);
  const hasVerdict = record.outcome === 'passed' || record.outcome === 'failed';
  if (latest?.outcome !== 'inconclusive' || !hasVerdict) return record;
  const reason = `${latest.reason}; the earlier result counts: ${record.outcome}`;
  return { ...record, outcome: 'inconclusive', reason };
}

function subjectFrom({
  catalogue,
  interview,
  versions,
}: CertificationOptions): Omit<Subject, 'signer'> {
  const { counterparty, session, direction, protocol } = interview;
  const { senderCompId, targetCompId } = session;
  return {
    identity: { ...counterparty, senderCompId, targetCompId },
    direction,
    protocol,
    catalogueHash: catalogue.hash,
    dictionaryHash: versions.dictionaryHash,
    rulesHash: versions.rulesHash ?? null,
  };
}
