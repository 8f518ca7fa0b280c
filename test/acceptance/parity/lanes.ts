/**
 * The same script on both lanes at once, each with a bridge and a venue of its own from the same seed: what the clients
 * hear must be the same facts field by field, and what the bridge signs the same actions (P-21).
 */
import { isDeepStrictEqual } from 'node:util';
import { demoSessions } from '../../../src/cli/demo-files.ts';
import { InstrumentList, type Market } from '../../../src/domain/instrument.ts';
import type { MarketId } from '../../../src/domain/units.ts';
import { nobody } from '../../../src/gateway/account/observer.ts';
import { type Bridge, type BridgeOptions, startBridge } from '../../support/bridge.ts';
import { FixpPeer } from '../../support/fixp-peer.ts';
import { type Connect, OrderPlayer, type OrderScenario } from '../orders/order-script.ts';
import { Facts } from './facts.ts';
import { type Listed, requestOf, Unsayable } from './fixp-words.ts';

const seed = 1;

/** The demo's sessions under their names, on the other protocol. */
export function startFixpBridge(options: BridgeOptions = {}): Promise<Bridge> {
  const sessions = demoSessions(seed).map(({ senderCompId, role, username, accounts }) => ({
    protocol: 'fixp',
    senderCompId,
    role,
    users: [username],
    accounts,
    actions: ['order', 'quote', 'algo', 'conditional'],
    ...options.session,
  }));
  const config = { fixp: { listen: { port: 0 } }, sessions, ...options.config };
  return startBridge({ ...options, seed, config });
}

export const connectFixp: Connect = ({ gateway }, session, before) => {
  const known = before instanceof FixpPeer ? before : undefined;
  return FixpPeer.connect(gateway.fixpPort, session, listOf(gateway), known);
};

export function listOf({ profile }: Pick<Bridge['gateway'], 'profile'>): Listed[] {
  const markets = profile.markets.map(
    ({ seedPrice: _, marketId, ...market }): Market => ({
      ...market,
      marketId: marketId as MarketId,
    }),
  );
  return [...new InstrumentList(markets)].map(({ symbol, market, book }) => ({
    symbol,
    marketId: market.marketId,
    book,
  }));
}

interface Lane {
  readonly bridge: Bridge;
  readonly player: OrderPlayer;
  readonly facts: Facts;
}

export class BothLanes {
  readonly fix: Lane;
  readonly fixp: Lane;
  #signed = 0;

  static async start(options: BridgeOptions = {}): Promise<BothLanes> {
    const [fix, fixp] = await Promise.all([
      open(startBridge, options),
      open(startFixpBridge, options, connectFixp),
    ]);
    return new BothLanes(fix, fixp);
  }

  private constructor(fix: Lane, fixp: Lane) {
    this.fix = fix;
    this.fixp = fixp;
  }

  async play(scenario: OrderScenario): Promise<void> {
    const lanes = [this.fix, this.fixp];
    for (const { facts } of lanes) facts.begin();
    const played = await Promise.allSettled(lanes.map(({ player }) => player.play(scenario)));
    for (const [index, outcome] of played.entries()) {
      if (outcome.status === 'fulfilled') continue;
      const { message } = outcome.reason as Error;
      throw new Error(`${index === 0 ? 'FIX' : 'FIXP'}: ${message}`);
    }
    const [fix, fixp] = lanes.map(({ facts, player }) => facts.told(player.transcript));
    same('told', fix, fixp);
    const [ours, theirs] = lanes.map(({ facts }) => facts.signed());
    same('signed', ours, theirs);
    this.#signed += ours?.length ?? 0;
  }

  /** How many actions were compared. */
  get signed(): number {
    return this.#signed;
  }

  async stop(): Promise<void> {
    for (const { bridge, player } of [this.fix, this.fixp]) {
      player.close();
      await bridge.stop();
    }
  }
}

async function open(
  start: typeof startBridge,
  options: BridgeOptions,
  connect?: Connect,
): Promise<Lane> {
  const facts = new Facts();
  const observer = {
    ...nobody,
    requested: (account: string, { body }: { readonly body?: unknown }) =>
      facts.requested(account, body),
  };
  const bridge = await start({ ...options, seed, observer });
  const player = new OrderPlayer(bridge, connect);
  await player.start();
  return { bridge, player, facts };
}

function same(what: string, fix: readonly string[] = [], fixp: readonly string[] = []): void {
  for (let index = 0; index < Math.max(fix.length, fixp.length); index += 1) {
    if (isDeepStrictEqual(fix[index], fixp[index])) continue;
    throw new Error(`${what} ${index + 1}:\n  FIX  ${fix[index]}\n  FIXP ${fixp[index]}`);
  }
}

/** The first line of a scenario that orders.xml has no words for. */
export function unsayable({ steps }: OrderScenario): string | undefined {
  for (const { who, text } of steps) {
    if (who !== who.toUpperCase() || /^(hangs up|logs on)/.test(text)) continue;
    try {
      requestOf(text);
    } catch (error) {
      if (error instanceof Unsayable) return text;
      throw error;
    }
  }
  return undefined;
}
