/** Acts upon the bridge itself, such as a kill, as scenarios write them: `bridge: kill`. */

/** What may be done to a bridge, in the words of a prompt: of a counterparty's server, somebody there does it. */
export const bridgeActs = {
  kill: 'Kill the server at once, as kill -9 does',
  stop: 'Stop the server in good order',
  start: 'Start the server',
  damage: 'Keep a copy of the store, and overwrite a part of it',
  'start in vain': 'Start the server on the damaged store: it must refuse',
  repair: 'Put the store back as it was',
  set: 'Let the running server read its configuration again, with this changed of the session:',
} as const;
export type BridgeActKind = keyof typeof bridgeActs;

export interface BridgeAct {
  readonly kind: BridgeActKind;
  /** Of `set`: keys of the session in the configuration. */
  readonly changes: Readonly<Record<string, unknown>>;
}

export class BridgeActError extends Error {}

export function readBridgeAct(text: string): BridgeAct {
  const [, word = '', json] = /^([a-z ]+?)(?: (\{.*\}))?$/.exec(text) ?? [];
  const kind = Object.keys(bridgeActs).find((one) => one === word) as BridgeActKind | undefined;
  if (kind === undefined || (json !== undefined) !== (kind === 'set')) {
    const known = Object.keys(bridgeActs).join(', ');
    throw new BridgeActError(`"${text}" is no act upon a bridge: ${known}; only set has {…}`);
  }
  if (json === undefined) return { kind, changes: {} };
  try {
    return { kind, changes: JSON.parse(json) };
  } catch {
    throw new BridgeActError(`${json} is not JSON`);
  }
}

/** What a person is asked to do. */
export function bridgeActText(text: string): string {
  const { kind } = readBridgeAct(text);
  return kind === 'set' ? `${bridgeActs.set} ${text.slice('set '.length)}` : bridgeActs[kind];
}
