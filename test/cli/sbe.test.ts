/** `causeway sbe` as a person calls it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const vectors = join(root, 'test/vectors/sbe');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-sbe-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function causeway(args: readonly string[], input: string | Buffer = '') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'src/main.ts'), 'sbe', ...args],
    { input, encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const sequence = '00000016eb5008000800bc0a01000700000000000000';

test('decode shows a message of hex with the names of its fields', () => {
  expect(causeway(['decode', sequence])).toMatchObject({
    status: 0,
    stdout: 'Sequence(8) version 1, 16 bytes  {"NextSeqNo":7}\n',
  });
});

test('decode reads framed octets of either order, and hex with spaces', () => {
  const octets = Buffer.from(sequence, 'hex');
  const little = Buffer.concat([Buffer.from('1600000050eb', 'hex'), octets.subarray(6)]);
  const spaced = sequence.replace(/../g, '$& ');
  for (const input of [octets, little, octets.subarray(6), Buffer.from(spaced)]) {
    expect(causeway(['decode'], input).stdout).toContain('Sequence(8)');
  }
});

test('decode --json is what encode reads', () => {
  const file = join(vectors, 'standard-examples.hex');
  const schema = ['--schema', join(vectors, 'standard-examples.xml')];
  const decoded = causeway(['decode', file, ...schema, '--json']).stdout;
  expect(decoded.trim().split('\n')).toHaveLength(3);
  expect(causeway(['encode', ...schema], decoded).stdout).toBe(readFileSync(file, 'utf8'));
});

test('credentials are shown as their length alone', () => {
  const json = JSON.stringify({
    message: 'Negotiate',
    fields: {
      SessionId: new Array(16).fill(1),
      Timestamp: 1,
      ClientFlow: 'Idempotent',
      Credentials: Buffer.from('hunter2').toString('hex'),
    },
  });
  const { stdout } = causeway(['encode'], json);
  const shown = causeway(['decode'], stdout).stdout;
  expect(shown).toContain('"Credentials":"7 bytes"');
  expect(shown).not.toContain(Buffer.from('hunter2').toString('hex'));
});

test.each([
  ['another schema', sequence.replace('bc0a', 'bd0a'), 'at byte 0: the schema 2749 is not 2748'],
  ['a frame that is cut', sequence.slice(0, -2), 'the frame goes on behind the 21 bytes'],
  [
    'a block that is cut',
    '00000015eb5008000800bc0a010007000000000000',
    'at byte 0: Sequence: 8 bytes do not fit into the 7 that are left',
  ],
])('decode says what is wrong with %s', (_, hex, told) => {
  const { status, stderr } = causeway(['decode'], hex);
  expect(status).toBe(1);
  expect(stderr).toContain(told);
});

test('encode names the field that cannot be written', () => {
  const { status, stderr } = causeway([
    'encode',
    '{"message":"Sequence","fields":{"NextSeqNo":-1}}',
  ]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('Sequence.NextSeqNo: -1 is not uint64 from 0 to 18446744073709551615'),
  ]);
});

test('check names file, line and place', () => {
  const file = join(folder, 'wrong.xml');
  writeFileSync(file, '<messageSchema id="1">\n<message name="A" id="1"/>\n</messageSchema>');
  const { status, stderr } = causeway(['check', '--schema', file]);
  expect(status).toBe(1);
  expect(stderr).toContain(`${file} is not right:\n  line 1: there is no type "messageHeader"`);
});

test('what an action does not read is refused, not passed over', () => {
  const { status, stdout, stderr } = causeway(['check', 'mine.xml']);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('check reads no "mine.xml": name schemas with --schema');
});

test('a document is one JSON object where JSON is asked for', () => {
  const { document } = JSON.parse(causeway(['document', '--json']).stdout);
  expect(document).toContain('Negotiate');
});

test('generate writes code that runs where nothing else of ours is', () => {
  const out = join(folder, 'generated');
  causeway(['generate', '--schema', join(root, 'dictionaries/fixp.xml'), '--out', out]);
  expect(readdirSync(out)).toContain('flyweight.ts');
  const program = join(folder, 'program.ts');
  writeFileSync(
    program,
    `import { Sequence } from './generated/sequence.ts';
    console.log(Buffer.from(new Sequence().encode(Buffer.alloc(64)).setNextSeqNo(7).bytes).toString('hex'));`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(stderr + stdout).toBe(`${sequence.slice(12)}\n`);
});

test.each([[['generate']], [['decode', '--schema']], [['nothing']]])(
  '%s is a usage error',
  (args) => {
    expect(causeway(args).status).toBe(2);
  },
);
