import { expect, test } from 'vitest';
import { convert } from '../../../src/cli/import/conversion.ts';
import { parseQuickfix } from '../../../src/cli/import/quickfix-settings.ts';
import { configSchema } from '../../../src/gateway/config/config.ts';

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
    ['StartTime', 'taken'],
    ['HeartBtInt', 'taken'],
    ['Colour', 'unknown'],
    ['ValidateUserDefinedFields', 'taken'],
  ]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
  expect(found.config.profiles).toMatchObject({ strict: { strictTags: true } });
});

test.each([
  'SocketKeyStorePassword=hunter2',
  'JdbcURL=jdbc:mysql://root:hunter2@db/quickfix',
  'OdbcStoreConnectionString=DSN=quickfix;PWD=hunter2',
  'LogonTag1=553=hunter2',
])('the secret in %s is shown nowhere', (setting) => {
  const { fates } = converted(`[SESSION]\n${session}${setting}\n`);
  expect(fates.at(-1)).toMatchObject({ key: setting.split('=')[0], value: '…' });
  expect(JSON.stringify(fates)).not.toContain('hunter2');
});

test('a file without any session that can be taken is refused with the reasons', () => {
  const text = `[SESSION]\n${session.replace('4.4', '4.2')}`;
  const faults = ['line 2: A to B speaks FIX.4.2, not FIX.4.4'];
  expect(convert(parseQuickfix(text)).faults).toEqual(faults);
});

test('sessions that have no counterpart are left out by name, and the others are taken', () => {
  const { config, faults, leftOut } = converted(
    `[DEFAULT]\nConnectionType=acceptor\n[SESSION]\n${session.replace('4.4', '4.0')}[SESSION]\n${session}[SESSION]\n${session}`,
  );
  expect(faults).toEqual([]);
  expect(config.sessions).toHaveLength(1);
  expect(leftOut).toEqual([
    'line 4: A to B speaks FIX.4.0, not FIX.4.4',
    'B to A is listed more than once',
  ]);
});

test('clients whose names differ only in case, or only in characters that no name has, are different users', () => {
  const clients = ['DESK', 'desk', 'DE+SK', 'DE/SK'];
  const { config, faults, toDo } = converted(
    `[DEFAULT]\nBeginString=FIX.4.4\nTargetCompID=B\n${clients.map((name) => `[SESSION]\nSenderCompID=${name}\n`).join('')}`,
  );
  expect(faults).toEqual([]);
  expect(config.sessions.map(({ senderCompId, users }) => [senderCompId, ...users])).toEqual([
    ['DESK', 'desk'],
    ['desk', 'desk-2'],
    ['DE+SK', 'de-sk'],
    ['DE/SK', 'de-sk-2'],
  ]);
  const files = config.users.map(({ secretHashFile }) => secretHashFile);
  expect(new Set(files).size).toBe(clients.length);
  expect(toDo).toContain('desk to B: the client logs on with Username(553)=desk-2');
});

test('hours, latency, heartbeats and resends of a gateway are those of the session', () => {
  const { config, toDo } = converted(
    `[SESSION]\n${session}ConnectionType=acceptor\nStartTime=08:00:00\nEndTime=17:30:59\nTimeZone=Europe/Zurich\n` +
      'Weekdays=Mon,Tue\nMaxLatency=30\nHeartBtInt=120\nResetOnLogon=Y\nEnableLastMsgSeqNumProcessed=Y\n' +
      'EnableNextExpectedMsgSeqNum=Y\nResendRequestChunkSize=500\nLogoutTimeout=2\nUseTCPProxy=Y\n',
  );
  expect(config.sessions[0]).toMatchObject({
    allowReset: true,
    engine: {
      schedule: {
        timeZone: 'Europe/Zurich',
        days: [1, 2],
        startS: 28_800,
        endS: 63_059,
        lengthDays: 0,
      },
      sendingTimeToleranceMs: 30_000,
      maxHeartBtIntS: 120,
      resetsOnLogon: true,
      saysLastProcessed: true,
      saysNextExpected: true,
      resendChunk: 500,
      logoutWaitMs: 2_000,
    },
  });
  expect(config.fix.proxies).toEqual(['127.0.0.1']);
  expect(toDo).toContain('Put the addresses of the balancers into fix.proxies.');
});

test("a client's file says nothing of the manners and the certificates of the gateway", () => {
  const { config } = converted(
    `[SESSION]\n${session}ConnectionType=initiator\nLogoutTimeout=2\nResetOnLogon=Y\nCertificationAuthoritiesFile=ca.pem\nCertificateVerifyLevel=1\n`,
  );
  const [own] = config.sessions;
  expect(own?.protocol === 'fix' && own.engine).toMatchObject({ resetsOnLogon: false });
  expect(config.fix.tls).toEqual({ certFile: 'tls/server.pem', keyFile: 'tls/server.key' });
});

test('the files of TLS that QuickFIX C++ names are taken, and a gateway that asks goes on asking', () => {
  const { config } = converted(
    `[SESSION]\n${session}ConnectionType=acceptor\nServerCertificateFile=a.pem\nServerCertificateKeyFile=a.key\nCertificateVerifyLevel=1\n`,
  );
  expect(config.fix.tls).toEqual({
    certFile: 'a.pem',
    keyFile: 'a.key',
    clientCaFile: 'tls/clients.pem',
  });
});

test.each([
  'ClientCertificateFile=c.pem',
  'SocketUseSSL=Y\nSocketKeyStore=c.jks',
  'SSLEnable=Y\nSSLCertificate=c.pfx',
])('a client that shows a certificate (%j) is asked for it by the gateway', (setting) => {
  const { config, toDo } = converted(`[SESSION]\n${session}ConnectionType=initiator\n${setting}\n`);
  expect(config.fix.tls).toMatchObject({ clientCaFile: 'tls/clients.pem' });
  expect(toDo.join()).toContain('certificateSha256');
});

test.each([
  ['initiator', '', '127.0.0.1', 'only this machine reaches'],
  ['acceptor', '', '0.0.0.0', 'QuickFIX listened on every interface'],
  ['acceptor', 'SocketAcceptAddress=10.0.0.5\n', '10.0.0.5', 'as in the settings'],
])('the file of an %s with %j listens on %s, and says so', (type, setting, host, words) => {
  const { config, toDo } = converted(`[SESSION]\n${session}ConnectionType=${type}\n${setting}`);
  expect(config.fix.listen.host).toBe(host);
  expect(toDo[0]).toContain(words);
});

test('several ports become one, and the clients to be told are named by theirs', () => {
  const { config, toDo } = converted(
    `[DEFAULT]\nConnectionType=acceptor\n[SESSION]\n${session}SocketAcceptPort=9001\n[SESSION]\n${session.replace('=B', '=C')}SocketAcceptPort=9002\n`,
  );
  expect(config.fix.listen.port).toBe(9001);
  expect(toDo).toContain('Sessions used ports 9001, 9002; all use 9001 now: inform the clients.');
});

test('a port that is none gives the usual one', () => {
  expect(converted(`[SESSION]\n${session}SocketConnectPort=99999\n`).config.fix.listen.port).toBe(
    9880,
  );
});
