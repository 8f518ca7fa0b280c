/** Signers of tests that record in one ledger in PostgreSQL, and the server to which things happen. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { localKey } from '../../src/signer/key-holder.ts';
import type { MarketLimit, Policy } from '../../src/signer/policy.ts';
import { PostgresLedger, type PostgresLedgerOptions } from '../../src/signer/postgres-ledger.ts';
import type { SignerCore } from '../../src/signer/signer-core.ts';
import type { Connection, DatabasePlace } from '../../src/store/postgres/connection.ts';
import { PostgresServer, signerRole } from '../support/postgres.ts';
import { coreWith, ecdsa, envelope, openPolicy, request, secretKey } from './signer-samples.ts';

export const today = () => new ManualClock(Date.now());

export const kindOf = async (core: SignerCore, ...of: Parameters<typeof envelope>) => {
  const result = await core.sign(request(envelope(...of)));
  return result.kind === 'signed' ? 'signed' : result.code;
};

export const limited = (daily: MarketLimit['daily']): Partial<Policy> => ({
  markets: new Map([
    [
      1,
      {
        notional: 10n ** 12n,
        qty: { Bid: 10n ** 6n, Ask: 10n ** 6n },
        price: { Bid: null, Ask: null },
        daily,
      },
    ],
  ]),
});

/** A server for the file, and a ledger for each of its tests. */
export class LedgerSigners {
  readonly alarms: string[] = [];
  readonly #open: PostgresLedger[] = [];
  #server: PostgresServer | undefined;
  #admin: Connection | undefined;
  #place: DatabasePlace | undefined;

  constructor() {
    beforeAll(async () => {
      this.#server = await PostgresServer.start({ fsync: 'off' });
    });
    beforeEach(async () => {
      this.#place = await this.server.ledger();
      await this.reconnect();
    });
    afterEach(async () => {
      await this.close();
      await this.admin.close();
      this.alarms.length = 0;
    });
    afterAll(() => this.server.stop());
  }

  get server(): PostgresServer {
    return present(this.#server);
  }

  get admin(): Connection {
    return present(this.#admin);
  }

  get place(): DatabasePlace {
    return present(this.#place);
  }

  async reconnect(): Promise<void> {
    this.#admin = await this.server.admin(this.place.database);
    // To end a backend that has just ended by itself is a warning, and a connection is given up after one.
    await this.admin.run('set client_min_messages = error');
  }

  readonly ledgerOf = async (
    more: Partial<PostgresLedgerOptions> = {},
  ): Promise<PostgresLedger> => {
    const ledger = await PostgresLedger.open({
      place: this.place,
      durability: 'power',
      environment: 'local',
      mayCreate: true,
      alarm: (text, code) => code !== 'ledger_unsafe' && this.alarms.push(text),
      // A busy machine must not look like a database that is away.
      answerMs: 5000,
      ...more,
    });
    this.#open.push(ledger);
    return ledger;
  };

  readonly coreOf = async (
    policy: Partial<Policy> = {},
    more: Partial<PostgresLedgerOptions> = {},
  ): Promise<SignerCore> => {
    const keys = [{ holder: localKey(ecdsa, secretKey()), policy: { ...openPolicy, ...policy } }];
    const alarm = (text: string) => this.alarms.push(text);
    return coreWith({ keys, ledger: await this.ledgerOf(more), clock: today(), alarm });
  };

  readonly killAll = () =>
    this.admin.query({
      text: 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      values: [signerRole],
    });

  async close(): Promise<void> {
    for (const ledger of this.#open.splice(0)) await ledger.close();
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server has not started');
  return value;
}
