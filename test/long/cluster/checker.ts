/**
 * Judges a run of the cluster from its history alone. Each order has a quantity that no other order of its account and side has, so the
 * venue's ledger says which of the clients' orders it has without anything that the bridge said.
 */
import type {
  ClientHistory,
  DatabaseRows,
  Heard,
  Ledger,
  Report,
  RunHistory,
  Sent,
  ShardChange,
  VenueOrder,
} from './history.ts';

export const faultKinds = [
  'lost',
  'doubled',
  'falsely refused',
  'fills',
  'numbers',
  'rows',
  'old owner',
  'unanswered',
  'forgotten',
] as const;
export interface Finding {
  readonly kind: (typeof faultKinds)[number];
  readonly text: string;
}

/** From a commit to the request that it allows, on a busy machine; a process that was stopped in between has to ask again. */
const afterwardsMs = 300;

export function check(history: RunHistory): readonly Finding[] {
  const { clients, ledger, rows } = history;
  const { forgotten } = ledger;
  const findings: Finding[] = [];
  if (forgotten.orders + forgotten.trades > 0) {
    findings.push({ kind: 'forgotten', text: `the venue forgot ${JSON.stringify(forgotten)}` });
  }
  for (const client of clients) findings.push(...checkNumbers(client));
  findings.push(...checkOrders(clients, ledger), ...checkFills(clients, ledger));
  if (rows !== undefined) findings.push(...checkRows(rows), ...checkOwners(history));
  return findings;
}

/** Every number once, in order, without an end before the last; what comes again is what came before. */
function checkNumbers({ entries, nextIn, session }: ClientHistory): Finding[] {
  const findings: Finding[] = [];
  const firsts = new Map<number, string>();
  let highest = 0;
  for (const entry of entries) {
    if (entry.way !== 'heard') continue;
    const { content, isRepeated, seq } = entry;
    const first = firsts.get(seq);
    const add = (text: string) => findings.push({ kind: 'numbers', text: `${session}: ${text}` });
    if (first !== undefined && first !== content) {
      add(`number ${seq} was another message: ${first} and ${content}`);
    }
    if (first !== undefined && !isRepeated) add(`number ${seq} was used twice`);
    if (!isRepeated && seq <= highest) add(`number ${seq} came after ${highest}`);
    if (first === undefined) firsts.set(seq, content);
    highest = Math.max(highest, seq);
  }
  for (let seq = 1; seq < nextIn; seq += 1) {
    if (!firsts.has(seq)) findings.push({ kind: 'numbers', text: `${session}: no ${seq}` });
  }
  if (highest >= nextIn) {
    findings.push({ kind: 'numbers', text: `${session}: ${nextIn} is missing before ${highest}` });
  }
  return findings;
}

/** What a client was told of an order that it sent. */
interface Standing {
  readonly name: string;
  readonly account: string;
  readonly sent: Sent;
  /** The venue makes a new order of a replace. */
  readonly orderIds: Set<string>;
  replaces: number;
  isRefused: boolean;
  /** The venue has it, as the client was told. */
  isAccepted: boolean;
  cumQty: number;
  /** Filled while a replace was pending: this may come on top of its quantity (R99). */
  crossed: number;
  status: string;
}

/** First copies only, in the order of their numbers. */
function reportsOf({ entries }: ClientHistory): readonly Report[] {
  const firsts = new Map<number, Heard>();
  for (const entry of entries) {
    if (entry.way === 'heard' && !firsts.has(entry.seq)) firsts.set(entry.seq, entry);
  }
  return [...firsts.values()]
    .sort((a, b) => a.seq - b.seq)
    .flatMap(({ report }) => (report === undefined ? [] : [report]));
}

const acceptedTypes = new Set(['0', '4', '5', 'C', 'D', 'F']);

