/**
 * The whole venue without a socket: built from the profile and a seed, with an injected clock. The server adds HTTP and
 * WebSocket; the simulator and the certification call it directly.
 */
import { venueNumber } from '../domain/refusal.ts';
import type { Clock } from '../runtime/clock.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { type BackendName, openEcdsa } from '../signer/ecdsa.ts';
import { type Profile, shippedProfile } from '../venue/profile.ts';
import { refusals } from '../venue/refusals.ts';
import { ActionReader } from './action-input.ts';
import { developmentAccounts, register } from './development-accounts.ts';
import {
  type Caps,
  creditOff,
  defaultRetention,
  type ExchangeConfig,
  type Retention,
} from './engine/config.ts';
import { Exchange } from './engine/exchange.ts';
import type { Snapshot } from './engine/snapshot.ts';
import { hex, type Ids, idsOf } from './ids.ts';
import { Ingress } from './ingress.ts';
import { Makers, type MakersRecord } from './makers.ts';
import { type KeptState, newState, profileFees, stateOf } from './state.ts';
import { parseJson } from './strict-json.ts';
import { VenueClock } from './venue-clock.ts';

export interface VenueOptions {
  readonly seed: number;
  readonly clock: Clock;
  /** The default is the profile that ships with the project. */
  readonly profile?: Profile;
  /** The number of funded development accounts; the default is four. */
  readonly accounts?: number;
  /** Whether market makers quote from the start. */
  readonly makers?: boolean;
  readonly backend?: BackendName;
  readonly retention?: Partial<Retention>;
  readonly reportFault?: (error: unknown) => void;
}

/** The whole state, as data. */
export interface SavedVenue {
  readonly seed: number;
  readonly profile: string;
  readonly exchange: Snapshot;
  readonly state: KeptState;
  readonly makers: MakersRecord;
}

export type EmbeddedVenue = Awaited<ReturnType<typeof buildVenue>>;

export type StartSettings = Readonly<ReturnType<typeof startSettings>>;

const defaultAccounts = 4;

export function startSettings({ accounts, makers }: VenueOptions) {
  return { accounts: accounts ?? defaultAccounts, makers: makers ?? false };
}

export async function createVenue(options: VenueOptions): Promise<EmbeddedVenue> {
  const venue = await buildVenue(options);
  venue.start(startSettings(options));
  return venue;
}

/** Builds a venue from the saved state, or an empty one; it opens no accounts. */
export async function buildVenue(options: VenueOptions, saved?: SavedVenue) {
  const profile = options.profile ?? shippedProfile();
  refuseUnhonoured(profile);
  const ecdsa = await openEcdsa(options.backend);
  const { blake3 } = await fastestBlake3();
  const ids = idsOf(profile, blake3, ecdsa);
  checkVectors(profile, ids);
  const kept = saved?.state ?? newState(profile);
  const config = exchangeConfig(profile, ids, kept.caps, options.retention ?? {});
  const { seed } = options;
  const clock = new VenueClock(options.clock);
  if (saved !== undefined && (saved.seed !== seed || saved.profile !== profile.profile)) {
    throw new Error(
      `the saved state is of seed ${saved.seed} and profile ${saved.profile}, not of ${seed} and ${profile.profile}`,
    );
  }
  const exchange =
    saved === undefined ? new Exchange(config) : Exchange.restore(config, saved.exchange);
  const reportFault = options.reportFault ?? (() => undefined);
  const state = stateOf({ profile, seed, clock, exchange, ids, kept, reportFault });
  const count = startSettings(options).accounts;
  const accounts = developmentAccounts(state, ecdsa, count);
  const makers = new Makers(state, ecdsa, saved?.makers);
  if (saved === undefined) makers.register();
  const ingress = new Ingress(state);
  ingress.runDue = (wallMs) => {
    const dueMs = exchange.nextDueMs();
    const isDue = (dueMs !== null && dueMs <= wallMs) || makers.isDue(wallMs);
    exchange.advance(wallMs);
    makers.step(wallMs);
    if (isDue) venue.onDue(wallMs);
  };
  const venue = {
    state,
    ingress,
    makers,
    ecdsa,
    accounts,
    /** Called after something due has run. */
    onDue: (_wallMs: number) => {},
    /** Runs everything that is due: held requests, expiries, algo slices, the makers' next quotes. */
    advance() {
      ingress.advance();
      ingress.runDue(clock.now().wallMs);
    },
    /** Opens missing accounts, and starts or stops the makers. */
    start(settings: StartSettings) {
      for (const account of developmentAccounts(state, ecdsa, settings.accounts)) {
        if (!state.identities.accounts.has(account.account)) register(state, account);
      }
      makers.record.on = settings.makers;
    },
    save: (): SavedVenue => ({
      seed,
      profile: profile.profile,
      exchange: exchange.snapshot(),
      state: kept,
      makers: makers.record,
    }),
  };
  return venue;
}

