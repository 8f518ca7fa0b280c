/** Acts on the bridge itself, such as a kill, in the form that scenarios use: `bridge: kill`. */

import { LineError } from './line.ts';

/** The operations on a bridge, with the wording of a prompt for the staff of a counterparty's server. */
export const bridgeActs = {
  kill: 'Kill the server at once, as kill -9 does',
  stop: 'Stop the server in good order',
  start: 'Start the server',
  'fail over': 'Kill the server, and have its standby take over its address',
  'lose site': 'Kill the server, and have the backup site continue at its own address',
  damage: 'Keep a copy of the store, and overwrite a part of it',
  'start in vain': 'Start the server on the damaged store: it must refuse',
  repair: 'Put the store back as it was',
  'signer off': 'Stop the process that signs',
  'signer on': 'Start the process that signs',
  set: 'Let the running server read its configuration again, with this changed of the session:',
  bust: 'Bust the trade with this ExecID(17):',
  hours: 'Let the hours of the session end and begin again in so many seconds:',
  numbers:
    'Set the sequence numbers of the session, which has no connection now, and keep nothing from before:',
} as const;
export type BridgeActKind = keyof typeof bridgeActs;

/** Acts with details in JSON; those of `set` are keys of the session's configuration. */
const detailed: ReadonlySet<BridgeActKind> = new Set(['bust', 'set', 'hours', 'numbers']);

export interface BridgeAct {
  readonly kind: BridgeActKind;
  readonly details: Readonly<Record<string, unknown>>;
}

export function readBridgeAct(text: string): BridgeAct {
  const [, word = '', json] = /^([a-z ]+?)(?: (\{.*\}))?$/.exec(text) ?? [];
  const kind = Object.keys(bridgeActs).find((one) => one === word) as BridgeActKind | undefined;
  if (kind === undefined || (json !== undefined) !== detailed.has(kind)) {
    const known = Object.keys(bridgeActs).join(', ');
    const more = [...detailed].join(', ');
    throw new LineError(`"${text}" is not an operation on a bridge: ${known}; with {…}: ${more}`);
  }
  if (json === undefined) return { kind, details: {} };
  try {
    return { kind, details: JSON.parse(json) };
  } catch {
    throw new LineError(`${json} is not JSON`);
  }
}

/** The instruction for a person. */
export function bridgeActText(text: string): string {
  const { kind } = readBridgeAct(text);
  return detailed.has(kind)
    ? `${bridgeActs[kind]} ${text.slice(kind.length + 1)}`
    : bridgeActs[kind];
}
