/** What the end of a connection means for the orders of its client: as configured, or as a FIXP client chooses. */
import type { Dice } from './dice.ts';

interface Plan {
  readonly cancelOnDisconnect: { readonly when?: string; readonly graceMs?: number };
}

/** `graceful`: only an end in good order cancels. */
export interface PartingRule {
  readonly when: 'off' | 'abrupt' | 'graceful' | 'always';
  readonly graceMs: number;
}

/** As an Establish states them; null: as configured. */
const choices = {
  Never: 'off',
  OnDisconnect: 'abrupt',
  OnTerminate: 'graceful',
  OnDisconnectOrTerminate: 'always',
} as const;

export type Choice = Readonly<{ type: keyof typeof choices | null; windowMs: number | null }>;

export function chosenRule(dice: Dice): Choice {
  const types = Object.keys(choices) as (keyof typeof choices)[];
  return { type: dice.pick([null, ...types]), windowMs: dice.pick([null, 0, 1_000, 3_000]) };
}

export function ruleOf({ cancelOnDisconnect }: Plan, choice?: Choice): PartingRule {
  const { graceMs = 0, when = 'off' } = cancelOnDisconnect;
  const type = choice?.type ?? null;
  return {
    when: type === null ? (when as PartingRule['when']) : choices[type],
    graceMs: choice?.windowMs ?? graceMs,
  };
}
