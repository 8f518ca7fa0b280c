/**
 * Bugs that once were in the bridge, and others of their kind, to be planted again: each changes a line or two of a
 * copy of `src`, and the random legal streams must find it (`npm run long -- planted`). Text that is not there exactly
 * once fails the run, so that the list goes with the code.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PlantedBug {
  readonly name: string;
  /** What the bridge does wrong. */
  readonly what: string;
  readonly edits: readonly Edit[];
  /** What finds it where no stream of commands can: a test of its own. */
  readonly test?: string;
}

interface Edit {
  /** In `src`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const one = (file: string, from: string, to: string): readonly Edit[] => [{ file, from, to }];
const orderIndex = 'engine/order-index.ts';

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'quote-name',
    what: 'a side of a quote takes the ClOrdID(11) of another live order',
    edits: [
      {
        file: 'domain/quote-plan.ts',
        from: 'const isTaken = (name: string) => names.has(name) || book.isSpent(name);',
        to: 'const isTaken = (name: string) => name === base && names.size < 0;',
      },
      { file: orderIndex, from: "invariant(isFree, 'one name, one order:', name);", to: '' },
    ],
  },
  {
    name: 'order-key',
    what: 'an order takes the key of another live order',
    edits: [
      {
        file: 'engine/order-keys.ts',
        from: '{this.#last + index + 1}`',
        to: '{((this.#last + index) % 60) + 1}`',
      },
      {
        file: 'engine/order-keys.ts',
        from: 'this.#last = Math.max(this.#last, Number(number))',
        to: 'this.#last = Number(number)',
      },
      {
        file: orderIndex,
        from: "invariant(isOfEarlierVersion(key), 'one key, one order:', key);",
        to: '',
      },
    ],
  },
  {
    name: 'nonce-of-another',
    what: 'an action gets a nonce that another channel has used',
    edits: one(
      'signer/nonce-window.ts',
      'else if (this.#isStillToCome(nonce)) {',
      'else if (nonce < 0 && this.#isStillToCome(nonce)) {',
    ),
  },
  {
    name: 'held-at-a-new-id',
    what: 'what was never sent under one FIXP session id is not sent under the next',
    edits: one(
      'fixp/session-ids.ts',
      'const outBase = this.handedTo ?? at.nextOut - 1;',
      'const outBase = at.nextOut - 1;',
    ),
  },
  {
    name: 'open-orders-twice',
    what: 'a reader gets each open order twice at its first logon',
    edits: one(
      'dropcopy/copy-request.ts',
      "states.push({ kind: 'state', order, reqId });",
      "for (const _ of reqId === null ? [1, 2] : [1]) states.push({ kind: 'state', order, reqId });",
    ),
  },
  {
    name: 'copies-of-any-user',
    what: 'a reader of some users gets the copies of other channels, too',
    edits: one(
      'dropcopy/copy-filter.ts',
      'copy.from?.users.some((user) => users.has(user)) !== true) return false;',
      'copy.from?.users.every((user) => !users.has(user)) === true) return false;',
    ),
  },
  {
    name: 'cancel-of-a-trigger',
    what: 'a cancel that crosses with a trigger is given up',
    edits: one('domain/pending.ts', '  if (isTooLate) release(draft);', ''),
    test: 'test/domain/stream-transition.test.ts',
  },
  {
    name: 'waiting-replace',
    what: 'a replace of an order that waits for a nonce passes every limit',
    edits: [
      {
        file: 'gateway/gate/authorize.ts',
        from: "if (decision.way !== 'leg' && decision.way !== 'not_yet') return",
        to: "if (decision.way !== 'leg') return",
      },
      // What has waited is looked at again, and that was not so either.
      {
        file: 'engine/orders.ts',
        from: 'return isLeg ? [{ ...place, terms: pending.terms }] : [];',
        to: 'return isLeg ? [] : [];',
      },
    ],
  },
  {
    name: 'open-orders',
    what: 'a group of quotes is held against the orders that were open before it',
    edits: one(
      'gateway/gate/risk.ts',
      'if (openOrders + seats <= maxOpenOrders) return undefined;',
      'if (openOrders < maxOpenOrders) return undefined;',
    ),
  },
  {
    name: 'account-guard',
    what: 'the limits of the account are not asked',
    edits: one(
      'gateway/gate/authorize.ts',
      'for (const { guard, open } of view.guards) {',
      'for (const { guard, open } of view.guards.slice(0, 1)) {',
    ),
  },
  {
    name: 'clock-is-proof',
    what: 'an order that the venue is silent about is refused after a while, and nobody hears when it fills',
    edits: [
      {
        file: 'venue/outbox/submission-life.ts',
        from: 'if (isTime) own.isOverdueTold = true;',
        to: 'if (isTime) return this.#refuseSuperseded();',
      },
      {
        file: 'domain/stream-transition.ts',
        from: 'if (hasEnded(draft.order)) afterTheEnd(draft, event);',
        to: 'if (hasEnded(draft.order)) return;',
      },
    ],
  },
  {
    name: 'restart-is-proof',
    what: 'an order that is older than its patience at a start is refused at once',
    edits: one(
      'venue/outbox/submission-life.ts',
      "return this.#maySend ? this.#send() : this.#pause('pausing', this.#nowMs);",
      'return this.#maySend ? this.#send() : this.#refuseSuperseded();',
    ),
  },
  {
    name: 'old-connection',
    what: 'the end of a connection before takes the present one away',
    edits: one(
      'transport/host.ts',
      'closed: () => whileCurrent(() => this.#detach()),',
      'closed: () => this.#detach(),',
    ),
  },
  {
    name: 'slot',
    what: 'an entry that comes twice in a MassQuote(i) gets two live orders',
    edits: one('domain/quote-plan.ts', 'if (plan.named.has(name)) {', 'if (plan.named.has("")) {'),
  },
  {
    name: 'kill-switch',
    what: 'a kill switch does not stop what waits, nor quotes',
    edits: one(
      'gateway/gate/authorize.ts',
      'if (view.killed !== undefined) return view.killed;',
      'if (places.length < 0) return view.killed;',
    ),
  },
  {
    name: 'mass-cancel',
    what: 'a mass cancel leaves the quotes',
    edits: one(
      'engine/mass-cancels.ts',
      '(!onlyQuotes || owner.quoteId !== null)',
      'onlyQuotes === (owner.quoteId !== null)',
    ),
  },
  {
    name: 'mass-cancel-count',
    what: 'a mass cancel counts the orders of the other sessions of its account',
    edits: [
      {
        file: 'gateway/clients/client-session.ts',
        from: 'const affected = scope.accounts',
        to: 'const affected = [...openOrders(this.principal)].length + 0 * scope.accounts',
      },
    ],
  },
  {
    name: 'cancel-on-disconnect',
    what: 'a crash of the bridge is no disconnect to those whose orders that cancels',
    edits: one(
      'gateway/clients/cancel-on-disconnect.ts',
      'if (value === nothing) return;',
      'if (value !== Number.NaN) return;',
    ),
  },
  {
    name: 'collar',
    what: 'the collar does not hold sells',
    edits: one(
      'gateway/gate/risk.ts',
      "return side === 'Bid' ? asked <= worst : asked >= worst;",
      "return side === 'Ask' || asked <= worst;",
    ),
  },
  {
    name: 'notional',
    what: 'the notional of an algo is that of its slice',
    edits: one(
      'gateway/gate/risk.ts',
      'const notional = (terms.limitPrice * terms.qty) / tenTo(qtyScale);',
      'const notional = (terms.limitPrice * (terms.strategy?.sliceQty ?? terms.qty)) / tenTo(qtyScale);',
    ),
  },
  {
    name: 'order-end',
    what: 'TimeInForce(59)=6 rests for ever',
    edits: one(
      'domain/admission.ts',
      'expiresAtMs: rests && strategy === null ? endsAtMs : null,',
      'expiresAtMs: null,',
    ),
  },
  {
    name: 'timeout-is-refusal',
    what: 'a broken connection is taken for a request that was never sent',
    edits: one(
      'venue/verdict.ts',
      "if (exchange.kind === 'unsent') {",
      "if (exchange.kind === 'unsent' || exchange.kind === 'broken') {",
    ),
  },
  {
    name: 'event-hole',
    what: 'an event behind a hole of the stream is taken at once',
    edits: one(
      'venue/event-order.ts',
      "if (this.#rules.seqModel === 'contiguous') return seq === this.#lastSeq + 1;",
      "if (this.#rules.seqModel === 'contiguous') return seq > this.#lastSeq;",
    ),
  },
  {
    name: 'early-send',
    what: 'an action is sent before the journal is durable',
    edits: [
      {
        file: 'gateway/account/account-runner.ts',
        from: 'transactions.after(() => {\n        for (const [index, one] of submits.entries()) {',
        to: '{\n        for (const [index, one] of submits.entries()) {',
      },
      {
        file: 'gateway/account/account-runner.ts',
        from: 'signing[index] ?? this.keys.sign(one.bytes), startedUs);\n        }\n      });',
        to: 'signing[index] ?? this.keys.sign(one.bytes), startedUs);\n        }\n      }',
      },
    ],
  },
  {
    name: 'early-report',
    what: 'what a transaction says goes to the socket before it is durable',
    edits: one(
      'transport/host.ts',
      'this.#recorder.after(() => {\n      this.#unrecordedBytes -= bytes.length;',
      'queueMicrotask(() => {\n      this.#unrecordedBytes -= bytes.length;',
    ),
  },
  {
    name: 'last-resend',
    what: 'the last message that a ResendRequest(2) asks for is passed over',
    edits: one(
      'fix/session-replay.ts',
      'if (seq < this.#next || seq > range.toSeq) continue;',
      'if (seq < this.#next || seq >= range.toSeq) continue;',
    ),
  },
  {
    name: 'sbe-trade',
    what: 'LastPx and LastQty of an SBE trade are swapped',
    edits: one(
      'mapping/sbe/report-message.ts',
      '.setLastPxBig(price)\n    .setLastQtyBig(qty)',
      '.setLastPxBig(qty)\n    .setLastQtyBig(price)',
    ),
  },
  {
    name: 'copies',
    what: 'of several reports in one transaction only the first is copied',
    edits: one(
      'dropcopy/relay.ts',
      'if (journal === undefined) return;\n    journal.append(',
      'if (journal === undefined || this.#isNoted) return;\n    journal.append(',
    ),
  },
  {
    name: 'fired-order',
    what: 'an order that a trigger fired is canceled as the conditional that it was',
    edits: one(
      'domain/pending.ts',
      "const target = triggered ? 'order' : targetOf(terms);",
      'const target = targetOf(terms);',
    ),
  },
  {
    name: 'replaced-quote',
    what: 'a quote whose place another takes is not told to be over',
    edits: one(
      'domain/stream-transition.ts',
      'if (draft.isDisplaced && isParent) {',
      'if (draft.isDisplaced && isParent) {\n    return;',
    ),
  },
  {
    name: 'slice',
    what: 'the end of a slice is taken for the end of its algo',
    edits: one(
      'domain/stream-transition.ts',
      'if (isSlice(order, event) || isFormer(order, event)) return;\n  const { pending } = order;\n  const isOurs',
      'if (isFormer(order, event)) return;\n  const { pending } = order;\n  const isOurs',
    ),
  },
  {
    name: 'early-acknowledgement',
    what: 'a commit is told to be durable before it is synced',
    edits: one(
      'store/log/log-store.ts',
      "|| this.#options.durability === 'process';",
      "|| this.#options.durability !== 'process';",
    ),
  },
  {
    name: 'torn-tail',
    what: 'the last record of the log is taken although it is torn',
    edits: one(
      'store/record.ts',
      'if (crc32(record.subarray(bytesAt)) !== record.readUInt32LE(crcAt)) return undefined;',
      '',
    ),
  },
  // Those that no client's command reaches.
  {
    name: 'early-nested',
    what: 'the signer of a nested order is asked before the journal is durable',
    edits: one(
      'gateway/account/account-runner.ts',
      'transactions.after(() => {\n      for (const effect of later) this.#performLater(effect);\n    });',
      'for (const effect of later) this.#performLater(effect);',
    ),
    test: 'test/simulation/whole-bridge.test.ts',
  },
  {
    name: 'viewer',
    what: 'an operator who may only look may act',
    edits: one('console/permissions.ts', 'roles.includes(needed)', 'who !== ""'),
    test: 'test/console/server.test.ts',
  },
  {
    name: 'sbe-correction',
    what: 'LastPx and LastQty of an SBE trade correction are swapped',
    edits: one(
      'mapping/sbe/report-message.ts',
      'correction.setLastPxBig(now.price).setLastQtyBig(now.qty)',
      'correction.setLastPxBig(now.qty).setLastQtyBig(now.price)',
    ),
    test: 'test/mapping/sbe',
  },
  {
    name: 'certificate',
    what: 'a port of the certification takes any client certificate',
    edits: one('certify/port.ts', 'rejectUnauthorized: true', 'rejectUnauthorized: false'),
    test: 'test/certify/port.test.ts',
  },
  {
    name: 'trade-query',
    what: 'a trade query leaves out the trade of its last millisecond',
    edits: one('dropcopy/trade-criteria.ts', 'transactTimeMs <= toMs', 'transactTimeMs < toMs'),
    test: 'test/dropcopy/trade-criteria.test.ts',
  },
  {
    name: 'child-ends',
    what: 'the end of an order that was replaced, reported after its child, ends the child',
    edits: one(
      'domain/stream-transition.ts',
      'return !triggered && parentOrderId !== null && parentOrderId === orderId && orderId !== ours;',
      'return triggered && parentOrderId === orderId;',
    ),
  },
  {
    name: 'told-twice',
    what: 'an order that a receipt showed from its beginning to its end begins again with its events',
    edits: one(
      'domain/stated.ts',
      'if (orderId !== null && hasEnded(draft.order))',
      'if (orderId === null && hasEnded(draft.order))',
    ),
    test: 'test/domain/stated.test.ts',
  },
  {
    name: 'two-owners',
    what: 'a process goes on although another has taken over its data',
    edits: one(
      'store/log/owner.ts',
      'if (this.#disk.has(this.#token)) return undefined;',
      'if (this.#disk.has(this.#token) || this.opening > 0) return undefined;',
    ),
  },
  {
    name: 'wrong-end',
    what: 'a FIXP client that chose which end of its connection cancels its orders gets the other one',
    edits: one(
      'gateway/clients/fixp-client.ts',
      '(graceful ? cancelTypes.onDisconnect : cancelTypes.onTerminate)',
      '(graceful ? cancelTypes.onTerminate : cancelTypes.onDisconnect)',
    ),
  },
  {
    name: 'report-order',
    what: 'the reports of one transaction leave in another order than their states',
    edits: one(
      'gateway/account/account-runner.ts',
      'const questions = effects.map((effect) => this.#perform(effect));',
      'const questions = [...effects].reverse().map((effect) => this.#perform(effect));',
    ),
    test: 'test/gateway/report-order.test.ts',
  },
  {
    name: 'fixp-numbers',
    what: 'a FIXP client believes a Sequence beyond the last number',
    edits: one(
      'fixp/recovery.ts',
      'if (nextSeqNo < core.nextIn || nextSeqNo > core.settings.maxSeqNo) {',
      'if (nextSeqNo < core.nextIn) {',
    ),
    test: 'test/fixp/client-session.test.ts',
  },
  {
    name: 'unknown-counted',
    what: 'the totals of a reader count the report that an outcome is unknown',
    edits: one('dropcopy/copy-totals.ts', "if (execType === 'order_status') return totals;", ''),
    test: 'test/gateway/late-orders.test.ts',
  },
  {
    name: 'gone-while-canceled',
    what: 'a refusal says that no quotes are live while they are only being canceled',
    edits: one(
      'engine/orders.ts',
      "return order.phase === 'live' && !isLeaving(order) ? true : null;",
      "return order.phase === 'live' && !isLeaving(order);",
    ),
    test: 'test/gateway/requoted.test.ts',
  },
  {
    name: 'replacing-leg',
    what: 'a quote whose side has another id at the venue does not take the place of the order before it',
    edits: one(
      'domain/stream-transition.ts',
      '(draft.isDisplaced && !isParent)',
      '(draft.isDisplaced && isParent)',
    ),
  },
  {
    name: 'numbers-of-all',
    what: 'an event follows the last one although the venue counts those of all accounts and did not say so',
    edits: one(
      'venue/event-order.ts',
      'return prevSeq === null ? isOfPage : prevSeq <= this.#lastSeq;',
      'return prevSeq === null || prevSeq <= this.#lastSeq;',
    ),
  },
];

/** Says what is wrong with the place, or puts the bug there. */
export function plant({ edits, name }: PlantedBug, src: string): string | undefined {
  for (const { file, from, to } of edits) {
    const path = join(src, file);
    const text = readFileSync(path, 'utf8');
    const parts = text.split(from);
    if (parts.length !== 2) return `${name}: the text is ${parts.length - 1} times in src/${file}`;
    writeFileSync(path, parts.join(to));
  }
  return undefined;
}
