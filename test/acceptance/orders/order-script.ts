/**
 * Order scenarios as text that reads like documentation, played over real sockets against the whole bridge:
 *
 *   ## O-01 Limit order, acknowledged and filled     a scenario; lines without a colon are prose
 *   ALPHA: D|11=o1|55=BTC-USDC|54=1|38=1|40=2|44=100|59=1    a session sends; 34, 52, 60 are filled in
 *   alpha: 8|11=o1|150=0|39=0|9110=*|-58             … and must hear next a message with these fields:
 *                                                    `*` is any value, `a*` and `*a` begin and end with a, `-58` must be absent, others do not matter
 *   alpha: until 8|11=o1|150=F                       … must hear such a message, behind others
 *   alpha: 8|11=o1|150=0 & 8|11=o2|150=0             … must hear these next, whichever comes first
 *   alpha: nothing                                   … must hear nothing
 *   venue: POST /gates {"tradingHalted": true}       the venue's operator does something
 *   bridge: is at rest                               no order waits for the venue's word any more
 *   ALPHA: hangs up | logs on | logs on anew         the connection ends, or begins again with 141=N, or 141=Y
 *   keep: alpha 37 as first                          a field of the last message heard, later written $first;
 *                                                    $deskA and $deskB are the venue's accounts of ALPHA and BRAVO
 *
 * How long an outcome stays unknown hangs on the machine: the report of it (9101=106) is passed over where no line wants it.
 * ClOrdIDs are made unique by the scenario's number, so that all share one bridge and one journal.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoSession } from '../../../src/cli/demo-files.ts';
import type { Bridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../../support/fix-peer.ts';

const patienceMs = 8_000;
const unknownYet = '9101=106';

export interface OrderScenario {
  readonly title: string;
  readonly steps: readonly { readonly line: number; readonly who: string; readonly text: string }[];
}

export function readOrderScenarios(file: string): OrderScenario[] {
  const scenarios: { title: string; steps: OrderScenario['steps'][number][] }[] = [];
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('## ')) {
      scenarios.push({ title: line.slice(3).trim(), steps: [] });
      continue;
    }
    const [, who, text] =
      /^(ALPHA|BRAVO|CHARLIE|DROP|MARKET|alpha|bravo|charlie|drop|market|venue|bridge|keep): (.*)$/.exec(
        line,
      ) ?? [];
    if (who === undefined || text === undefined) continue;
    scenarios.at(-1)?.steps.push({ line: index + 1, who, text: text.trim() });
  }
  return scenarios;
}

/** A client, whatever it speaks, in the words of the scripts. */
export type OrderPeer = Pick<
  FixPeer,
  'hangUp' | 'heard' | 'isClosed' | 'logon' | 'next' | 'nextOut' | 'say' | 'unasked'
>;

export type Connect = (
  bridge: Bridge,
  session: DemoSession,
  before: OrderPeer | undefined,
) => Promise<OrderPeer>;

const connectFix: Connect = ({ gateway }, session) => FixPeer.connect(gateway.port, session);

/** Plays scenarios one after the other; sessions stay logged on. */
export class OrderPlayer {
  readonly #bridge: Bridge;
  readonly #connecting: Connect;
  readonly #peers = new Map<string, OrderPeer>();
  readonly #last = new Map<string, string>();
  #kept = new Map<string, string>();
  /** What was heard of the scenario so far, by whom. */
  readonly transcript: string[] = [];
  #count = 0;
  #probes = 0;

  /** `connect` opens a connection of one protocol; what a session keeps it finds at the peer before. */
  constructor(bridge: Bridge, connect: Connect = connectFix) {
    this.#bridge = bridge;
    this.#connecting = connect;
  }

  /** All sessions log on, so that nothing waits for one of them. */
  async start(): Promise<void> {
    for (const { senderCompId } of this.#bridge.sessions) await this.#peer(senderCompId);
  }

  async play({ title, steps }: OrderScenario): Promise<void> {
    this.#count += 1;
    this.#kept = this.#accounts();
    this.transcript.length = 0;
    try {
      for (const step of steps) await this.#checked(title, step);
    } finally {
      await this.#tidy(title);
    }
  }

  async #checked(title: string, { line, who, text }: OrderScenario['steps'][number]) {
    try {
      await this.#step(who, this.#filled(text));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${title}, line ${line}: ${who}: ${text}\n${why}`);
    }
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.hangUp();
  }

