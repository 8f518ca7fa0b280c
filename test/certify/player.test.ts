/** Single scenarios, played at a server that answers as each test says. */
import { expect, test } from 'vitest';
import type { CertificationEvent } from '../../src/certify/certification.ts';
import { asValue } from '../../src/certify/line.ts';
import type { Hand, Prompt } from '../../src/certify/prompt.ts';
import { fieldOf, type ReceivedMessage } from '../../src/certify/received-message.ts';
import type { ScenarioRecord } from '../../src/certify/record.ts';
import { readScenario } from '../../src/certify/scenario.ts';
import { certifyServer, type ServerOptions } from './certify-server.ts';

type Answers = ServerOptions['answers'];

/** A server without a fault. */
function regular(message: ReceivedMessage): readonly string[] {
  if (message.msgType === 'A') return ['A|98=0|108=5'];
  if (message.msgType === '1') return [`0|112=${fieldOf(message, 112)}`];
  return message.msgType === '5' ? ['5', 'end'] : [];
}

function played(
  steps: readonly (string | object)[],
  more: Partial<ServerOptions> = {},
): Promise<ScenarioRecord> {
  const about = { title: 'T', level: 'mandatory', source: 's', rule: 'The rule', ref: 'FIX' };
  const text = JSON.stringify({ id: 'S-99', ...about, both: { steps } });
  const scenario = readScenario(text, 's-99.yaml');
  return certifyServer({ id: 'S-99', answers: regular, scenario, ...more });
}

function endOf({ outcome, reason }: ScenarioRecord): readonly string[] {
  return [outcome, reason];
}

const labels = ({ attempts }: ScenarioRecord) =>
  attempts.at(-1)?.ladder.map(({ from, label }) => `${from}: ${label}`) ?? [];
const stopped = ['inconclusive', 'the run was stopped'];
const behind = (label: string) => (rung: { readonly label: string }) => rung.label === label;
const noHand: Hand = { act: async () => {}, stop: async () => {} };

test.concurrent('what the desk does and says is evidence, and a pass has no reason', async () => {
  const record = await played([
    'logon',
    { desk: '1|112=a', says: 'The desk asks' },
    { peer: '0|112=a' },
    'hang up',
  ]);
  expect(endOf(record)).toEqual(['passed', '']);
  expect(labels(record)).toEqual([
    'desk: A Logon #1',
    'peer: A Logon #1',
    'note: The desk asks',
    'desk: 1 TestRequest #2',
    'peer: 0 Heartbeat #2',
    'desk: cuts the connection',
  ]);
});

test.concurrent.each(['a|b|34=1', 'now', 'x + y', '$qty'])(
  'an id of the counterparty is sent back and compared as it is: %s',
  async (id) => {
    const answers: Answers = (message) => {
      if (message.msgType === 'B') return [`B|148=${asValue(id)}|33=1|58=news`];
      if (message.msgType !== '1') return regular(message);
      return [`0|112=${asValue(fieldOf(message, 112) ?? '')}`];
    };
    const record = await played(
      [
        'logon',
        { desk: 'B|148=ask|33=1|58=news' },
        { peer: 'B|148=$id' },
        { desk: '1|112=$id' },
        { peer: '0|112=$id' },
        { raw: '8=FIX.4.4|9=?|35=1|34=$next|49=$us|52=now|56=$them|112=$id|10=?|' },
        { peer: '0|112=~$id' },
      ],
      { answers },
    );
    expect(endOf(record)).toEqual(['passed', '']);
    const ids = record.attempts
      .at(-1)
      ?.ladder.flatMap(({ verdicts }) =>
        verdicts.filter(({ tag }) => tag === 112 || tag === 148).map(({ got }) => got),
      );
    expect(ids).toEqual([id, id, id]);
  },
);

test.concurrent.each([
  ['a wait', [{ wait: '900s', says: 'here' }], 'here'],
  ['a session that is watched', [{ alive: '900s' }], '0 Heartbeat #2'],
  ['its last silence', [{ desk: '1|112=a' }, { peer: '0|112=a' }], '0 Heartbeat #2'],
  [
    'a message that is sent again and again',
    [{ desk: '1|112=a', times: 900 }, { peer: '8' }],
    '1 TestRequest #3',
  ],
])('a run that is stopped during %s ends at once, and shows nothing', async (_, steps, label) => {
  const record = await played(['logon', ...steps], { stopBehind: behind(label) });
  expect(endOf(record)).toEqual(stopped);
  const { startedMs = 0, endedMs = 0 } = record.attempts.at(-1) ?? {};
  expect(endedMs - startedMs).toBeLessThan(3_000);
});

test.concurrent('a message is sent as often as needed until the next one arrives', async () => {
  let count = 0;
  const answers: Answers = (message) => {
    if (message.msgType !== '1') return regular(message);
    count += 1;
    return count === 3 ? regular(message) : [];
  };
  const steps = ['logon', { desk: '1|112=a', times: 400 }, { peer: '0|112=a' }];
  expect(endOf(await played(steps, { answers }))).toEqual(['passed', '']);
  expect(count).toBeGreaterThanOrEqual(3);
  expect(count).toBeLessThan(100);
});

test.concurrent('many messages in one piece are as many answers', async () => {
  const steps = ['logon', { desk: '1|112=a', burst: 3 }, ...Array(3).fill({ peer: '0|112=a' })];
  const record = await played(steps);
  expect(endOf(record)).toEqual(['passed', '']);
  expect(labels(record)).toContain('desk: 3 messages in one piece');
});

