/** A run of several scenarios, at a server that answers as each test says. */
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  Certification,
  type CertificationEvent,
  type CertificationOptions,
} from '../../src/certify/certification.ts';
import { Evidence } from '../../src/certify/evidence.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { type Interview, parseInterview } from '../../src/certify/interview.ts';
import { calling } from '../../src/certify/port.ts';
import { fieldOf, listenToFix } from '../../src/certify/received-message.ts';
import { readScenario } from '../../src/certify/scenario.ts';
import { freePort } from '../../src/runtime/free-port.ts';

const host = '127.0.0.1';
const server = { senderCompId: 'SERVER', targetCompId: 'DESK' };
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function scenario(id: string, steps: readonly (string | object)[], more: object = {}) {
  const about = { title: `About ${id}`, level: 'mandatory', source: 's', rule: 'R', ref: 'F' };
  return readScenario(JSON.stringify({ id, ...about, both: { steps }, ...more }), `${id}.yaml`);
}

const asks = ['logon', { desk: '1|112=a' }, { peer: '0|112=a' }];
const trades = [...asks, { contra: 'D|11=$c|55=X' }];

/** Logs anybody on, and answers each TestRequest(1). */
async function serving(): Promise<number> {
  const port = await freePort({ host, port: 0 });
  const own = createServer((socket) => {
    let msgSeqNum = 0;
    const say = (line: string) => {
      msgSeqNum += 1;
      socket.write(lineBytes(line, { ...server, msgSeqNum, wallMs: Date.now() }));
    };
    const listener = listenToFix('peer', (incoming) => {
      if (incoming.kind !== 'message') return;
      const { message } = incoming;
      if (message.msgType === 'A') say(`A|98=0|108=5${fieldOf(message, 141) ? '|141=Y' : ''}`);
      if (message.msgType === '1') say(`0|112=${fieldOf(message, 112)}`);
    });
    socket.on('error', () => {}).on('data', listener);
  });
  await new Promise<void>((resolve) => {
    own.listen({ host, port }, resolve);
  });
  ends.push(() => own.close());
  return port;
}

function interviewOf(more: object = {}): Interview {
  const given = {
    counterparty: { name: 'Scripted', software: 'server', version: '1' },
    direction: 'initiator',
    session: { ...server, heartBtInt: 5 },
    address: { port: 0 },
    features: ['resetAtLogon'],
    patience: { connectS: 1, answerS: 1 },
    ...more,
  };
  return parseInterview(JSON.stringify(given), 'certification');
}

function certifying(
  port: number,
  scenarios: readonly ReturnType<typeof scenario>[],
  more: Partial<CertificationOptions> = {},
) {
  const events: CertificationEvent[] = [];
  const certification = new Certification({
    catalogue: { scenarios, hash: 'c' },
    interview: interviewOf(),
    port: calling({ host, port }),
    isAttended: false,
    versions: { causeway: '1.2.3', dictionaryHash: 'd' },
    onEvent: (event) => events.push(event),
    ...more,
  });
  ends.push(() => certification.close());
  return { certification, events };
}

const outcomes = ({ scenarios }: Awaited<ReturnType<Certification['run']>>) =>
  scenarios.map(({ id, outcome, reason }) => [id, outcome, reason]);

test('what is selected is played in order, and each event is told as it happens', async () => {
  const port = await serving();
  const { certification, events } = certifying(port, [
    scenario('S-01', asks),
    scenario('S-02', [], { both: undefined, initiator: { notRun: 'it is never played' } }),
    scenario('S-03', asks, {
      protocol: 'fixp' as const,
      both: undefined,
      initiator: { notRun: 'x' },
    }),
  ]);
  expect(certification.selected.map(({ scenario: { id } }) => id)).toEqual(['S-01', 'S-02']);
  const run = await certification.run();
  expect(outcomes(run)).toEqual([
    ['S-01', 'passed', ''],
    ['S-02', 'notRun', 'it is never played'],
  ]);
  const kinds = events.filter(({ kind }) => kind !== 'rung').map(({ kind }) => kind);
  expect(kinds).toEqual(['started', 'finished', 'started', 'finished', 'done']);
  expect(events.at(-1)).toEqual({ kind: 'done', record: run });
  expect(run).toMatchObject({
    identity: { name: 'Scripted', senderCompId: 'SERVER', targetCompId: 'DESK' },
    ...{
      causeway: '1.2.3',
      catalogueHash: 'c',
      dictionaryHash: 'd',
      rulesHash: null,
      signer: null,
    },
  });
});

test('only the scenarios that are named are played, and what was not is said to be so', async () => {
  const { certification } = certifying(await serving(), [
    scenario('S-01', asks),
    scenario('S-02', asks),
  ]);
  expect(outcomes(await certification.run(['S-02']))).toEqual([
    ['S-01', 'notRun', 'not played yet'],
    ['S-02', 'passed', ''],
  ]);
});

