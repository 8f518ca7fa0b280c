/** Routes that need no credential: the operational ones and the public market reads (contract A.2, A.15, G54, R82). */
import { type Call, marketOf, queryInteger, queryWord, type Route } from './call.ts';
import { placementReason } from './gates.ts';
import { EnvelopeError, json, type VenueResponse } from './http-message.ts';
import { placed } from './placed.ts';
import type { State } from './state.ts';

const build = { version: '0.1.3', commit: 'sandbox', buildTime: '2026-01-05T12:00:00Z' };
const changes = [{ at: build.buildTime, text: 'Input parsers take the camelCase aliases.' }];
const maxDepth = 1000;

export function publicRoutes({ routes }: State['profile']): readonly Route[] {
  const read = (path: string, handle: (call: Call) => VenueResponse): Route => ({
    method: 'GET',
    path,
    handle,
  });
  return [
    read(routes.health, health),
    read(routes.readiness, readiness),
    read(routes.status, status),
    read(routes.version, version),
    read(routes.changelog, () => json(200, { ok: true, changes })),
    read(routes.markets, markets),
    read(routes.orderbook, orderbook),
  ];
}

function health({ state }: Call): VenueResponse {
  return json(200, { ok: true, alive: true, wallMs: state.clock.now().wallMs });
}

function readiness({ state }: Call): VenueResponse {
  const reason = placementReason(state.gates);
  const values = { ready: reason === null, reason };
  const body = placed(state.profile.records.readiness, values);
  return json(reason === null ? 200 : 503, body, reason === null ? {} : { 'retry-after': '1' });
}

function status({ state }: Call): VenueResponse {
  const { switches } = state.gates;
  const reason = placementReason(state.gates);
  const values = {
    placementReady: reason === null,
    placementReason: reason,
    sequencerCoreReachable: !switches.recovering,
    tradingHalted: switches.tradingHalted,
  };
  return json(200, placed(state.profile.records.status, values));
}

function version({ state }: Call): VenueResponse {
  return json(200, state.kept.hidesBuild ? { version: 'unknown' } : build);
}

function markets({ state }: Call): VenueResponse {
  const { market: pointers, markets: where } = state.profile.records;
  const records = state.exchange.markets().map((market) => placed(pointers, { ...market }));
  return json(200, placed({ list: where.list }, { list: records }));
}

function orderbook(call: Call): VenueResponse {
  const { state } = call;
  const book = queryWord(call, 'book', ['YES', 'NO']);
  const depth = queryInteger(call, 'depth', 1, maxDepth) ?? state.profile.marketData.depth;
  const { kind, marketId } = marketOf(call);
  const view = state.exchange.depth(marketId, book, depth);
  if (view === null) {
    const rule = kind === 'spot' ? 'a spot market has no book' : 'book must be YES or NO';
    throw new EnvelopeError(400, rule, 'bad_enum');
  }
  return json(200, placed(state.profile.records.orderbook, { ...view }));
}
