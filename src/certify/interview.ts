/**
 * The questionnaire for a counterparty before its certification: identity, addresses and capabilities. The answers are
 * a file. They select the scenarios and fill in their variables.
 */
import { z } from 'zod';
import { type Checked, faultList, parseYaml, readYaml } from '../runtime/yaml.ts';
import {
  type Direction,
  directions,
  type Level,
  type Play,
  type Scenario,
  scenarioId,
} from './scenario.ts';
import { tlsShape } from './test-tls.ts';

/** The features of a counterparty, with a question for each. */
export const features = {
  keepsNumbers: 'Do sequence numbers continue after a disconnect?',
  resetAtLogon: 'May a Logon reset the numbers, with ResetSeqNumFlag(141)=Y?',
  resetInSession: 'Is a reset inside the session supported, with 141=Y?',
  nextExpected: 'Does the Logon carry NextExpectedMsgSeqNum(789)?',
  credentials: 'Does the Logon carry Username(553) and Password(554)?',
  orders: 'Does it send orders?',
  ownTraffic: 'Of a client: does it send orders or requests by itself, such as after each Logon?',
  replaces: 'Does it replace orders, with OrderCancelReplaceRequest(G)?',
  massCancel: 'Does it cancel many orders at once, with OrderMassCancelRequest(q)?',
  status: 'Does it request the status of orders, with H or AF?',
  lists: 'Does it request the list of instruments, with SecurityListRequest(x)?',
  market: 'Does it send market orders?',
  gtd: 'Does it send orders that are good till a date?',
  postOnly: 'Does it send post-only orders?',
  iceberg: 'Does it send iceberg orders, with MaxFloor(111)?',
  conditionals: 'Does it send stop or take-profit orders?',
  algos: 'Does it send TWAP orders?',
  quotes: 'Does it send MassQuote(i)?',
  outcomes: 'Does it trade YES/NO outcomes?',
  stp: 'Does it choose self-trade prevention, with 9104?',
  possResend: 'Does it send orders again with PossResend(97)=Y?',
  dropCopy: 'Does it take drop copies?',
  secondReader: 'Of a server: may a second session read drop copies, which the interview names?',
  busts: 'For a server: can somebody bust a trade during the certification?',
  announces: 'For a server: does a News(B) announce maintenance before it logs out?',
  standby: 'Of a server: is there a standby that takes its address over?',
  tls: 'Does it speak TLS?',
  mutualTls: 'For a server: does it require client certificates?',
  backupSite:
    'Is there a backup site, at the address `backup`: of a server its own, of a client ours?',
  soak: 'Should its session be monitored for patience.soakS (default two days)?',
  restarts: 'For a server: can it be killed, restarted and reconfigured during the certification?',
} as const;
export type Feature = keyof typeof features;
export const featureNames = Object.keys(features) as readonly Feature[];

const compId = z.string().regex(/^[!-~]{1,32}$/, 'not a CompID: 1 to 32 printable characters');
const words = z.string().min(1).max(200);
const decimal = z.string().regex(/^\d{1,15}(\.\d{1,9})?$/, 'a decimal in quotes, such as "0.01"');
const seconds = (fallback: number) => z.int().min(1).max(86_400).default(fallback);

const waiver = z.strictObject({
  id: scenarioId,
  reason: words,
  by: words,
  until: z.iso.date().describe('it ends, and the certificate with it, when this day begins in UTC'),
});

const shape = z
  .strictObject({
    counterparty: z.strictObject({ name: words, software: words, version: words }),
    direction: z.enum(directions),
    protocol: z.enum(['fix', 'fixp']).default('fix'),
    framing: z.enum(['big', 'little']).default('big').describe('of FIXP: its framing header'),
    session: z.strictObject({
      senderCompId: compId.describe("the counterparty's SenderCompID(49)"),
      targetCompId: compId.describe("the counterparty's TargetCompID(56)"),
      heartBtInt: z.int().min(1).max(60).default(30),
    }),
    address: z.strictObject({
      host: words.default('127.0.0.1'),
      port: z.int().min(0).max(65_535).describe('ours as an acceptor, its own as an initiator'),
      backup: z
        .strictObject({ host: words, port: z.int().min(1).max(65_535) })
        .optional()
        .describe('called where the first does not answer; as an acceptor ours, a second one'),
    }),
    tls: tlsShape.optional().describe('absent: plain TCP'),
    credentials: z
      .strictObject({ username: words, passwordFile: words })
      .optional()
      .describe('a file, so that this one holds no secret'),
    reader: z
      .strictObject({ senderCompId: compId, username: words, passwordFile: words })
      .optional()
      .describe('for a server: another drop-copy reader'),
    rules: words
      .optional()
      .describe('the rules of engagement that it was given: a file, which the certificate binds'),
    features: z.array(z.enum(featureNames as [Feature, ...Feature[]])).default([]),
    instrument: z
      .strictObject({
        symbol: words.default('BTC-USDC'),
        other: words.default('ETH-USDC'),
        qty: decimal.default('0.01'),
        passive: decimal.default('40000'),
        cross: decimal.default('50000'),
        otherQty: decimal.default('0.1'),
        otherPrice: decimal.default('2000'),
      })
      .prefault({}),
    patience: z
      .strictObject({
        connectS: seconds(60),
        answerS: seconds(5),
        promptS: seconds(600),
        soakS: z.int().min(1).max(604_800).default(172_800),
      })
      .prefault({}),
    waivers: z.array(waiver).max(100).default([]),
  })
  .refine(({ protocol, credentials }) => protocol === 'fix' || credentials !== undefined, {
    path: ['credentials'],
    message: 'a FIXP session is found by the user in its Credentials',
  })
  .refine(({ features, reader }) => !features.includes('secondReader') || reader !== undefined, {
    path: ['reader'],
    message: "secondReader needs the second reader's session",
  })
  .refine(({ address, features }) => !features.includes('backupSite') || address.backup, {
    path: ['address', 'backup'],
    message: 'backupSite needs the backup address',
  })
  .refine(({ direction, tls }) => tls === undefined || direction !== 'acceptor' || tls.own, {
    path: ['tls', 'own'],
    message: 'a TLS server needs a certificate',
  });

