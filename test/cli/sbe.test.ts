/** `causeway sbe` as a person calls it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { causeway } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');
const vectors = join(root, 'test/vectors/sbe');
const fixp = join(root, 'dictionaries/fixp.xml');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-sbe-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a person would pipe in lies in a file here, so that no process is started for it. */
async function sbe(args: readonly string[], input?: string | Buffer) {
  const file = join(folder, 'input');
  if (input !== undefined) writeFileSync(file, input);
  return await causeway('sbe', ...args, ...(input === undefined ? [] : [file]));
}

const sequence = '00000016eb5008000800bc0a01000700000000000000';

test('decode shows a message of hex with the names of its fields', async () => {
  expect(await sbe(['decode', sequence])).toMatchObject({
    status: 0,
    stdout: 'Sequence(8) version 1, 16 bytes  {"NextSeqNo":7}\n',
  });
});

test('decode reads standard input where no file is named', () => {
  const words = [join(root, 'src/main.ts'), 'sbe', 'decode'];
  const piped = spawnSync(process.execPath, words, { input: sequence, encoding: 'utf8' });
  expect([piped.status, piped.stdout]).toEqual([0, expect.stringContaining('Sequence(8)')]);
});

test('decode reads framed octets of either order, and hex with spaces', async () => {
  const octets = Buffer.from(sequence, 'hex');
  const little = Buffer.concat([Buffer.from('1600000050eb', 'hex'), octets.subarray(6)]);
  const spaced = sequence.replace(/../g, '$& ');
  for (const input of [octets, little, octets.subarray(6), Buffer.from(spaced)]) {
    expect((await sbe(['decode'], input)).stdout).toContain('Sequence(8)');
  }
});

test('decode --json is what encode reads', async () => {
  const file = join(vectors, 'standard-examples.hex');
  const schema = ['--schema', join(vectors, 'standard-examples.xml')];
  const decoded = (await sbe(['decode', file, ...schema, '--json'])).stdout;
  expect(decoded.trim().split('\n')).toHaveLength(3);
  expect((await sbe(['encode', ...schema], decoded)).stdout).toBe(readFileSync(file, 'utf8'));
});

test('credentials are shown as their length alone', async () => {
  const json = JSON.stringify({
    message: 'Negotiate',
    fields: {
      SessionId: new Array(16).fill(1),
      Timestamp: 1,
      ClientFlow: 'Idempotent',
      Credentials: Buffer.from('hunter2').toString('hex'),
    },
  });
  const { stdout } = await sbe(['encode'], json);
  const shown = (await sbe(['decode'], stdout)).stdout;
  expect(shown).toContain('"Credentials":"7 bytes"');
  expect(shown).not.toContain(Buffer.from('hunter2').toString('hex'));
});

test.each([
  ['another schema', sequence.replace('bc0a', 'bd0a'), 'at byte 0: the schema 2749 is not 2748'],
  ['a frame that is cut', sequence.slice(0, -2), 'the frame is longer than the 21 bytes'],
  [
    'a block that is cut',
    '00000015eb5008000800bc0a010007000000000000',
    'at byte 0: Sequence: 8 bytes do not fit into the 7 that are left',
  ],
])('decode says what is wrong with %s', async (_, hex, told) => {
  const { status, stderr } = await sbe(['decode'], hex);
  expect(status).toBe(1);
  expect(stderr).toContain(told);
});

test('encode names the field that cannot be written', async () => {
  const { status, stderr } = await sbe([
    'encode',
    '{"message":"Sequence","fields":{"NextSeqNo":-1}}',
  ]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('Sequence.NextSeqNo: -1 is not uint64 from 0 to 18446744073709551615'),
  ]);
});

test('check names file, line and place', async () => {
  const file = join(folder, 'wrong.xml');
  writeFileSync(file, '<messageSchema id="1">\n<message name="A" id="1"/>\n</messageSchema>');
  const { status, stderr } = await sbe(['check', '--schema', file]);
  expect(status).toBe(1);
  expect(stderr).toContain(`${file} is not valid:\n  line 1: there is no type "messageHeader"`);
});

test('what an action does not read is refused, not passed over', async () => {
  const { status, stdout, stderr } = await sbe(['check', 'mine.xml']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('check reads no "mine.xml": name schemas with --schema');
});

test('a document is one JSON object where JSON is asked for', async () => {
  const { document } = JSON.parse((await sbe(['document', '--json'])).stdout);
  expect(document).toContain('Negotiate');
});

test('generate writes code that runs where nothing else of ours is', async () => {
  const out = join(folder, 'generated');
  await sbe(['generate', '--schema', fixp, '--out', out]);
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['block.ts', 'flyweight.ts']));
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import { Sequence } from './generated/sequence.ts';
    console.log(Buffer.from(new Sequence().encode(Buffer.alloc(64)).setNextSeqNo(7).bytes).toString('hex'));`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(stderr + stdout).toBe(`${sequence.slice(12)}\n`);
});

test.each([
  [['generate']],
  [['generate', '--schema', fixp, '--out', 'x', '--read', 'Order']],
  [['decode', '--schema']],
  [['nothing']],
])('%s is a usage error', async (args) => {
  expect((await sbe(args)).status).toBe(2);
});
