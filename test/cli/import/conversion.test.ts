import { expect, test } from 'vitest';
import { convert } from '../../../src/cli/import/conversion.ts';
import { parseQuickfix } from '../../../src/cli/import/quickfix-settings.ts';
import { configSchema } from '../../../src/gateway/config.ts';

const converted = (text: string) => {
  const { config, ...rest } = convert(parseQuickfix(text));
  return { config: configSchema.parse(config), ...rest };
};

const session = 'BeginString=FIX.4.4\nSenderCompID=A\nTargetCompID=B\n';

test('the file of a client gives the session of that client', () => {
  const { config, faults } = converted(
    `[DEFAULT]\nConnectionType=initiator\n[SESSION]\n${session}SocketConnectPort=5001\nResetOnLogon=Y\n`,
  );
  expect(faults).toEqual([]);
  expect(config.fix.listen).toEqual({ host: '127.0.0.1', port: 5001 });
  expect(config.sessions).toMatchObject([
    { senderCompId: 'A', targetCompId: 'B', users: ['a'], allowReset: true },
  ]);
});

test('the file of a gateway that goes gives the sessions of its clients', () => {
  const { config } = converted(
    `[DEFAULT]\nConnectionType=acceptor\nSocketAcceptPort=9000\nSocketAcceptAddress=0.0.0.0\nSocketUseSSL=Y\n` +
      `[SESSION]\n${session}AllowedRemoteAddresses=10.0.0.1, 10.0.0.2\n[SESSION]\n${session.replace('=B', '=C')}`,
  );
  expect(config.fix.listen).toEqual({ host: '0.0.0.0', port: 9000 });
  expect(config.fix.tls).toEqual({ certFile: 'tls/server.pem', keyFile: 'tls/server.key' });
  expect(config.sessions.map(({ senderCompId }) => senderCompId)).toEqual(['B', 'C']);
  expect(config.sessions[0]).toMatchObject({
    targetCompId: 'A',
    allowFrom: ['10.0.0.1', '10.0.0.2'],
  });
});

test('every setting has a fate, and a password is shown nowhere', () => {
  const found = converted(
    `[SESSION]\n${session}Password=hunter2\nStartTime=00:00:00\nHeartBtInt=30\nColour=blue\nValidateUserDefinedFields=Y\n`,
  );
  expect(found.fates.map(({ key, fate }) => [key, fate])).toEqual([
    ['BeginString', 'taken'],
    ['SenderCompID', 'taken'],
    ['TargetCompID', 'taken'],
    ['Password', 'none'],
    ['StartTime', 'none'],
    ['HeartBtInt', 'always'],
    ['Colour', 'unknown'],
    ['ValidateUserDefinedFields', 'taken'],
  ]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
  expect(found.config.profiles).toMatchObject({ strict: { strictTags: true } });
});

test.each([
  [session.replace('4.4', '4.2'), 'line 2: A to B speaks FIX.4.2, not FIX.4.4'],
  ['BeginString=FIX.4.4\nSenderCompID=A\n', 'a session without SenderCompID or TargetCompID'],
])('%j cannot be converted, and says why', (text, fault) => {
  expect(convert(parseQuickfix(`[SESSION]\n${text}`)).faults).toEqual([fault]);
});

test('a user has a name that the configuration takes', () => {
  for (const name of ['Desk One', '__x', '*', 'x'.repeat(32)]) {
    const { config } = converted(
      `[SESSION]\n${session.replace('=A', `=${name.replace(/ /g, '_')}`)}`,
    );
    expect(config.users).toHaveLength(1);
  }
});
