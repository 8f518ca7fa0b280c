/** What the desk holds against a counterparty, and what it does not. */
import { expect, test } from 'vitest';
import { Bindings } from '../../src/certify/bindings.ts';
import { Inbox } from '../../src/certify/inbox.ts';
import { Ladder } from '../../src/certify/ladder.ts';
import { MessageCheck } from '../../src/certify/message-check.ts';
import { fieldOf } from '../../src/certify/received-message.ts';
import { CertificationError } from '../../src/certify/session-options.ts';
import { BrokenPeer } from './broken-peer.ts';
import { certifyServer, scriptedBridge } from './certify-server.ts';
import { certifyPeer } from './controls.ts';
import { heard } from './messages.ts';

const stopped = { outcome: 'inconclusive', reason: 'the run was stopped' };

test.concurrent.each([
  ['a message', 'sends nothing on its own from now on'],
  ['the end of the connection', '1 TestRequest'],
])('a run that is stopped while the desk waits for %s fails nobody', async (_, label) => {
  const stopBehind = (rung: { label: string }) => rung.label.startsWith(label);
  const { scenarios } = await certifyPeer({ defects: [], ids: ['S-11'], stopBehind });
  expect(scenarios.find(({ id }) => id === 'S-11')).toMatchObject(stopped);
});

test.concurrent('a run that is stopped while the desk waits for the end of a second connection fails nobody', async () => {
  const record = await certifyServer({
    id: 'S-05',
    answers: ({ msgType }) => (msgType === 'A' ? ['A|98=0|108=5'] : []),
    stopBehind: ({ label }) => label === 'on a second connection',
  });
  expect(record).toMatchObject(stopped);
});

test.concurrent.each([
  ['a Logon(A)', 'A|98=0|108=5'],
  ['a Heartbeat(0)', '0|112=before the logon'],
  [
    'an ExecutionReport(8)',
    '8|37=o|11=a|17=e|150=0|39=0|55=BTC-USDC|54=1|38=1|40=2|44=1|59=1|151=1|14=0|6=0|60=now',
  ],
])('a server that sends %s to a stranger fails, although it closes then', async (_, line) => {
  const { outcome, reason } = await certifyServer({ id: 'S-06', answers: () => [line, 'end'] });
  expect([outcome, reason]).toEqual(['failed', expect.stringMatching(/^unasked for: /)]);
});

test.concurrent('a server may tell a stranger why it closes', async () => {
  const refusal = ['3|45=1|373=11', '5|58=no session', 'end'];
  expect(await certifyServer({ id: 'S-06', answers: () => refusal })).toMatchObject({
    outcome: 'passed',
  });
});

test.concurrent('a server that answers a message before it ends the session because of it fails', async () => {
  const record = await certifyServer({
    id: 'S-13',
    answers: (message) => {
      if (message.msgType === 'A') return ['A|98=0|108=5'];
      const testReqId = fieldOf(message, 112) ?? '';
      const isAgain = testReqId === 'again';
      return [`0|112=${testReqId}`, ...(isAgain ? ['5|58=MsgSeqNum too low', 'end'] : [])];
    },
  });
  expect([record.outcome, record.reason]).toEqual(['failed', 'unasked for: 0 Heartbeat']);
});

test.concurrent('a server that ends the connection after its last answer fails', async () => {
  const record = await certifyServer({
    id: 'S-10',
    answers: (message) =>
      message.msgType === 'A' ? ['A|98=0|108=5'] : [`0|112=${fieldOf(message, 112) ?? ''}`, 'end'],
  });
  const reason = 'connection: wanted open, got closed';
  expect([record.outcome, record.reason]).toEqual(['failed', reason]);
});

test.concurrent.each([
  ['first takes it', ['A|98=0|108=5', 'end'], 'failed', 'unasked for: A Logon'],
  ['says why', ['5|58=you are logged on already', 'end'], 'passed', ''],
  ['says nothing', ['end'], 'passed', ''],
])('a server that ends a second connection and %s', async (_, second, outcome, reason) => {
  let logons = 0;
  const record = await certifyServer({
    id: 'S-05',
    answers: (message) => {
      if (message.msgType !== 'A') return [`0|112=${fieldOf(message, 112) ?? ''}`];
      logons += 1;
      return logons === 1 ? ['A|98=0|108=5'] : second;
    },
  });
  expect([record.outcome, record.reason]).toEqual([outcome, reason]);
});

