/**
 * The settings of an account's engine. The journal keeps them, because the same inputs have other effects under other
 * settings: a start applies each record under the settings of its time, and a replay needs no configuration
 * (docs/decisions/0265-replay-and-sums-of-effects.md).
 */
import { exactJson } from '../../domain/exact-json.ts';
import type { OrderRules } from '../../domain/order.ts';
import type { ReportSettings } from '../../mapping/fix/report-message.ts';
import { nonceRulesOf } from '../../signer/nonce-types.ts';
import { type SigningContract, signingContractSchema } from '../../signer/signing-contract.ts';
import type { NonceOptions } from '../../venue/outbox/nonces.ts';
import type { SubmissionRules } from '../../venue/outbox/submission-life.ts';
import { isFeatureUsable, type Profile } from '../../venue/profile.ts';
import { nameOf } from './client-names.ts';
import { type Config, defaultProfile, profileOf } from './config.ts';

export interface EngineSettings {
  /** The rules of sessions that differ from `otherRules`. */
  readonly sessionRules: Readonly<Record<string, OrderRules>>;
  readonly otherRules: OrderRules;
  readonly contract: SigningContract;
  readonly submissions: SubmissionRules;
  readonly nonces: NonceOptions;
  readonly mayFill: boolean;
  /** For the messages of reports, which the engine does not build: a replay compares them with those that were sent. */
  readonly messages: ReportSettings;
}

/** How long after a refusal with such a reason the event that ended the order may arrive (contract D.4). */
const terminalWaitMs = 1_000;

/** The current settings. Every transaction needs them, so they are computed once for each configuration. */
export function settingsBook(config: () => Config, profile: Profile): () => EngineSettings {
  let known = { of: config(), settings: settingsOf(config(), profile) };
  return () => {
    const of = config();
    if (of !== known.of) known = { of, settings: settingsOf(of, profile) };
    return known.settings;
  };
}

export function settingsOf(config: Config, profile: Profile): EngineSettings {
  const otherRules = orderRulesOf('', config, profile);
  const rules = config.sessions.map((session) => {
    const name = nameOf(session);
    return [name, orderRulesOf(name, config, profile)] as const;
  });
  const others = exactJson(otherRules);
  return {
    sessionRules: Object.fromEntries(rules.filter(([, own]) => exactJson(own) !== others)),
    otherRules,
    ...venueSettings(profile, config.patienceMs),
  };
}

export function venueSettings(
  profile: Profile,
  patienceMs: number,
): Omit<EngineSettings, 'sessionRules' | 'otherRules'> {
  const { action, backoff, nonce } = profile;
  const contract = signingContractSchema.parse(profile);
  return {
    contract: { ...contract, signing: { ...contract.signing, goldenVectors: [] } },
    submissions: { backoff, patienceMs, staleAfterMs: action.maxClockSkewMs + 10_000 },
    nonces: {
      rules: nonceRulesOf(nonce),
      nestedTrigger: nonce.nestedTrigger,
      discovery: nonce.discovery,
    },
    mayFill: nonce.filler !== 'none',
    messages: reportSettings(profile),
  };
}

export function reportSettings({ fees, fix, reject }: Profile): ReportSettings {
  return {
    tags: fix.customTags,
    numberMap: reject.numberMap,
    feeCurrency: fees.currency,
  };
}

/** An order of a session that is no longer configured continues under the default rules. */
export function orderRulesOf(name: string, config: Config, profile: Profile): OrderRules {
  const session = config.sessions.find((one) => nameOf(one) === name);
  const { iocRemainder, pending } = session ? profileOf(session, config) : defaultProfile;
  return {
    // A wrong interpretation would double the open quantity, so an unconfirmed one is not used (G58).
    amendQty: isFeatureUsable(profile, config.environment, 'amend')
      ? profile.amend.newQty
      : 'unknown',
    strictPriority: profile.amend.strictPriority,
    pendingStates: pending === 'full',
    iocRemainder,
    terminalWaitMs,
  };
}

/** The settings of a running engine, and whether its journal contains them. */
export class SettingsInForce {
  #current: EngineSettings;
  #text: string;
  #isRecorded = false;

  constructor(current: EngineSettings) {
    this.#current = current;
    this.#text = exactJson(current);
  }

  get current(): EngineSettings {
    return this.#current;
  }

  readonly rulesOf = (session: string): OrderRules => {
    const { otherRules, sessionRules } = this.#current;
    return sessionRules[session] ?? otherRules;
  };

  isOther(settings: EngineSettings): boolean {
    return settings !== this.#current && exactJson(settings) !== this.#text;
  }

  set(settings: EngineSettings): void {
    this.#current = settings;
    this.#text = exactJson(settings);
    this.#isRecorded = false;
  }

  /** A record contains them. */
  recorded(): void {
    this.#isRecorded = true;
  }

  /**
   * Called at the start of a transaction with its settings. Returns them if the transaction's record must contain them.
   */
  take(settings: EngineSettings): EngineSettings | undefined {
    if (settings === this.#current && this.#isRecorded) return undefined;
    if (this.isOther(settings)) this.set(settings);
    this.#current = settings;
    if (this.#isRecorded) return undefined;
    this.#isRecorded = true;
    return settings;
  }
}