export type Interview = z.output<typeof shape>;
export class InterviewError extends Error {}

export function readInterview(file: string): Interview {
  return accepted(readYaml(file, shape), file);
}

export function parseInterview(text: string, name: string): Interview {
  return accepted(parseYaml(text, name, shape), name);
}

function accepted(checked: Checked<Interview>, name: string): Interview {
  if (checked.kind === 'value') return checked.value;
  throw new InterviewError(faultList(`${name} is not an interview:`, checked.faults));
}

export interface Selected {
  readonly scenario: Scenario;
  readonly play: Play;
  readonly level: Level;
}

/** The feature that a whole family of scenarios requires. */
const featureOfFamily: Readonly<Record<string, Feature>> = {
  O: 'orders',
  X: 'orders',
  R: 'orders',
  Q: 'orders',
  V: 'orders',
  D: 'dropCopy',
};

/** Returns the scenarios of a direction, with their level in it. */
export function ofDirection(
  scenarios: readonly Scenario[],
  direction: Direction,
): readonly Selected[] {
  return scenarios.flatMap((scenario) => {
    const play = scenario.plays[direction];
    return play === undefined ? [] : [{ scenario, play, level: play.level ?? scenario.level }];
  });
}

/** Returns those that the answers select. */
export function select(
  scenarios: readonly Scenario[],
  { direction, protocol, features: own }: Pick<Interview, 'direction' | 'protocol' | 'features'>,
): readonly Selected[] {
  const has = (feature: string | undefined) =>
    feature === undefined || own.includes(feature as Feature);
  return ofDirection(scenarios, direction).filter(({ scenario, play }) => {
    const isFor = has(featureOfFamily[scenario.id.charAt(0)]);
    return scenario.protocol === protocol && isFor && has(scenario.when) && has(play.when);
  });
}

/** A template with every question, to be completed. */
export function interviewTemplate(direction: Direction): string {
  const asked = featureNames.map((name) => `  # - ${name.padEnd(14)} # ${features[name]}`);
  return [
    '# Answers once; "causeway certify run" reads them.',
    'counterparty: { name: Example Capital, software: Example OMS, version: "1.0" }',
    `direction: ${direction}   # acceptor: the counterparty connects to us; initiator: we connect to it`,
    'protocol: fix            # or fixp; then credentials are needed, and heartBtInt is the keep-alive interval',
    '# The CompIDs as the counterparty sends them, in SenderCompID(49) and TargetCompID(56).',
    'session: { senderCompId: EXAMPLE, targetCompId: CAUSEWAY, heartBtInt: 30 }',
    'address: { host: 127.0.0.1, port: 9890 }',
    '# credentials: { username: example, passwordFile: example.password }',
    '# rules: rules.md   # what "causeway roe" wrote for it; a certificate needs it',
    '# tls: { own: { certFile: desk.crt, keyFile: desk.key }, caFile: counterparty-ca.crt }',
    'features:',
    '  - orders         # leave out what it does not do',
    ...asked.filter((line) => !line.startsWith('  # - orders ')),
    'instrument: { symbol: BTC-USDC, other: ETH-USDC, qty: "0.01", passive: "40000", cross: "50000" }',
    'patience: { connectS: 60, answerS: 5, promptS: 600 }',
    'waivers: []   # - { id: S-24, reason: accepted until the next release, by: J. Doe, until: 2027-06-30 }',
    '',
  ].join('\n');
}
