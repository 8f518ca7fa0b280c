/**
 * The bridge of a certification in a separate process, so that it can be killed. Commands arrive as messages from the
 * parent process; without the parent it exits.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { lastExecId } from '../../domain/amended-trade.ts';
import type { Order } from '../../domain/order.ts';
import { type LoadedConfig, loadConfig } from '../../gateway/config/config-file.ts';
import { DataLock } from '../../gateway/data/data-lock.ts';
import { Gateway } from '../../gateway/gateway.ts';
import { systemClock } from '../../runtime/clock.ts';
import { awaitFailedTransactions } from '../failed-transaction.ts';
import { exitCodes } from '../verb.ts';
import type { ChildAsk, ChildReport } from './bridge-process.ts';

const settleWithinMs = 10_000;
const lookMs = 10;
const certifier = { who: 'certification', why: 'the scenario requires it' };

interface Served {
  readonly configFile: string;
  readonly gateway: Gateway;
}

/** Resolves once it listens; a signal ends the process, or the exit of its parent. */
export async function runCertifyBridge([configFile = '', manner = '']: readonly string[]) {
  process.once('disconnect', () => process.exit());
  awaitFailedTransactions();
  const loaded = loadConfig(configFile);
  const lock = await (manner === 'standby' ? standBy(loaded) : DataLock.take(loaded));
  const gateway = await Gateway.open({
    loaded,
    alarm: () => {},
    notice: () => {},
    fatal(error) {
      console.error(error);
      process.exit(exitCodes.failed);
    },
  });
  const served = { configFile, gateway };
  process.on('message', (ask: ChildAsk) => void answer(served, ask));
  process.once('SIGTERM', () => void stop(gateway, lock));
  send({});
  return exitCodes.done;
}

function standBy(loaded: LoadedConfig): Promise<DataLock | undefined> {
  send({});
  return DataLock.await(loaded, systemClock);
}

async function stop(gateway: Gateway, lock: DataLock | undefined): Promise<void> {
  await gateway.stop();
  lock?.release();
  process.exit();
}

async function answer(served: Served, ask: ChildAsk): Promise<void> {
  try {
    await carryOut(served, ask);
    send({});
  } catch (error) {
    send({ fault: error instanceof Error ? error.message : String(error) });
  }
}

function send(report: ChildReport): void {
  process.send?.(report);
}

async function carryOut({ configFile, gateway }: Served, ask: ChildAsk): Promise<void> {
  switch (ask.kind) {
    case 'numbers': {
      const { session, nextIn, nextOut } = ask;
      // The close of its last connection may not have been processed here yet.
      await settled(`${session} has a connection`, () =>
        gateway.directory.roster.setNumbers(session, nextIn, nextOut),
      );
      return;
    }
    case 'reload':
      await gateway.reload(loadConfig(configFile));
      return;
    case 'cancel':
      await cancelAll(gateway);
      return;
    case 'bust': {
      const { execId } = ask;
      const orders = gateway.accounts.flatMap(({ bound }) => [...bound.runner.orders.all()]);
      const isOne = ({ executions }: Order) => executions.some((one) => lastExecId(one) === execId);
      const order = orders.find(isOne)?.owner.key ?? '';
      await gateway.operator.amendTrade(certifier, { act: 'bust', order, execId });
    }
  }
}

async function cancelAll(gateway: Gateway): Promise<void> {
  const scopes = gateway.accounts.map(({ config }) => ({ kind: 'account', ...config }) as const);
  for (const { name } of scopes) {
    gateway.operator.reopen(certifier, name);
    gateway.operator.kill(certifier, { kind: 'account', name });
  }
  await settled('orders stay open', () =>
    gateway.accounts.every(({ bound }) => bound.runner.orders.openCount === 0),
  );
  for (const { name } of scopes) gateway.operator.release(certifier, { kind: 'account', name });
}

async function settled(otherwise: string, isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + settleWithinMs;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(otherwise);
    await pause(lookMs);
  }
}
