/** What an operator may ask for at the console: each act by its name, with the form of what it must say. */
import { z } from 'zod';
import type { Actor, Operator } from '../gateway/operator.ts';

const why = z.string().trim().min(3, 'say why, for the audit chain').max(200);
const session = z.string().min(1).max(200);
const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({ kind: z.enum(['account', 'session']), name: z.string().min(1).max(200) }),
]);

export const actShape = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.enum(['start', 'stop', 'logout', 'reset', 'test_request']),
    session,
    why,
  }),
  z.strictObject({ act: z.literal('set_numbers'), session, nextIn: number, nextOut: number, why }),
  /** The second confirmation: the word that the page asks to be typed. */
  z.strictObject({ act: z.literal('kill'), scope, why, confirm: z.literal('KILL') }),
  z.strictObject({ act: z.literal('release'), scope, why }),
  z.strictObject({ act: z.literal('reopen'), account: z.string().min(1).max(100), why }),
]);
export type AskedAct = z.output<typeof actShape>;

/** What came of it, for the page to say. */
export function carryOut(operator: Operator, who: string, asked: AskedAct): string {
  const by: Actor = { who, why: asked.why };
  switch (asked.act) {
    case 'kill': {
      const count = operator.kill(by, asked.scope);
      return `The kill switch is on; ${count} orders are being canceled.`;
    }
    case 'release':
      return operator.release(by, asked.scope)
        ? 'The kill switch is off.'
        : 'It was not on for this scope.';
    case 'reopen':
      operator.reopen(by, asked.account);
      return `Account ${asked.account} is open.`;
    case 'set_numbers': {
      const { nextIn, nextOut } = asked;
      operator.session(by, asked.session, { kind: 'set_numbers', nextIn, nextOut });
      return `Next in is ${nextIn}, next out is ${nextOut}.`;
    }
    case 'start':
    case 'stop':
    case 'logout':
    case 'reset':
    case 'test_request':
      operator.session(by, asked.session, { kind: asked.act });
      return `Done: ${asked.act.replace('_', ' ')} ${asked.session}`;
  }
}
