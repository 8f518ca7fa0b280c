/** Carries out an operator's action, or queues it for a second operator's approval. */
import { isDeepStrictEqual } from 'node:util';
import { reportLines } from '../gateway/operator/cluster-link.ts';
import { type Actor, ActRefused } from '../gateway/operator/operator.ts';
import {
  carryOutHere,
  ordersText,
  resultHere,
  type SharedAct,
} from '../gateway/operator/shared-acts.ts';
import type { AskedAct, WaitingAct } from './act-shape.ts';
import type { CertificationRunner } from './certification-runner.ts';
import type { RouteParts } from './routes.ts';

/** If its node has not confirmed a kill switch after this time, the shard throws it without the node. */
const atOnceMs = 300;

/** Carries the action out, or queues it for a second operator; resolves with a text about the result for the page. */
export async function carryOut(parts: RouteParts, who: string, asked: AskedAct): Promise<string> {
  const { approvals } = parts;
  if (asked.act === 'approve') {
    const approved = approvals.approve(asked.request, who, asked.why);
    return carryOutNow(parts, approved.who, approved.asked);
  }
  if (asked.act === 'decline') {
    approvals.decline(asked.request, who, asked.why);
    return 'The request is declined; nothing was done.';
  }
  if (!approvals.needs(asked)) return carryOutNow(parts, who, asked);
  const { id } = approvals.request(who, asked);
  return `Request ${id} waits for approval by a second operator, for ten minutes at most.`;
}

async function carryOutNow(parts: RouteParts, who: string, asked: WaitingAct): Promise<string> {
  const { operator } = parts.view;
  const by: Actor = { who, why: asked.why };
  switch (asked.act) {
    case 'cancel': {
      const count = operator.cancel(by, asked.orders);
      return count === 0 ? 'None of these orders is open.' : `${ordersText(count)} being canceled.`;
    }
    case 'mass_cancel': {
      const count = operator.massCancel(by, asked.scope, asked.symbol || undefined);
      return count === 0
        ? 'No order is open in this scope.'
        : `${ordersText(count)} being canceled.`;
    }
    case 'bust':
    case 'correct': {
      const { cumQty, execId, leavesQty } = await operator.amendTrade(by, asked);
      return `Reported as ${execId}: CumQty(14) is ${cumQty} and LeavesQty(151) is ${leavesQty} now.`;
    }
    case 'kill':
    case 'release':
      return everywhere(parts, by, { kind: asked.act, scope: asked.scope });
    case 'set_limits': {
      const { act: kind, target, why: _, ...limits } = asked;
      return everywhere(parts, by, { kind, target, limits });
    }
    case 'reset_limits':
      return everywhere(parts, by, { kind: 'set_limits', target: asked.target, limits: null });
    case 'reopen':
      operator.reopen(by, asked.account);
      return `Account ${asked.account} is open.`;
    case 'set_numbers': {
      const { nextIn, nextOut } = asked;
      operator.session(by, asked.session, { kind: 'set_numbers', nextIn, nextOut });
      return `Next in is ${nextIn}, next out is ${nextOut}.`;
    }
    case 'certify':
      runnerOf(parts).start(asked.folder, asked.only);
      operator.recordExternalAct(by, 'certify', `certification ${asked.folder}`, {
        only: asked.only,
      });
      return `The certification of ${asked.folder} has begun.`;
    case 'certify_stop':
      runnerOf(parts).stop(asked.folder);
      operator.recordExternalAct(by, 'certify_stop', `certification ${asked.folder}`, null);
      return `The certification of ${asked.folder} ends.`;
    case 'acknowledge':
    case 'assign':
      return handleAlarm(parts, by, asked);
    case 'start':
    case 'stop':
    case 'logout':
    case 'reset':
    case 'test_request':
      operator.session(by, asked.session, { kind: asked.act });
      return `Done: ${asked.act.replace('_', ' ')} ${asked.session}`;
  }
}

/** Carries it out on this bridge, or on all shards of its cluster. */
async function everywhere(parts: RouteParts, by: Actor, act: SharedAct): Promise<string> {
  const { cluster, view } = parts;
  if (cluster === undefined) return carryOutHere(view.operator, by, act);
  const answer = cluster.carryOut(by, act).then((report) => reportLines(report).join(' '));
  if (act.kind === 'kill') return killed(parts, answer, by, act);
  return answer.catch((error: Error) => {
    throw new ActRefused(error.message);
  });
}

/** The kill switch is on here even if the node hangs or has just died. */
async function killed(
  { clock, view: { operator } }: RouteParts,
  answer: Promise<string>,
  by: Actor,
  act: Extract<SharedAct, { kind: 'kill' }>,
): Promise<string> {
  const engaged = () => operator.kills.find(({ scope }) => isDeepStrictEqual(scope, act.scope));
  const before = engaged();
  let here = '';
  const killHere = () => {
    // The node may have brought the act to this shard already, and still wait for others.
    if (engaged() === before) here = `This shard: ${resultHere(operator, { by, act }).text}`;
  };
  const cancel = clock.at(clock.now().monoMs + atOnceMs, killHere);
  try {
    return `${await answer} ${here}`.trim();
  } catch (error) {
    killHere();
    const why = error instanceof Error ? error.message : String(error);
    return `NOT confirmed by any other shard: ${why}. ${here || 'Here the kill switch is on.'}`;
  } finally {
    cancel();
  }
}

/** Resolves once the alarm file contains it. */
async function handleAlarm(
  { alarmFile, alarms, view }: RouteParts,
  by: Actor,
  asked: Extract<AskedAct, { act: 'acknowledge' | 'assign' }>,
): Promise<string> {
  const row = alarms.alarm(asked.alarm);
  if (row === undefined) throw new ActRefused('this alarm is no longer in the list');
  if (asked.act === 'acknowledge' && asked.number !== row.number)
    throw new ActRefused(`this alarm was raised again: ${row.text}`);
  const after = { alarm: row.text, ...(asked.act === 'assign' && { to: asked.to }) };
  view.operator.recordExternalAct(by, `alarm_${asked.act}`, `alarm ${row.event}`, after);
  if (asked.act === 'acknowledge') alarms.acknowledge(row.id, by);
  else alarms.assign(row.id, asked.to || null);
  await alarmFile.flush();
  if (asked.act === 'acknowledge') return 'The alarm is acknowledged.';
  return asked.to === '' ? 'The alarm is assigned to nobody.' : `Assigned to ${asked.to}.`;
}

function runnerOf({ certification }: RouteParts): CertificationRunner {
  if (certification === undefined)
    throw new ActRefused('console.certificationDir is not configured');
  return certification;
}
