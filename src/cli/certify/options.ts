/** The options of `causeway certify`, for all of its actions. */
import { directions } from '../../certify/scenario.ts';
import { choice, flag, integer, text } from '../options.ts';
import type { Values } from '../verb.ts';

export const options = {
  interview: text('FILE', 'the answers of the counterparty'),
  out: text(
    'DIR',
    'where the run, its reports and its certificate are kept',
    './certification-run',
  ),
  only: text('IDS', 'only these scenarios, such as S-01,X-03'),
  direction: choice(directions, 'what we are: the counterparty connects, or we do', 'acceptor'),
  attended: flag('unattended: skip scenarios that need a person', true),
  hand: text('COMMAND', 'a program that acts on prompts, which it reads as JSON lines'),
  events: flag('print what happens, one JSON line each, for a program that watches'),
  key: text(
    'FILE',
    'our Ed25519 key in PEM, created if it does not exist: it signs evidence and certificates',
  ),
  days: integer('N', 'for certificate: how long it is valid', { least: 1, most: 730 }, 365),
  issuer: text('KEY', "for verify, needed: the issuer's public key in base64"),
  through: text('HOST:PORT', 'for passive: relay between a client and this server'),
  evidence: text('DIR', 'for verify: the folder of the run that it was given for'),
  catalogue: text('DIR', 'other scenarios than those shipped'),
} as const;

export type Asked = Values<typeof options> & { readonly json: boolean };
