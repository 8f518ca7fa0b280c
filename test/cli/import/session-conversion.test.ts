import { array, assert, constantFrom, option, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuickfix } from '../../../src/cli/import/quickfix-settings.ts';
import { convertedSession, userNames } from '../../../src/cli/import/session-conversion.ts';
import { name as configName } from '../../../src/gateway/config/config-keys.ts';

const usual = { BeginString: 'FIX.4.4', SenderCompID: 'A', TargetCompID: 'B' };

/** Settings in the order given, from line 2 on; undefined leaves one of the usual ones out. */
function convert(settings: Record<string, string | undefined> = {}, userOf = userNames()) {
  const all = Object.entries({ ...usual, ...settings });
  const lines = all.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  const [session] = parseQuickfix(['[SESSION]', ...lines].join('\n')).sessions;
  if (session === undefined) throw new Error('no session');
  return convertedSession(session, 'desk-1', userOf);
}

function taken(settings: Record<string, string | undefined> = {}, userOf = userNames()) {
  const found = convert(settings, userOf);
  if (found.kind !== 'session') throw new Error(found.reason);
  return found;
}

const engine = (settings: Record<string, string>) => taken(settings).config.engine;
const acceptor = { ConnectionType: 'acceptor' };

test('a session of a client is entered with its own names, and has only what it needs', () => {
  expect(taken()).toEqual({
    kind: 'session',
    name: 'A to B',
    user: 'a',
    config: {
      senderCompId: 'A',
      targetCompId: 'B',
      role: 'order-entry',
      users: ['a'],
      accounts: ['desk-1'],
      allowReset: false,
    },
    notes: [],
  });
});

test('a session of the gateway is turned round, so that it is named as its client names it', () => {
  expect(taken(acceptor)).toMatchObject({
    name: 'B to A',
    user: 'b',
    config: { senderCompId: 'B', targetCompId: 'A', users: ['b'] },
  });
});

test.each([
  [{ BeginString: 'FIX.4.2' }, 'line 2: A to B speaks FIX.4.2, not FIX.4.4'],
  [{ BeginString: undefined }, 'line 2: A to B speaks nothing, not FIX.4.4'],
  [{ SenderCompID: undefined }, 'line 2: a session without SenderCompID or TargetCompID'],
  [{ TargetCompID: '' }, 'line 2: a session without SenderCompID or TargetCompID'],
  [
    { BeginString: undefined, SenderCompID: undefined },
    'a session without SenderCompID or TargetCompID',
  ],
  [{ SenderCompID: '*' }, 'line 2: * to B is a template: add a session for each counterparty'],
  [{ TargetCompID: '*' }, 'line 2: A to * is a template: add a session for each counterparty'],
  [{ AcceptorTemplate: 'Y' }, 'line 2: A to B is a template: add a session for each counterparty'],
])('%j is left out, and the reason has the line that can be named', (settings, reason) => {
  expect(convert(settings)).toEqual({ kind: 'left_out', reason });
});

test.each(['A B', 'Ä', 'A'.repeat(33)])(
  'CompID %j, which check would refuse, is left out on either side',
  (name) => {
    for (const key of ['SenderCompID', 'TargetCompID']) {
      const found = convert({ [key]: name });
      expect(found.kind === 'left_out' && found.reason).toContain(
        `: ${JSON.stringify(name)} cannot be used, because a CompID has 1 to 32`,
      );
    }
  },
);

test('a CompID of 32 characters is taken', () => {
  expect(taken({ SenderCompID: 'A'.repeat(32) }).user).toBe('a'.repeat(32));
});

test('any user has a name that the configuration takes, and one that it would take is kept', () => {
  assert(
    property(string({ unit: constantFrom(...'aZ9._- é+😀='), maxLength: 50 }), (Username) => {
      const { user } = taken({ Username });
      expect(configName.safeParse(user).success).toBe(true);
    }),
  );
  const names = ['desk.1_A-b', 'Desk One', '__x', '+', '9'].map((Username) => taken({ Username }));
  expect(names.map(({ user }) => user)).toEqual(['desk.1_A-b', 'desk-one', 'x', 'user', '9']);
});