function standingsOf(client: ClientHistory): readonly Standing[] {
  const { account, session } = client;
  const standings = new Map<string, Standing>();
  /** A replace and a cancel have names of their own, under which the order is reported. */
  const rootOf = new Map<string, string>();
  for (const entry of client.entries) {
    if (entry.way !== 'sent') continue;
    if (entry.kind !== 'new') {
      rootOf.set(entry.id, rootOf.get(entry.origId ?? '') ?? entry.origId ?? '');
      continue;
    }
    // A FIXP client sends again what was not applied.
    if (standings.has(entry.id)) continue;
    const none = { isRefused: false, isAccepted: false, cumQty: 0, crossed: 0, replaces: 0 };
    const name = `${session} ${entry.id}`;
    standings.set(entry.id, {
      name,
      account,
      sent: entry,
      orderIds: new Set(),
      ...none,
      status: '',
    });
  }
  for (const report of reportsOf(client)) {
    const standing = standings.get(rootOf.get(report.id) ?? report.id);
    if (standing === undefined) continue;
    const isOwnName = report.id === standing.sent.id;
    if (report.type === '8' || report.type === 'j') standing.isRefused ||= isOwnName;
    // A cancel that came too late: its refusal says how the order ended.
    if (report.type === '9') standing.status = report.status;
    if (!acceptedTypes.has(report.type)) continue;
    standing.isAccepted = true;
    if (report.type === '5') standing.replaces += 1;
    standing.orderIds.add(report.orderId);
    if (report.status === 'E') standing.crossed += report.cumQty - standing.cumQty;
    standing.cumQty = report.cumQty;
    standing.status = report.status;
  }
  return [...standings.values()];
}

function checkOrders(clients: readonly ClientHistory[], ledger: Ledger): Finding[] {
  const findings: Finding[] = [];
  const byId = new Map(ledger.orders.map((order) => [order.orderId, order]));
  const standings = clients.flatMap(standingsOf);
  for (const standing of standings) {
    findings.push(...(standing.isAccepted ? checkAccepted(standing, byId) : []));
    for (const orderId of standing.orderIds) byId.delete(orderId);
  }
  // What the venue has and nobody was told of: its quantity says whose it is.
  const untold = new Map<string, string[]>();
  for (const { account, orderId, qty, side } of byId.values()) {
    const key = keyOf(account, side, qty);
    untold.set(key, [...(untold.get(key) ?? []), orderId]);
  }
  for (const { account, isAccepted, isRefused, name, sent } of standings) {
    const key = keyOf(account, sent.side, sent.qty);
    const ids = untold.get(key) ?? [];
    untold.delete(key);
    const place = ids.length > 0 ? `is ${ids.join(', ')} at the venue` : 'is not at the venue';
    if (isAccepted && isRefused) {
      findings.push({ kind: 'falsely refused', text: `${name} was accepted and refused` });
    } else if (!isAccepted && !isRefused) {
      findings.push({ kind: 'unanswered', text: `${name} ${place}` });
    } else if (isRefused && ids.length > 0) {
      findings.push({ kind: 'falsely refused', text: `${name} ${place}` });
    }
    const most = isAccepted ? 0 : 1;
    if (ids.length > most) findings.push({ kind: 'doubled', text: `${name} also ${place}` });
  }
  for (const [key, ids] of untold) {
    findings.push({ kind: 'doubled', text: `${ids.join(', ')} (${key}) is nobody's` });
  }
  return findings;
}

function checkAccepted(
  { account, crossed, cumQty, name, orderIds, replaces, sent, status }: Standing,
  byId: ReadonlyMap<string, VenueOrder>,
): Finding[] {
  const findings: Finding[] = [];
  const orders: VenueOrder[] = [];
  for (const orderId of orderIds) {
    const order = byId.get(orderId);
    const isOurs = order?.account === account && order.side === sent.side;
    // A replace of an order that is filled in part makes one of the rest.
    const isWhole = orders.length > 0 || order?.qty === sent.qty;
    if (order !== undefined && isOurs && isWhole && order.qty <= sent.qty) orders.push(order);
    else findings.push({ kind: 'lost', text: `${name}: the venue has no such order ${orderId}` });
  }
  if (orders.length > 1 + replaces) {
    findings.push({ kind: 'doubled', text: `${name} is ${[...orderIds].join(', ')}` });
  }
  const filled = orders.reduce((sum, order) => sum + order.filledQty, 0);
  if (filled !== cumQty || filled > sent.qty + crossed) {
    const text = `${name}: CumQty ${cumQty} of ${sent.qty}, at the venue ${filled}`;
    findings.push({ kind: 'fills', text });
  }
  // Clients end with no open order.
  const states = orders.map(({ state }) => state);
  const isEnded = endedStates[status]?.some((state) => states.includes(state)) === true;
  if (!isEnded || states.includes('open')) {
    findings.push({ kind: 'fills', text: `${name}: OrdStatus ${status}, at the venue ${states}` });
  }
  return findings;
}