test('a scenario may be played again, and the ids of each attempt are new', async () => {
  const { certification, events } = certifying(await serving(), [
    scenario('S-01', ['logon', { desk: '1|112=$id' }, { peer: '0|112=$id' }]),
  ]);
  await certification.run();
  const { scenarios } = await certification.run();
  expect(scenarios[0]?.attempts.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
  const ids = events.flatMap((event) =>
    event.kind === 'rung' && event.rung.label.startsWith('1 ')
      ? [/112=(\P{Cc}+)/u.exec(Buffer.from(event.rung.raw ?? '', 'base64').toString())?.[1]]
      : [],
  );
  expect(new Set(ids).size).toBe(2);
});

test('a run does not wait for each scenario in turn where nobody is there', async () => {
  const port = await freePort({ host, port: 0 });
  const { certification } = certifying(port, [scenario('S-01', asks), scenario('S-02', asks)]);
  expect(outcomes(await certification.run())).toEqual([
    ['S-01', 'inconclusive', 'nobody answers within 1 s'],
    ['S-02', 'notRun', 'not played yet'],
  ]);
});

test('a run that is stopped plays nothing more', async () => {
  const { certification, events } = certifying(await serving(), [scenario('S-01', asks)]);
  certification.stop();
  expect(outcomes(await certification.run())).toEqual([['S-01', 'notRun', 'not played yet']]);
  expect(events.map(({ kind }) => kind)).toEqual(['done']);
});

test('an attempt without a verdict replaces none, but is reported as what it is', async () => {
  const port = await serving();
  const broken = { isOn: false };
  const hand = {
    act: async () => {
      if (broken.isOn) throw new Error('nobody trades');
    },
    stop: async () => {},
  };
  const { certification, events } = certifying(port, [scenario('S-01', trades)], { hand });
  await certification.run();
  broken.isOn = true;
  expect(outcomes(await certification.run())).toEqual([['S-01', 'passed', '']]);
  const finished = events.filter((event) => event.kind === 'finished');
  expect(finished.map(({ record }) => [record.outcome, record.reason])).toEqual([
    ['passed', ''],
    ['inconclusive', 'nobody trades; the earlier result counts: passed'],
  ]);
});

test('without a person or a program a scenario that needs one is not run', async () => {
  const port = await serving();
  const alone = certifying(port, [scenario('S-01', trades)]);
  expect(outcomes(await alone.certification.run())).toEqual([
    ['S-01', 'notRun', 'needs a person, and nobody is available'],
  ]);
  const attended = certifying(port, [scenario('S-01', trades)], { isAttended: true });
  expect(outcomes(await attended.certification.run())).toEqual([['S-01', 'passed', '']]);
  const prompts = attended.events.filter(({ kind }) => kind.startsWith('prompt'));
  expect(prompts).toMatchObject([
    { kind: 'prompt', prompt: { id: 1, scenario: 'S-01', who: 'contra' } },
    { kind: 'promptOver', prompt: { id: 1 } },
  ]);
});

test('a client cannot trade where there is no bridge', async () => {
  const interview = interviewOf({ direction: 'acceptor' });
  const bridged = scenario('S-01', [], { both: { setup: 'bridge', steps: asks } });
  const { certification } = certifying(0, [bridged], { interview });
  expect(outcomes(await certification.run())).toEqual([
    ['S-01', 'notRun', 'there is no bridge to trade on'],
  ]);
});

test('evidence that the disk does not take ends the run', async () => {
  let lines = 0;
  const keep = () => {
    lines += 1;
    if (lines === 2) throw new Error('ENOSPC');
  };
  const { certification } = certifying(await serving(), [scenario('S-01', asks)], {
    evidence: (subject) => new Evidence({ ...subject, signer: null }, keep),
  });
  await expect(certification.run()).rejects.toThrow('ENOSPC');
});

test('a certification continues with the numbers of its evidence, and stops its hand in the end', async () => {
  const port = await serving();
  let stops = 0;
  const hand = {
    act: async () => {},
    async stop() {
      stops += 1;
    },
  };
  const first = certifying(port, [scenario('S-01', asks)], { hand }).certification;
  await first.run();
  const { numbers } = first.evidence;
  expect(numbers).toEqual({ nextIn: 3, nextOut: 3, isDoubtful: false });
  await first.close();
  expect(stops).toBe(1);
  const next = certifying(
    port,
    [scenario('S-01', ['logon', { desk: '1|112=$next' }, { peer: '0|112=*' }])],
    {
      evidence: () => first.evidence,
    },
  );
  await next.certification.run();
  const sent = next.events.flatMap((event) => (event.kind === 'rung' ? [event.rung.label] : []));
  expect(sent[0]).toBe('A Logon #3');
});
