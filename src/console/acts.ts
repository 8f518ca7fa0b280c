/** What an operator may ask for at the console: each act by its name, with the form of what it must say. */
import { z } from 'zod';
import { type Actor, ActRefused, type Operator } from '../gateway/operator.ts';
import type { CertificationDesk } from './certification-desk.ts';

const why = z.string().trim().min(3, 'say why, for the audit chain').max(200);
const session = z.string().min(1).max(200);
const folder = z.string().min(1).max(200);
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
  z.strictObject({
    act: z.literal('certify'),
    folder,
    /** All that the interview selects, where none is named. */
    only: z
      .array(z.string().regex(/^[A-Z]-\d\d[a-z]?$/))
      .max(500)
      .default([]),
    why,
  }),
  z.strictObject({ act: z.literal('certify_stop'), folder, why }),
]);
export type AskedAct = z.output<typeof actShape>;

export interface ActParts {
  readonly operator: Operator;
  /** Undefined where none is configured. */
  readonly certification: CertificationDesk | undefined;
}

/** What came of it, for the page to say. */
export function carryOut(parts: ActParts, who: string, asked: AskedAct): string {
  const { operator } = parts;
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
    case 'certify':
      deskOf(parts).start(asked.folder, asked.only);
      operator.beside(by, 'certify', `certification ${asked.folder}`, { only: asked.only });
      return `The certification of ${asked.folder} has begun.`;
    case 'certify_stop':
      deskOf(parts).stop(asked.folder);
      operator.beside(by, 'certify_stop', `certification ${asked.folder}`, null);
      return `The certification of ${asked.folder} ends.`;
    case 'start':
    case 'stop':
    case 'logout':
    case 'reset':
    case 'test_request':
      operator.session(by, asked.session, { kind: asked.act });
      return `Done: ${asked.act.replace('_', ' ')} ${asked.session}`;
  }
}

function deskOf({ certification }: ActParts): CertificationDesk {
  if (certification === undefined)
    throw new ActRefused('console.certificationDir is not configured');
  return certification;
}