/** Checks our own bytes against the profile's vectors before the first answer (contract R17). */
function checkVectors(profile: Profile, ids: Ids): void {
  const reader = new ActionReader(profile);
  for (const { actionHash, canonical, legIds = [], name, orderId } of profile.signing
    .goldenVectors) {
    const written = reader.payload(parseJson(canonical)).canonical;
    const expected = [canonical, actionHash, orderId ?? null, ...legIds];
    const own = [
      written,
      hex(ids.actionHash(written)),
      orderId === undefined ? null : ids.orderId(written),
      ...legIds.map((id, index) => (id === null ? null : ids.legId(written, index))),
    ];
    const wrong = own.findIndex((value, index) => value !== expected[index]);
    if (wrong < 0) continue;
    throw new Error(`golden vector "${name}": ${own[wrong]}, the profile says ${expected[wrong]}`);
  }
}

/** Fails the start if the profile has a value that this engine does not support. */
function refuseUnhonoured({ engine, families, markets, outcome }: Profile): void {
  const refuse = (key: string, value: unknown, only: string) => {
    throw new Error(`the sandbox does not honour ${key} ${value}: it supports only ${only}`);
  };
  const complement: boolean = engine.complement;
  if (complement) refuse('engine.complement', complement, 'false');
  for (const [kind, family] of Object.entries(families)) {
    const only = kind === 'spot' ? 'SpotPlaceOrder' : 'PlaceOrder';
    if (family !== only) refuse(`families.${kind}`, family, only);
  }
  for (const { kind, marketId, priceScale } of markets) {
    const only = 10n ** BigInt(priceScale);
    if (kind === 'spot' || BigInt(outcome.payout) === only) continue;
    refuse('outcome.payout', outcome.payout, `${only} in market ${marketId}`);
  }
}

function exchangeConfig(
  profile: Profile,
  ids: Ids,
  caps: Caps,
  retention: Partial<Retention>,
): ExchangeConfig {
  return {
    markets: profile.markets.map(({ seedPrice: _, ...market }) => ({
      ...market,
      tick: Number(market.tick),
      lot: Number(market.lot),
      minNotional: Number(market.minNotional),
      maxQty: Number(market.maxQty),
    })),
    fees: profileFees(profile),
    caps,
    retention: { ...defaultRetention, eventAgeMs: profile.gapFill.retentionMs, ...retention },
    credit: creditOff,
    amendQty: profile.amend.newQty === 'remaining' ? 'remaining' : 'total',
    defaultStp: profile.stp.default,
    spotReduceOnly: profile.reduceOnly.spot,
    reasonNumbers: reasonNumbers(profile),
    deriveChildId: (canonical, index) => ids.sliceId(canonical, index),
  };
}

function reasonNumbers(profile: Profile): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const refusal of refusals) {
    const number = venueNumber(refusal, profile.reject.numberMap);
    if (refusal.code !== null && number !== null) numbers[refusal.code] = number;
  }
  return numbers;
}