const endedStates: Readonly<Record<string, readonly string[]>> = {
  2: ['filled'],
  4: ['canceled'],
  C: ['expired'],
};

function keyOf(account: string, side: string, qty: number): string {
  return `${account} ${side} ${qty}`;
}

/** Each fill of the venue is reported once to each client who is in it, and no other fill is. */
function checkFills(clients: readonly ClientHistory[], { orders, trades }: Ledger): Finding[] {
  const findings: Finding[] = [];
  const accountOf = new Map(orders.map(({ account, orderId }) => [orderId, account]));
  const known = new Set(clients.map(({ account }) => account));
  const count = new Map<string, number>();
  const add = (key: string, by: number) => count.set(key, (count.get(key) ?? 0) + by);
  for (const { makerOrderId, price, qty, takerOrderId } of trades) {
    for (const orderId of [makerOrderId, takerOrderId]) {
      if (known.has(accountOf.get(orderId) ?? '')) add(`${orderId} ${qty} at ${price}`, 1);
    }
  }
  for (const client of clients) {
    const execIds = new Set<string>();
    for (const { execId, lastPx, lastQty, orderId, type } of reportsOf(client)) {
      if (type === '9' || type === 'j' || execId === '0' || execId === '') continue;
      if (execIds.has(execId)) {
        const text = `${client.session}: ExecID ${execId} came under two numbers`;
        findings.push({ kind: 'fills', text });
      }
      execIds.add(execId);
      if (type === 'F') add(`${orderId} ${lastQty} at ${lastPx}`, -1);
    }
  }
  for (const [key, left] of count) {
    if (left > 0) findings.push({ kind: 'fills', text: `${key}: ${left} not reported` });
    if (left < 0)
      findings.push({ kind: 'fills', text: `${key}: reported ${-left} times too often` });
  }
  return findings;
}

/** Epochs and positions never go back, no position is skipped, and no stream has a hole. */
function checkRows({ changes, records }: DatabaseRows): Finding[] {
  const findings: Finding[] = [];
  const last = new Map<string, { epoch: number; position: number; node: string }>();
  for (const { epoch, node, position, shard } of changes) {
    const before = last.get(shard);
    const add = (text: string) => findings.push({ kind: 'rows', text: `${shard}: ${text}` });
    last.set(shard, { epoch, node, position });
    if (before === undefined) continue;
    if (epoch < before.epoch) add(`epoch ${epoch} of ${node} came after ${before.epoch}`);
    if (epoch > before.epoch + 1) add(`epoch ${epoch} came after ${before.epoch}`);
    if (epoch === before.epoch && node !== before.node) {
      add(`epoch ${epoch} belongs to ${before.node} and ${node}`);
    }
    const step = position - before.position;
    if (step < 0 || step > 1) add(`position ${position} came after ${before.position}`);
    if (step === 1 && epoch !== before.epoch) add(`epoch ${epoch} began with a commit`);
  }
  for (const { first, last: end, name, rows } of records) {
    if (end - first + 1 !== rows) {
      findings.push({ kind: 'rows', text: `${name}: ${rows} rows from ${first} to ${end}` });
    }
  }
  return findings;
}

/** A node sends for an account only while its shard is the node's, and what it has committed by then a moment later. */
function checkOwners({ accounts, requests, rows }: RunHistory): Finding[] {
  const shardOf = new Map(accounts.map(({ account, shard }) => [account, shard]));
  const takes = new Map<string, ShardChange[]>();
  for (const change of rows?.changes ?? []) {
    const list = takes.get(change.shard) ?? [];
    takes.set(change.shard, list);
    if (list.at(-1)?.epoch !== change.epoch) list.push(change);
  }
  return requests.flatMap(({ account, atMs, node, nonce }): Finding[] => {
    const owners = takes.get(shardOf.get(account) ?? '') ?? [];
    const wasOwner = owners.some((take, place) => {
      const untilMs = (owners[place + 1]?.atMs ?? Number.POSITIVE_INFINITY) + afterwardsMs;
      return take.node === node && take.atMs <= atMs && atMs <= untilMs;
    });
    if (wasOwner) return [];
    const owner = owners.findLast((take) => take.atMs <= atMs);
    const since = owner && `${owner.node} for ${Math.round(atMs - owner.atMs)} ms`;
    const text = `${node} sent nonce ${nonce} of ${account}, whose owner was ${since ?? 'nobody'}`;
    return [{ kind: 'old owner', text }];
  });
}
