/** An account from its journal: the same records have the same effects, under the settings of their time. */
import { describe, expect, test } from 'vitest';
import { instrumentsOf } from '../../../src/domain/instrument.ts';
import type { OrderId, Qty } from '../../../src/domain/units.ts';
import type { EngineInput } from '../../../src/engine/engine.ts';
import type { EarlierAction } from '../../../src/engine/record.ts';
import { AccountReplay } from '../../../src/gateway/account/account-replay.ts';
import { type EngineSettings, venueSettings } from '../../../src/gateway/config/engine-settings.ts';
import { fastestBlake3 } from '../../../src/signer/blake3.ts';
import { NonceWindow } from '../../../src/signer/nonce-window.ts';
import type { OutboxInput } from '../../../src/venue/outbox/outbox-types.ts';
import type { VenueEvent } from '../../../src/venue/venue-event.ts';
import { fullRules, silentEvent, spot, terms } from '../../domain/ladder.ts';
import { defaultNonceRules } from '../../support/nonce-rules.ts';
import { account, sandbox, signed } from '../../venue/samples.ts';

type Input = EngineInput<OutboxInput, VenueEvent>;

const { blake3 } = await fastestBlake3();
const at = { wallMs: 1_700_000_000_000, monoMs: 1_000 };
const [instrument] = instrumentsOf(spot);
const settings: EngineSettings = {
  ...venueSettings(sandbox, 5_000),
  sessionRules: {},
  otherRules: fullRules,
};
const strict: EngineSettings = { ...settings, otherRules: { ...fullRules, pendingStates: false } };

const open = (under = settings, more: object = {}) =>
  new AccountReplay({ account, blake3, nonces: undefined, ...more }, under);

function enter(key: string): Input {
  if (instrument === undefined) throw new Error('no instrument');
  const owner = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const wanted = terms({ qty: 10n as Qty });
  return { kind: 'entry', owner, clOrdId: key, instrument, terms: wanted, nowMs: at.wallMs };
}
const floor: Input = { kind: 'venue', input: { kind: 'floor', floor: 5, asked: null } };

/** The inputs of an account that sent an order, and the effects that they had. */
function lived(under = settings) {
  const replay = open(under);
  const inputs: Input[] = [floor, enter('a')];
  const effects = inputs.flatMap((input) => [...replay.core.engine.step(input, at)]);
  return { effects, inputs, replay };
}

function replayed(into: AccountReplay, inputs: readonly Input[], recorded?: EngineSettings) {
  const effects: unknown[] = [];
  into.apply({ at, inputs, ...(recorded && { settings: recorded }) }, (some) => {
    effects.push(...some);
  });
  return effects;
}

test('the same inputs have the same effects, in as many records as one likes, and leave the same state', () => {
  const { effects, inputs, replay } = lived();
  expect(effects.map(({ kind }) => kind)).toContain('submit');
  const whole = open();
  expect(replayed(whole, inputs)).toEqual(effects);
  const apart = open();
  expect(inputs.flatMap((input) => replayed(apart, [input]))).toEqual(effects);
  for (const other of [whole, apart]) {
    expect(other.rest()).toEqual(replay.rest());
    expect(other.orders.state()).toEqual(replay.orders.state());
  }
});

test('a snapshot continues like what it was taken of', () => {
  const { replay } = lived();
  const next = open();
  const state = { ...replay.orders.state(), ...replay.rest() };
  for (const _ of next.restore(structuredClone(state)));
  expect(next.rest()).toEqual(replay.rest());
  const more = [enter('b')];
  expect(replayed(next, more)).toEqual(replayed(replay, more));
});