test.concurrent.each([
  ['goes on with the next number', 'A|34=4|98=0|108=5', 'passed', ''],
  ['starts again', 'A|34=1|98=0|108=5', 'failed', 'MsgSeqNum(34): wanted 4, got 1'],
])(
  'a backup site that takes over after a heartbeat and %s',
  async (_, welcome, outcome, reason) => {
    let logons = 0;
    const record = await certifyServer({
      id: 'V-10',
      features: ['orders', 'backupSite'],
      answers: (message) => {
        const testReqId = fieldOf(message, 112) ?? '';
        if (message.msgType === 'A') {
          logons += 1;
          return logons === 1 ? ['A|98=0|108=5'] : [welcome];
        }
        if (testReqId === 'number') return ['0|112=number', '0', 'end'];
        return [`0|34=5|112=${testReqId}`];
      },
    });
    expect([record.outcome, record.reason]).toEqual([outcome, reason]);
  },
);

test.concurrent.each([
  ['same', '0', 'passed', ''],
  ['other', '4', 'failed', 'resent ExecType(150): wanted 150=0, got 150=4'],
])('a server that resends a report with the %s content', async (_, execType, outcome, reason) => {
  const report = (head: string, type: string, clOrdId: string) =>
    `8|${head}37=o|11=${clOrdId}|17=e|150=${type}|39=0|55=BTC-USDC|54=1|38=1|40=2|44=1|59=1|151=1|14=0|6=0|60=20261128-10:00:00`;
  let clOrdId = '';
  const record = await certifyServer({
    id: 'S-18',
    features: ['orders'],
    answers: (message) => {
      const { msgType } = message;
      if (msgType === 'A') return ['A|98=0|108=5'];
      if (msgType === '1') return [`0|34=3|112=${fieldOf(message, 112) ?? ''}`];
      if (msgType === '2') return [report('34=2|43=Y|122=now|', execType, clOrdId)];
      if (msgType !== 'D') return [];
      clOrdId = fieldOf(message, 11) ?? '';
      return [report('', '0', clOrdId)];
    },
  });
  expect([record.outcome, record.reason]).toEqual([outcome, reason]);
});

test.concurrent('a client whose Logon(A) arrives in pieces trades through the desk', async () => {
  const bridge = await scriptedBridge(BrokenPeer.names, (message) => {
    const [clOrdId, origClOrdId] = [11, 41].map((tag) => fieldOf(message, tag));
    if (message.msgType === 'A') return [fieldOf(message, 554) ? 'A|98=0|108=5' : 'end'];
    const order = '17=e|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|6=0|14=0|60=now';
    if (message.msgType === 'D') return [`8|37=o|11=${clOrdId}|150=0|39=0|151=0.01|${order}`];
    if (message.msgType !== 'F') return [];
    return [`8|37=o|11=${clOrdId}|41=${origClOrdId}|150=4|39=4|151=0|${order}`];
  });
  const about = { defects: [], ids: ['X-01'], bridge, splitsLogon: true };
  const { scenarios } = await certifyPeer(about);
  await bridge.stop();
  expect(scenarios.find(({ id }) => id === 'X-01')).toMatchObject({ outcome: 'passed' });
});

test.concurrent.each([
  ['does not answer', [], 'the bridge was silent before the expected 8 ExecutionReport'],
  [
    'ends the connection',
    ['end'],
    'the bridge closed the connection before the expected 8 ExecutionReport',
  ],
])('a client does not fail because our bridge %s', async (_, answer, reason) => {
  const bridge = await scriptedBridge(BrokenPeer.names, ({ msgType }) =>
    msgType === 'A' ? ['A|98=0|108=5'] : msgType === 'D' ? answer : [],
  );
  const { scenarios } = await certifyPeer({ defects: [], ids: ['X-01'], bridge, answerS: 1 });
  await bridge.stop();
  const { outcome, reason: why } = scenarios.find(({ id }) => id === 'X-01') ?? {};
  expect([outcome, why]).toEqual(['inconclusive', reason]);
});

test('a client that trades on its own does not fail because our bridge refuses its order', async () => {
  const inbox = new Inbox();
  inbox.push({ kind: 'message', from: 'bridge', message: heard('8|150=8') });
  const parts = {
    session: {
      options: { direction: 'acceptor' },
      hasBegun: true,
      wire: { conversation: { inbox } },
    },
    scenario: { rule: 'R', ref: 'F' },
    play: { setup: 'bridge', steps: [] },
    ladder: new Ladder(() => {}),
    bindings: new Bindings(
      () => undefined,
      () => 'new',
      {},
    ),
    handled: new Set<string>(),
    hasOwnTraffic: true,
    answerWithinMs: 1,
    earlierOrders: new Set<string>(),
    run: 'run',
    prefix: 'run1',
    signal: new AbortController().signal,
  };
  const check = new MessageCheck(parts as never);
  const wanted = check.expect({ verb: 'server', text: '8|150=0' }, 'bridge');
  await expect(wanted).rejects.toThrow(CertificationError);
});