  async #step(who: string, text: string): Promise<void> {
    if (who === 'venue') {
      const [, method = '', path = '', body] = /^(\S+) (\S+) ?(\{.*\})?$/.exec(text) ?? [];
      await this.#bridge.admin(method, path, body === undefined ? undefined : JSON.parse(body));
    } else if (who === 'bridge') {
      await this.#until(() => !this.#isBusy(), 'an order still waits for the venue');
    } else if (who === 'keep') {
      const [, session = '', tag = '', name = ''] = /^(\w+) (\d+) as (\w+)$/.exec(text) ?? [];
      const value = fieldOf(this.#last.get(session) ?? '', tag);
      if (value === undefined) throw new Error(`${session} has heard no ${tag}`);
      this.#kept.set(name, value);
    } else if (who === who.toUpperCase()) await this.#says(who, text);
    else await this.#hears(who, text);
  }

  async #says(who: string, text: string): Promise<void> {
    if (text === 'hangs up') {
      this.#peers.get(who)?.hangUp();
      return;
    }
    if (text === 'logs on') {
      const before = this.#peers.get(who);
      const peer = await this.#connect(who);
      peer.nextOut = before?.nextOut ?? 1;
      const answer = await peer.logon('');
      if (typeOf(answer) !== 'A') throw new Error(`logon: ${answer}`);
      return;
    }
    if (text === 'logs on anew') {
      const answer = await (await this.#connect(who)).logon();
      if (typeOf(answer) !== 'A') throw new Error(`logon: ${answer}`);
      return;
    }
    const peer = await this.#peer(who);
    const isOrder = /^(D|F|G|q)\|/.test(text) && !text.includes('|60=');
    peer.say(isOrder ? `${text}|60=now` : text);
  }