test('two clients never share a user, nor the file of a password, and one client keeps its own', () => {
  const source = record({
    Username: option(string({ unit: constantFrom(...'aA-+1'), minLength: 1, maxLength: 2 }), {
      nil: undefined,
    }),
    SenderCompID: string({ unit: constantFrom(...'aA-+'), minLength: 1, maxLength: 3 }),
  });
  assert(
    property(array(source, { minLength: 1, maxLength: 12 }), (sources) => {
      const userOf = userNames();
      const files = new Map<string, string>();
      for (const { SenderCompID, Username } of sources) {
        const found = convert({ SenderCompID, Username }, userOf);
        if (found.kind === 'left_out') continue;
        expect(configName.safeParse(found.user).success).toBe(true);
        expect(found.config.users).toEqual([found.user]);
        const client = JSON.stringify(Username ?? [SenderCompID]);
        const file = found.user.toLowerCase();
        expect(files.get(file) ?? client).toBe(client);
        files.set(file, client);
      }
      expect(files.size).toBe(new Set(files.values()).size);
    }),
    { numRuns: 40 },
  );
});

test('a client that has to log on with another name than before is named to the user', () => {
  const userOf = userNames();
  const long = 'x'.repeat(33);
  const sources = [
    { Username: 'Desk' },
    { Username: 'desk' },
    { Username: 'Desk' },
    { SenderCompID: 'DESK' },
    { SenderCompID: 'A+B' },
    { SenderCompID: 'C' },
    { Username: `${long}1` },
    { Username: `${long}2` },
  ];
  const told = sources
    .map((source) => taken(source, userOf))
    .map(({ notes, user }) => [user, notes]);
  const note = (pair: string, user: string) => [
    `${pair}: the client logs on with Username(553)=${user}`,
  ];
  expect(told).toEqual([
    ['Desk', []],
    ['desk-2', note('A to B', 'desk-2')],
    ['Desk', []],
    ['desk-3', note('DESK to B', 'desk-3')],
    ['a-b', note('A+B to B', 'a-b')],
    ['c', []],
    ['x'.repeat(32), note('A to B', 'x'.repeat(32))],
    [`${'x'.repeat(30)}-2`, note('A to B', `${'x'.repeat(30)}-2`)],
  ]);
});

test.each(['ResetOnLogon', 'ResetOnLogout', 'ResetOnDisconnect'])(
  'a client that resets because of %s may do so',
  (key) => {
    expect(taken({ [key]: 'Y' }).config.allowReset).toBe(true);
    expect(taken({ [key]: 'N' }).config.allowReset).toBe(false);
  },
);

test.each([
  ['0', undefined],
  ['1', { minHeartBtIntS: 1 }],
  ['4', { minHeartBtIntS: 4 }],
  ['5', undefined],
  ['60', undefined],
  ['61', { maxHeartBtIntS: 61 }],
  ['3600', { maxHeartBtIntS: 3_600 }],
  ['3601', undefined],
])(
  'HeartBtInt=%s widens what the engine accepts only where it has to: %j',
  (HeartBtInt, wanted) => {
    expect(engine({ HeartBtInt })).toEqual(wanted);
  },
);

test('MaxLatency is in seconds, up to a day', () => {
  const of = (MaxLatency: string) => engine({ MaxLatency });
  expect(of('30')).toEqual({ sendingTimeToleranceMs: 30_000 });
  expect(of('86400')).toEqual({ sendingTimeToleranceMs: 86_400_000 });
  expect([of('0'), of('86401'), of('1.5')]).toEqual([undefined, undefined, undefined]);
});

test('the manners of a gateway are taken from its own file, and not from that of a client', () => {
  const manners = {
    ResetOnLogon: 'Y',
    EnableLastMsgSeqNumProcessed: 'Y',
    EnableNextExpectedMsgSeqNum: 'Y',
    LogoutTimeout: '2',
  };
  const wanted = {
    resetsOnLogon: true,
    saysLastProcessed: true,
    saysNextExpected: true,
    logoutWaitMs: 2_000,
  };
  expect(engine({ ...acceptor, ...manners })).toEqual(wanted);
  expect(engine(manners)).toBeUndefined();
  for (const chunk of ['ResendRequestChunkSize', 'MaxMessagesInResendRequest']) {
    expect(engine({ ...acceptor, [chunk]: '500' })).toEqual({ resendChunk: 500 });
  }
});

test('addresses are listed one by one, and hours and what they leave to a person name the session', () => {
  const { config, notes } = taken({
    AllowedRemoteAddresses: '10.0.0.1 ,10.0.0.2',
    StartTime: '08:00:00',
    EndTime: '17:00:00',
    TimeZone: 'Mars/Olympus',
  });
  expect(config.allowFrom).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(notes).toEqual([expect.stringMatching(/^A to B: .*Mars\/Olympus is not known/)]);
  const day = { StartTime: '00:00:00', EndTime: '00:00:00' };
  expect(engine(day)).toEqual({ schedule: { timeZone: 'UTC', start: '00:00', end: '00:00' } });
});
