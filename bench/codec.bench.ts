/**
 * The FIX codec on one thread, against the two engines that its users know: jspurefix (parse to a view) and QuickFIX
 * C++ (parse with the dictionary), all in one run. QuickFIX is compiled here where Debian's libquickfix-dev is.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decoder } from '../src/fix/decoder.ts';
import { fix44 } from '../src/fix/dictionaries.ts';
import { FieldWriter } from '../src/fix/field-writer.ts';
import { Framer } from '../src/fix/framer.ts';
import { Validator } from '../src/fix/validator.ts';
import { jspurefixHome, jspurefixRequire } from '../test/support/jspurefix.ts';
import type { Row } from './main.ts';

const nowMs = Date.UTC(2026, 10, 21, 10, 38, 16, 123);
const rounds = 7;
const inPiece = 16;
const dictionaryPath = join(import.meta.dirname, '../dictionaries/FIX44.xml');

function newOrderSingle(): Uint8Array {
  const framer = new Framer({
    senderCompId: 'BUYSIDE',
    targetCompId: 'CAUSEWAY',
    senderSubId: 'DESK1',
  });
  const body = new FieldWriter()
    .text(11, 'ORD-20261121-000017')
    .text(1, 'ACCOUNT-01')
    .char(21, '1')
    .text(55, 'BTC-USDC')
    .text(48, '1')
    .char(22, '8')
    .char(54, '1')
    .utc(60, nowMs)
    .decimal(38, 1_500_000n, 6)
    .char(40, '2')
    .decimal(44, 5_000_010n, 2)
    .text(15, 'USDC')
    .char(59, '1')
    .text(18, '6')
    .text(58, 'desk note 17');
  return framer.frame('D', 1017, nowMs, body.bytes).slice();
}

/** Messages per second of the best of some rounds, so that a noisy neighbour counts less. */
function best(messages: number, run: () => void): number {
  let perSecond = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    perSecond = Math.max(perSecond, (messages * 1000) / (performance.now() - start));
  }
  return perSecond;
}

function repeated(message: Uint8Array): Uint8Array {
  return Buffer.concat(new Array(inPiece).fill(message));
}

function decode(message: Uint8Array, isValidated: boolean): number {
  const decoder = new Decoder(fix44());
  const validator = new Validator(fix44());
  const piece = repeated(message);
  const pieces = 15_000;
  return best(pieces * inPiece, () => {
    let seen = 0;
    for (let i = 0; i < pieces; i++) {
      decoder.push(piece);
      while (decoder.next() === 'message') {
        const order = decoder.message;
        if (isValidated && validator.validate(order) !== undefined) throw new Error('not valid');
        if (order.text(11) === undefined || order.text(55) === undefined)
          throw new Error('no text');
        if (order.text(44) !== '50000.1') throw new Error('wrong price');
        seen += order.int(34) ?? 0;
      }
    }
    if (seen !== pieces * inPiece * 1017) throw new Error('messages are missing');
  });
}

function encode(): { perSecond: number; bytes: number } {
  const framer = new Framer({
    senderCompId: 'CAUSEWAY',
    targetCompId: 'BUYSIDE',
  });
  const body = new FieldWriter();
  const messages = 200_000;
  let bytes = 0;
  const report = (i: number) => {
    body.clear();
    body.text(37, '0x9841a689a6ce65d86db2f456c68cd55b62dc2f10');
    body.text(11, 'ORD-20261121-000017').text(17, 'A1-100017-0').char(150, 'F').char(39, '1');
    body.text(1, 'ACCOUNT-01').text(55, 'BTC-USDC').char(54, '1').decimal(38, 1_500_000n, 6);
    body.char(40, '2').decimal(44, 5_000_010n, 2).char(59, '1').decimal(32, 250_000n, 6);
    body.decimal(31, 5_000_010n, 2).decimal(151, 1_250_000n, 6).decimal(14, 250_000n, 6);
    body
      .decimal(6, 5_000_010n, 2)
      .utc(60, nowMs + i)
      .int(9110, 100_017 + i);
    bytes = framer.frame('8', i, nowMs + i, body.bytes).length;
    framer.clear();
  };
  const perSecond = best(messages, () => {
    for (let i = 1; i <= messages; i++) report(i);
  });
  return { perSecond, bytes };
}

interface ParseCase {
  setup(): void;
  run(operations: number): number;
  teardown(): void;
}

/** The parser's own benchmark case: bytes to a view, no field read. */
async function jspurefix(message: Uint8Array): Promise<number> {
  const load = jspurefixRequire();
  const home = jspurefixHome();
  const { SessionContainer, DefinitionFactory, DITokens } = load('jspurefix');
  const { ParseCase } = load(join(home, 'dist/benchmark'));
  const system = new SessionContainer();
  system.registerGlobal('error');
  const session = load(join(home, 'data/session/test-initiator.json'));
  // Its own choice is unpacked by an install script, and installs work with scripts off.
  const application = { ...session.application, dictionary: 'qf44' };
  const container = await system.makeSystem({ ...session, application });
  const config = container.resolve(DITokens.IJsFixConfig);
  config.definitions = await new DefinitionFactory().getDefinitions('qf44');
  config.delimiter = 1;
  const contents = Buffer.from(repeated(message)).toString('latin1');
  const parse: ParseCase = new ParseCase('view', { config, contents, depth: 'view' });
  parse.setup();
  const messages = 1500 * inPiece;
  const perSecond = best(messages, () => {
    if (parse.run(messages) !== messages) throw new Error('jspurefix lost messages');
  });
  parse.teardown();
  return perSecond;
}

/** Undefined where there is no compiler or no libquickfix-dev. */
function quickFix(message: Uint8Array): number | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  try {
    const program = join(folder, 'quickfix-parse');
    const source = join(import.meta.dirname, 'quickfix-parse.cpp');
    const flags = ['-O2', '-std=c++14', '-w', source, '-o', program, '-lquickfix'];
    if (spawnSync('g++', flags).status !== 0) return undefined;
    const line = Buffer.from(message).toString('latin1').replaceAll('\x01', '|');
    const input = `${line}\n`.repeat(rounds);
    const output = execFileSync(program, [dictionaryPath, '20000'], { input, encoding: 'utf8' });
    return Math.max(...output.trim().split('\n').map(Number));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`;

export async function run(): Promise<Row[]> {
  const order = newOrderSingle();
  const plain = decode(order, false);
  const validated = decode(order, true);
  const reports = encode();
  const js = await jspurefix(order);
  const cpp = quickFix(order);
  const name = `${order.length}-byte D`;
  const rows: Row[] = [
    { name: `jspurefix: ${name} to a view`, value: rate(js) },
    {
      name: `decode, CheckSum, 4 fields / jspurefix`,
      value: rate(plain),
      ratio: plain / js,
      demand: 6,
    },
    {
      name: 'decode, validated, 4 fields / 1,000,000 a second',
      value: rate(validated),
      ratio: validated / 1e6,
      demand: 1,
    },
    {
      name: `encode a ${reports.bytes}-byte ExecutionReport / 700,000 a second`,
      value: rate(reports.perSecond),
      ratio: reports.perSecond / 7e5,
      demand: 1,
    },
  ];
  if (cpp === undefined) return [...rows, { name: 'QuickFIX C++', value: 'not installed' }];
  return [
    ...rows,
    { name: `QuickFIX C++: ${name}, dictionary, 3 fields`, value: rate(cpp) },
    {
      name: 'decode, validated, 4 fields / QuickFIX C++',
      value: rate(validated),
      ratio: validated / cpp,
      demand: 3,
    },
  ];
}
