/**
 * The whole venue without a socket: built from the profile and a seed, driven by a clock that is handed in. The server
 * puts HTTP and WebSocket around it; the simulator and the certification call it as it is.
 */
import { join } from 'node:path';
import { refusals, venueNumber } from '../domain/refusal.ts';
import type { Clock } from '../runtime/clock.ts';
import { fastestBlake3 } from '../signer/blake3.ts';
import { type BackendName, type Ecdsa, openEcdsa } from '../signer/ecdsa.ts';
import { loadProfile, type Profile } from '../venue/profile.ts';
import { ActionReader } from './action-input.ts';
import { type DevelopmentAccount, developmentAccounts, register } from './development-accounts.ts';
import {
  type Caps,
  creditOff,
  defaultRetention,
  type ExchangeConfig,
  type Retention,
} from './engine/config.ts';
import { Exchange } from './engine/exchange.ts';
import type { Snapshot } from './engine/snapshot.ts';
import type { VenueRequest } from './http-message.ts';
import { hex, Ids } from './ids.ts';
import { Ingress } from './ingress.ts';
import { Makers, type MakersSnapshot } from './makers.ts';
import { type LiveCaps, profileCaps, profileFees, State, type StateSnapshot } from './state.ts';
import { parseJson } from './strict-json.ts';
import { VenueClock } from './venue-clock.ts';

export interface VenueOptions {
  readonly seed: number;
  readonly clock: Clock;
  /** The profile shipped with the project when absent. */
  readonly profile?: Profile;
  /** How many funded development accounts there are; four when absent. */
  readonly accounts?: number;
  /** Market makers quote from the start. */
  readonly makers?: boolean;
  readonly backend?: BackendName;
  readonly retention?: Partial<Retention>;
  readonly reportFault?: (error: unknown) => void;
  /** What an earlier run of the same profile and seed has saved. */
  readonly saved?: SavedVenue;
}

/** What came in after the save: a request that was answered, or none where the venue's time went on. */
export interface VenueInput {
  readonly wallMs: number;
  readonly request?: VenueRequest;
}

export interface SavedVenue {
  readonly seed: number;
  readonly profile: string;
  readonly exchange: Snapshot;
  readonly state: StateSnapshot;
  readonly makers?: MakersSnapshot;
  readonly inputs?: readonly VenueInput[];
}

export interface EmbeddedVenue {
  readonly state: State;
  readonly ingress: Ingress;
  readonly makers: Makers;
  readonly ecdsa: Ecdsa;
  readonly accounts: readonly DevelopmentAccount[];
  /** Runs what is due: expiries, algo slices, the makers' next quotes. Says for which time. */
  advance(): number;
  save(): SavedVenue;
}

const shippedProfile = join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml');
const defaultAccounts = 4;

export async function createVenue(options: VenueOptions): Promise<EmbeddedVenue> {
  const profile = options.profile ?? loadProfile(shippedProfile);
  refuseUnhonoured(profile);
  const ecdsa = await provenEcdsa(options.backend ?? 'auto');
  const { blake3 } = await fastestBlake3();
  const ids = new Ids(profile, blake3, ecdsa);
  checkVectors(profile, ids);
  const caps: LiveCaps = { ...profileCaps(profile) };
  const config = exchangeConfig(profile, ids, caps, options.retention ?? {});
  const { saved, seed } = options;
  const clock = new VenueClock(options.clock);
  if (saved !== undefined && (saved.seed !== seed || saved.profile !== profile.profile)) {
    throw new Error(
      `the saved state is of seed ${saved.seed} and profile ${saved.profile}, not of ${seed} and ${profile.profile}`,
    );
  }
  const exchange =
    saved === undefined ? new Exchange(config) : Exchange.restore(config, saved.exchange);
  const reportFault = options.reportFault ?? (() => undefined);
  const state = new State({ profile, seed, clock, caps, exchange, ids, reportFault });
  const accounts = developmentAccounts(state, ecdsa, options.accounts ?? defaultAccounts);
  const makers = new Makers(state, ecdsa);
  if (saved === undefined) makers.register();
  else state.restore(saved.state);
  for (const account of accounts) {
    if (state.identities.account(account.account) === undefined) register(state, account);
  }
  const ingress = new Ingress(state);
  const advance = () => {
    const { wallMs } = clock.now();
    state.settleNested(exchange.advance(wallMs));
    makers.step(wallMs);
    return wallMs;
  };
  if (saved?.makers !== undefined) makers.restore(saved.makers);
  doAgain(saved?.inputs ?? [], { advance, clock, ingress, state });
  makers.on = options.makers ?? false;
  return {
    state,
    ingress,
    makers,
    ecdsa,
    accounts,
    advance,
    save: () => ({
      seed,
      profile: profile.profile,
      exchange: exchange.snapshot(),
      state: state.snapshot(),
      makers: makers.snapshot(),
    }),
  };
}

/** The same inputs at the same times give the same state. What was let in once is under no limit of its rate now. */
function doAgain(
  inputs: readonly VenueInput[],
  {
    advance,
    clock,
    ingress,
    state,
  }: Pick<EmbeddedVenue, 'advance' | 'ingress' | 'state'> & { readonly clock: VenueClock },
): void {
  const limits = { ...state.limits };
  state.setLimits({ actionsPerSecond: 0, edgeRequestsPerSecond: 0 });
  for (const { request, wallMs } of inputs) {
    clock.during(wallMs, request === undefined ? advance : () => ingress.again(request));
  }
  state.setLimits(limits);
}

/** A backend proves itself once in the life of a process, however many venues that starts. */
const proven = new Map<BackendName, Promise<Ecdsa>>();

function provenEcdsa(name: BackendName): Promise<Ecdsa> {
  const known = proven.get(name) ?? openEcdsa(name);
  proven.set(name, known);
  return known;
}

/** Own bytes against the profile's vectors, before anything is answered (contract R17). */
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

/** Values that the profile may hold and this engine does not carry out stop the start; nothing is passed over. */
function refuseUnhonoured({ engine, families, markets, outcome }: Profile): void {
  const refuse = (key: string, value: unknown, only: string) => {
    throw new Error(`the sandbox does not honour ${key} ${value}: it knows only ${only}`);
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
