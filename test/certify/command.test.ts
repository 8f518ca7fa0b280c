/** `causeway certify` as a counterparty's CI calls it: its words, its exit codes and its files. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { interviewTemplate } from '../../src/certify/interview.ts';
import type { ScenarioRecord } from '../../src/certify/record.ts';
import { RunFolder } from '../../src/certify/run-folder.ts';
import { newKey, publicKeyOf, readKey } from '../../src/certify/signature.ts';
import { startBridge } from '../support/bridge.ts';
import { causeway } from '../support/program.ts';
import { addRecords, scenarioRecord, subjectAt } from './records.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-certify-command-'));
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, newKey(), { mode: 0o600 });
const key = readKey(readFileSync(keyFile, 'utf8'));
const issuer = publicKeyOf(key);
afterAll(() => rmSync(folder, { recursive: true }));

function keep(out: string, scenarios: readonly ScenarioRecord[]): void {
  const run = new RunFolder(out, key);
  run.keepReports(addRecords(run.takeUp(subjectAt('1.0')), scenarios), {});
}

async function certify(...words: string[]): Promise<{ code: number; output: string }> {
  const { status, stdout, stderr } = await causeway('certify', ...words);
  return { code: status, output: stdout + stderr };
}

test('a certificate is signed, verified, and found out when it was changed', async () => {
  const out = join(folder, 'run');
  keep(out, [scenarioRecord('S-01', 'passed')]);
  const signed = await certify('certificate', '--out', out, '--key', keyFile);
  expect(signed).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 passed; valid until'),
  });
  const file = join(out, 'certificate.json');
  const named = ['--issuer', issuer];
  expect(await certify('verify', file, ...named, '--evidence', out)).toMatchObject({ code: 0 });
  const unnamed = await certify('verify', file, '--evidence', out);
  expect(unnamed).toMatchObject({ code: 2, output: expect.stringContaining('--issuer KEY') });
  writeFileSync(file, readFileSync(file, 'utf8').replace('"1.0"', '"1.1"'));
  const forged = await certify('verify', file, ...named);
  expect(forged).toMatchObject({ code: 1, output: expect.stringContaining('BROKEN signature') });
});

test('a counterparty that does not come ends the run, and the reports say so', async () => {
  const interview = join(folder, 'interview.yaml');
  const text = interviewTemplate('acceptor')
    .replace('port: 9890', 'port: 0')
    .replace('  - orders ', '  - keepsNumbers ')
    .replace('connectS: 60', 'connectS: 1');
  writeFileSync(interview, text);
  const out = join(folder, 'nobody');
  const { code, output } = await certify(
    'run',
    '--interview',
    interview,
    '--out',
    out,
    '--no-attended',
  );
  expect(code).toBe(1);
  expect(output).toMatch(/waiting for 49=EXAMPLE 56=CAUSEWAY on 127\.0\.0\.1:\d+/);
  expect(output).toContain('the counterparty did not connect within 1 s');
  expect(output.match(/inconclusive/g)).toHaveLength(2);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('errors="1"');
});

test('a run that cannot begin leaves no bridge behind, nor the folder with its keys', async () => {
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const interview = join(folder, 'unbegun.yaml');
  const text = interviewTemplate('acceptor').replace('port: 9890', 'port: 0');
  const begun = async (more: string, out = 'unbegun', key = keyFile) => {
    writeFileSync(interview, text + more);
    const words = ['--interview', interview, '--out', join(folder, out), '--key', key];
    const { code, output } = await certify('run', ...words, '--only', 'S-01', '--no-attended');
    expect([code, readdirSync(temporary)], output).toEqual([1, []]);
    return output;
  };
  expect(await begun('rules: no.html')).toContain('no.html does not exist');
  const reader = '{ senderCompId: R, username: r, passwordFile: no.pass }';
  expect(await begun(`reader: ${reader}`)).toContain('no.pass does not exist');
  await begun('', 'unbegun', interview);
  // The evidence of earlier runs is read by the certification itself, while the bridge is open.
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'run.json'), '{');
  expect(await begun('', 'broken')).toContain('JSON');
});

test('a second run continues with the numbers of the first, because a server keeps them', async () => {
  const bridge = await startBridge({ session: { allowReset: false } });
  try {
    const { senderCompId, targetCompId, username, password } = bridge.user();
    const passwordFile = join(folder, 'server.password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const interview = join(folder, 'server.yaml');
    const text = interviewTemplate('initiator')
      .replace('EXAMPLE, targetCompId: CAUSEWAY', `${targetCompId}, targetCompId: ${senderCompId}`)
      .replace('port: 9890', `port: ${bridge.gateway.port}`)
      .replace(
        /^# credentials:.*$/m,
        `credentials: { username: ${username}, passwordFile: ${passwordFile} }`,
      );
    writeFileSync(interview, text);
    const out = join(folder, 'server');
    const words = ['--interview', interview, '--out', out, '--no-attended', '--only', 'S-01'];
    expect((await certify('run', ...words)).output).toContain('1 passed');
    expect((await certify('run', ...words)).output).toContain('1 passed');
    const evidence = new RunFolder(out).read();
    expect(evidence.scenario('S-01').attempts.map(({ numbers }) => numbers?.nextOut)).toEqual([
      3, 5,
    ]);
  } finally {
    await bridge.stop();
  }
});

test('with --json the questions are a text, and a comparison has each scenario that changed', async () => {
  const { output } = await certify('interview', '--json');
  expect(JSON.parse(output)).toEqual({ text: interviewTemplate('acceptor') });
  const [before, after] = [join(folder, 'before'), join(folder, 'after')];
  keep(before, [scenarioRecord('S-01', 'failed')]);
  keep(after, [scenarioRecord('S-01', 'passed')]);
  const compared = await certify('compare', before, after, '--json');
  const change = { id: 'S-01', title: 'Title of S-01', before: 'failed', after: 'passed' };
  expect([compared.code, JSON.parse(compared.output)]).toEqual([
    0,
    { facts: [], changes: [change] },
  ]);
});

test('a run or key that is not there is named, and nothing is made in its place', async () => {
  const missing = join(folder, 'not-there');
  for (const action of ['report', 'certificate']) {
    const told = await certify(action, '--out', missing, '--key', join(folder, 'no.pem'));
    expect([told.code, told.output]).toEqual([2, expect.stringContaining('there is no run in')]);
    const other = await certify(action, '--out', folder, '--key', join(folder, 'no.pem'));
    expect([other.code, other.output]).toEqual([2, expect.stringContaining('there is no key')]);
  }
  const made = readdirSync(folder).filter((name) => ['not-there', 'no.pem'].includes(name));
  expect(made).toEqual([]);
  const compared = await certify('compare', folder, missing);
  expect([compared.code, compared.output]).toEqual([1, expect.stringContaining('run.json')]);
});