test.concurrent('a message that no step expects fails the scenario at its end', async () => {
  const answers: Answers = (message) => [
    ...regular(message),
    ...(message.msgType === '1' ? ['3|45=2|58=no'] : []),
  ];
  const steps = ['logon', { desk: '1|112=a' }, { peer: '0|112=a' }];
  expect(endOf(await played(steps, { answers }))).toEqual(['failed', 'unasked for: 3 Reject: no']);
});

test.concurrent('a standing rule that is broken fails a scenario whose steps are all right', async () => {
  const answers: Answers = (message) =>
    message.msgType === '1' ? [`0|34=9|112=${fieldOf(message, 112)}`] : regular(message);
  const steps = ['logon', { desk: '1|112=a' }, { peer: '0|112=a' }];
  expect(endOf(await played(steps, { answers }))).toEqual([
    'failed',
    expect.stringMatching(/^MsgSeqNum\(34\): wanted/),
  ]);
});

test.concurrent('what is wrong with a scenario, or missing here, is no verdict on the counterparty', async () => {
  const ends = await Promise.all([
    played(['logon', { desk: '1|112=$word*2' }]),
    played(['logon', { untrusted: 'expired' }]),
    played(['leave site']),
  ]);
  expect(ends.map(endOf)).toEqual([
    ['inconclusive', expect.stringContaining('is not decimal arithmetic')],
    ['inconclusive', 'no connection on which to present a certificate: expired'],
    ['inconclusive', 'the interview names no backup site of ours'],
  ]);
});

test.concurrent('a probe and a watched session want an answer, and nothing else', async () => {
  const silent: Answers = (message) => (message.msgType === '1' ? [] : regular(message));
  const talking: Answers = (message) => [
    ...regular(message),
    ...(message.msgType === '1' ? ['j|45=2|372=1|380=0'] : []),
  ];
  const ends = await Promise.all([
    played(['logon', 'probe']),
    played(['logon', { alive: '1ms' }]),
    played(['logon', 'probe'], { answers: silent }),
    played(['logon', { alive: '1ms' }], { answers: talking }),
  ]);
  expect(ends.map(endOf)).toEqual([
    ['passed', ''],
    ['passed', ''],
    ['failed', 'message: wanted 0 Heartbeat, got nothing'],
    ['failed', expect.stringMatching(/^unasked for: j/)],
  ]);
});

test.concurrent('another participant is asked to trade, in words for a person and a line for a program', async () => {
  const prompts: Prompt[] = [];
  const hand: Hand = {
    ...noHand,
    async act(prompt) {
      prompts.push(prompt);
    },
  };
  const clOrdId = () => /(?<=11=)[^|]+/.exec(prompts[0]?.line ?? '')?.[0];
  const answers: Answers = (message) =>
    message.msgType === '1' && fieldOf(message, 112) === 'traded'
      ? [`8|37=o|11=${clOrdId()}|17=e|150=0|39=0|55=X|54=1|151=1|14=0|6=0`, ...regular(message)]
      : regular(message);
  const record = await played(
    [
      'logon',
      { contra: 'D|34=7|11=$c|55=X|60=now' },
      { desk: '1|112=traded' },
      { peer: '8|11=$c' },
      { peer: '0|112=traded' },
    ],
    { hand, answers },
  );
  expect(endOf(record)).toEqual(['passed', '']);
  expect(prompts).toMatchObject([{ id: 1, scenario: 'S-99', who: 'contra' }]);
  expect(prompts[0]?.line).toMatch(/^D\|11=\w+-c\|55=X\|60=\d{8}-\d\d:\d\d:\d\d/);
  expect(prompts[0]?.text).toContain('Let another participant send D NewOrderSingle: ');
});

test.concurrent('a hand that fails is no verdict on the counterparty, and what is left is taken back', async () => {
  let tidied = 0;
  const hand: Hand = {
    ...noHand,
    async act() {
      throw new Error('the other participant is away');
    },
    async tidy() {
      tidied += 1;
      throw new Error('and does not come back');
    },
  };
  const record = await played(['logon', { contra: 'D|11=$c' }], { hand });
  expect(endOf(record)).toEqual(['inconclusive', 'the other participant is away']);
  expect(tidied).toBe(1);
  expect(labels(record)).toContain(
    'note: what is left could not be taken back: and does not come back',
  );
  // The venue is put back by whoever changed it, and nothing has been traded.
  await played(['logon', { venue: 'POST /reset' }], { hand: { ...hand, act: async () => {} } });
  expect(tidied).toBe(1);
});

test.concurrent('after orders everything is canceled, also where the scenario failed', async () => {
  const types: string[] = [];
  const answers: Answers = (message) => {
    types.push(message.msgType);
    return message.msgType === 'q'
      ? [`r|37=o|11=${fieldOf(message, 11)}|530=7|531=7`]
      : regular(message);
  };
  const events: CertificationEvent[] = [];
  const record = await played(
    ['logon', { client: 'D|11=$o|55=X|60=now' }, { peer: '8|11=$o', within: '100ms' }],
    { answers, onEvent: (event) => events.push(event) },
  );
  expect(endOf(record)).toEqual(['failed', 'message: wanted 8 ExecutionReport, got nothing']);
  expect(types).toEqual(['A', 'D', 'q']);
  const rungs = events.flatMap((event) => (event.kind === 'rung' ? [event.rung] : []));
  expect(rungs).toEqual(record.attempts.at(-1)?.ladder);
});