  async #hears(who: string, text: string): Promise<void> {
    const peer = await this.#peer(who.toUpperCase());
    if (text === 'nothing') {
      await new Promise((done) => setTimeout(done, 150));
      const unasked = peer.unasked();
      if (unasked.length > 0) throw new Error(`heard ${unasked.join('\n')}`);
      return;
    }
    const later = /^until (.*)$/.exec(text)?.[1];
    const wanted = later === undefined ? text.split(' & ') : [later];
    const heard: string[] = [];
    for (const each of wanted) {
      heard.push(
        later === undefined
          ? await nextOf(peer, each)
          : await peer.next((one) => disagreement(later, one) === undefined),
      );
    }
    // In the order of the script, so that both lanes tell the same.
    for (const each of wanted) {
      const found = heard.findIndex((message) => disagreement(each, message) === undefined);
      const [message = ''] = heard.splice(Math.max(found, 0), 1);
      if (found < 0) throw new Error(`${disagreement(each, message)}\n  in ${message}`);
      this.#last.set(who, message);
      this.transcript.push(`${who}: ${message}`);
    }
  }

  async #peer(who: string): Promise<OrderPeer> {
    const known = this.#peers.get(who);
    if (known !== undefined && !known.isClosed) return known;
    const peer = await this.#connect(who);
    const answer = await peer.logon();
    if (typeOf(answer) !== 'A') throw new Error(`logon: ${answer}`);
    await this.#settled(peer);
    return peer;
  }

  async #connect(who: string): Promise<OrderPeer> {
    const session = this.#bridge.user(who);
    const peer = await this.#connecting(this.#bridge, session, this.#peers.get(who));
    this.#peers.set(who, peer);
    return peer;
  }

  #accounts(): Map<string, string> {
    const [deskA, deskB] = this.#bridge.sandbox.info.accounts.map(({ account }) => account);
    return new Map([
      ['deskA', deskA ?? ''],
      ['deskB', deskB ?? ''],
    ]);
  }

  /** `11=o1` is the scenario's own name, so that no two scenarios share a ClOrdID. */
  #filled(text: string): string {
    return text
      .replace(/\$(\w+)/g, (whole, name: string) => this.#kept.get(name) ?? whole)
      .replace(/\|(11|41|117|262|320|324|335|568|584|790|9120)=(?!\*)/g, `|$1=${this.#count}-`);
  }

  /** Nothing of one scenario may reach the next: faults off, every order canceled, everything heard. */
  async #tidy(title: string): Promise<void> {
    await this.#bridge.admin('POST', '/reset');
    const { gateway } = this.#bridge;
    for (const { config } of gateway.accounts) {
      gateway.operator.reopen({ who: 'script', why: 'the script goes on' }, config.name);
    }
    for (const [who, peer] of this.#peers) {
      if (peer.isClosed || who === 'DROP' || who === 'MARKET') continue;
      const id = `tidy-${this.#count}`;
      peer.say(`q|11=${id}|530=7|60=now`);
      await peer.next((message) => typeOf(message) === 'r' && fieldOf(message, '11') === id);
    }
    await this.#emptied(title);
    for (const peer of this.#peers.values()) await this.#settled(peer);
  }

  /** All that was said before the answer to a TestRequest has been heard by then. */
  async #settled(peer: OrderPeer): Promise<void> {
    if (peer.isClosed) return;
    this.#probes += 1;
    const id = `probe-${this.#probes}`;
    peer.say(`1|112=${id}`);
    await peer.next((message) => typeOf(message) === '0' && fieldOf(message, '112') === id);
    peer.unasked();
  }

  /** No order is open, and every reader of copies that is here has been sent all. */
  async #emptied(title: string): Promise<void> {
    const { accounts, copies } = this.#bridge.gateway;
    const isOpen = () => accounts.some(({ bound }) => bound.runner.orders.openCount > 0);
    const isBehind = () => copies.relay.readers.some(({ behind, isHere }) => isHere && behind > 0);
    const text = `${title}: orders are left open, or copies untold`;
    await this.#until(() => !isOpen() && !isBehind(), text);
  }

  #isBusy(): boolean {
    return this.#bridge.gateway.accounts.some(({ bound }) => bound.runner.isBusy);
  }

  async #until(isSo: () => boolean, complaint: string): Promise<void> {
    const endMs = Date.now() + patienceMs;
    while (!isSo()) {
      if (Date.now() > endMs) throw new Error(complaint);
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}

/** The next message that a script speaks of: of the session's layer only where one is wanted. */
async function nextOf(peer: OrderPeer, wanted: string): Promise<string> {
  const isOfSession = /^[0-5A]$/.test(wanted.split('|')[0] ?? '');
  for (;;) {
    const message = isOfSession ? await peer.next(() => true) : await peer.heard();
    if (wanted.includes(unknownYet) || !message.includes(`|${unknownYet}|`)) return message;
  }
}

function disagreement(wanted: string, message: string): string | undefined {
  const [type = '', ...fields] = wanted.split('|').filter((field) => field !== '');
  if (type !== '*' && typeOf(message) !== type)
    return `wanted 35=${type}, got 35=${typeOf(message)}`;
  for (const field of fields) {
    if (/^-\d+$/.test(field)) {
      const value = fieldOf(message, field.slice(1));
      if (value !== undefined) return `wanted no ${field.slice(1)}, got ${value}`;
      continue;
    }
    const [tag = '', value = ''] = [
      field.slice(0, field.indexOf('=')),
      field.slice(field.indexOf('=') + 1),
    ];
    const said = fieldOf(message, tag);
    const isSame =
      value === '*'
        ? said !== undefined
        : value.endsWith('*')
          ? said?.startsWith(value.slice(0, -1)) === true
          : value.startsWith('*')
            ? said?.endsWith(value.slice(1)) === true
            : said === value;
    if (!isSame) return `wanted ${field}, got ${said === undefined ? 'none' : `${tag}=${said}`}`;
  }
  return undefined;
}
