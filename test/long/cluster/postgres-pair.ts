/**
 * A primary and a synchronous standby, which is promoted when the primary is lost, as a failover manager does. It is a process of its
 * own, because making a standby takes a second in which the clients of the run must not stop.
 */
import { PostgresServer } from '../../support/postgres.ts';
import { type ClusterDatabase, type Loss, serveDatabase } from './database.ts';

/** How long a failover manager takes to notice. */
const noticeMs = 500;
/** How long a primary that had only hung, or was cut off, still runs beside the next one. */
const besideMs = 3_000;

class PostgresPair implements ClusterDatabase {
  readonly #servers: PostgresServer[];
  primary = 0;
  onCut: (place: number, isCut: boolean) => void = () => {};
  onMoved: (place: number, port: number) => void = () => {};
  onRepaired: (text: string) => void = () => {};

  static async start(): Promise<PostgresPair> {
    const primary = await PostgresServer.start();
    const pair = new PostgresPair([primary, await primary.standby()]);
    await pair.#setSynchronous(true);
    return pair;
  }

  private constructor(servers: PostgresServer[]) {
    this.#servers = servers;
  }

  get ports(): readonly number[] {
    return this.#servers.map(({ port }) => port);
  }

  async lose(loss: Loss): Promise<void> {
    const lost = this.primary;
    const old = this.#server(lost);
    if (loss === 'kill') await old.kill();
    else if (loss === 'stop') old.pause();
    else this.onCut(lost, true);
    await sleep(noticeMs);
    this.primary = 1 - lost;
    this.#server(this.primary).promote();
    await this.#setSynchronous(false);
    if (loss !== 'kill') {
      // It comes back, and does not know that it has been replaced.
      old.resume();
      this.onCut(lost, false);
      await sleep(besideMs);
    }
    await old.stop();
    const standby = await this.#server(this.primary).standby();
    this.#servers[lost] = standby;
    this.onMoved(lost, standby.port);
    await this.#setSynchronous(true);
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
  }

  #server(place: number): PostgresServer {
    const server = this.#servers[place];
    if (server === undefined) throw new Error(`no server ${place}`);
    return server;
  }

  async #setSynchronous(isOn: boolean): Promise<void> {
    const admin = await this.#server(this.primary).admin();
    await admin.run(`alter system set synchronous_standby_names = '${isOn ? '*' : ''}'`);
    await admin.run('select pg_reload_conf()');
    await admin.close();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

await serveDatabase(await PostgresPair.start());