describe('settings', () => {
  test('of a record hold from it on, and for records without any as well', () => {
    const replay = open();
    replayed(replay, [floor]);
    expect(replay.settings.current).toEqual(settings);
    replayed(replay, [enter('a')], strict);
    expect(replay.settings.current).toEqual(strict);
    replayed(replay, [enter('b')]);
    expect(replay.settings.current).toEqual(strict);
  });

  test('of a snapshot hold from it on', () => {
    const { replay } = lived(strict);
    const next = open();
    for (const _ of next.restore({ ...replay.orders.state(), ...replay.rest() }));
    expect(next.settings.current).toEqual(strict);
  });

  test('that change keep what is under way at the venue, under a new outbox', () => {
    const { replay } = lived();
    const { outbox } = replay.core;
    const before = outbox.state();
    replay.continueUnder(strict);
    expect(replay.core.outbox).not.toBe(outbox);
    expect(replay.core.outbox.state()).toEqual(before);
    expect(replay.settings.current).toBe(strict);
  });

  test('that are the same in other words change nothing', () => {
    const { replay } = lived();
    const { outbox } = replay.core;
    replay.continueUnder(structuredClone(settings));
    replayed(replay, [enter('b')], structuredClone(settings));
    expect(replay.core.outbox).toBe(outbox);
  });
});

describe('a record of an earlier version', () => {
  const orderId = `0x${'ab'.repeat(32)}` as OrderId;
  const action = (key: string, nonce: number): EarlierAction => {
    const { canonical, hash } = signed(nonce);
    return { key, requestId: 'new', nonce: BigInt(nonce), actionHash: hash, orderId, canonical };
  };
  const sent = (key: string, venueRef: string) =>
    ({
      kind: 'order',
      key,
      input: {
        ...{ kind: 'sent', requestId: 'new', venueRef, orderId },
        ...{ firedOrderId: null, nowMs: at.wallMs },
      },
    }) as const;

  test('sends nothing: what was sent is among its inputs', () => {
    const replay = open();
    const kinds: string[] = [];
    const inputs = [enter('a')] as never;
    replay.apply({ inputs, actions: [] }, (effects, input) => {
      kinds.push(input.kind, ...effects.map(({ kind }) => kind));
    });
    expect(kinds[0]).toBe('entry');
    expect(kinds).not.toContain('send');
    expect(replay.orders.get('a')).toBeDefined();
  });

  test('and events find the order that it sent', () => {
    const replay = open();
    replay.apply({ inputs: [enter('a')] as never, actions: [] }, () => {});
    const event = {
      ...silentEvent,
      kind: 'accepted',
      seq: 1,
      orderId,
      venueRef: 'h',
      market: spot.marketId,
    };
    const reports: string[] = [];
    replay.apply(
      { inputs: [sent('a', 'h'), { kind: 'event', event }] as never, actions: [] },
      (effects) => {
        for (const effect of effects) if (effect.kind === 'report') reports.push(effect.session);
      },
    );
    expect(reports.length).toBeGreaterThan(0);
    expect(replay.orders.lastSeq).toBe(1);
  });

  test('leaves an outbox that looks up what its open orders wait for, and nothing else', () => {
    const window = new NonceWindow(defaultNonceRules);
    window.assumed(5);
    for (const nonce of [5, 6]) {
      window.reserved(nonce, 'place');
      window.signed(nonce, 'ab'.repeat(32));
      window.sent(nonce);
    }
    const replay = open(settings, { nonces: window.snapshot() });
    const [own, forgotten] = [action('a', 5), action('gone', 6)];
    const inputs = [enter('a'), sent('a', own.actionHash)] as never;
    replay.apply({ inputs, actions: [own, forgotten] }, () => {});
    const { submissions, nonces } = replay.core.outbox.state();
    expect(submissions.map(({ asked, nonce }) => [asked?.key, nonce])).toEqual([['a', 5]]);
    expect(nonces.floor).toBe(5);
  });
});

test("the signer's own contract is used as long as the settings are those of the start", () => {
  const contract = { ...settings.contract };
  const contractOf = (replay: AccountReplay) => {
    const effects = [...replay.core.engine.step(enter('b'), at)];
    return effects.find((effect) => effect.kind === 'submit')?.bytes.made?.contract;
  };
  const replay = open(settings, { contract });
  replayed(replay, [floor]);
  expect(contractOf(replay)).toBe(contract);
  const changed = open(settings, { contract });
  replayed(changed, [floor], strict);
  expect(contractOf(changed)).toBe(strict.contract);
});
