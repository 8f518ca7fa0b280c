/** Settings with which the clients that people have log on to a session: QuickFIX C++, J, n, and jspurefix. */
import type { FixSessionConfig } from '../../gateway/config.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

export const dictionaryName = 'CAUSEWAY44.xml';

/** File name and content; passwords are never in them: a client adds its own in `toAdmin`, or in the marked place. */
export function clientSettings(
  session: FixSessionConfig,
  endpoint: Endpoint,
): Readonly<Record<string, string>> {
  return {
    'quickfix-cpp.cfg': quickfixCpp(session, endpoint),
    'quickfix-j.cfg': quickfixJ(session, endpoint),
    'quickfix-n.cfg': quickfixN(session, endpoint),
    'jspurefix.json': jspurefix(session, endpoint),
  };
}

function common({ senderCompId, targetCompId, users }: FixSessionConfig, endpoint: Endpoint) {
  return {
    head: [
      `# ${senderCompId} to ${targetCompId}. Username(553) is ${users[0]}; set it and Password(554) in toAdmin.`,
      '[DEFAULT]',
      'ConnectionType=initiator',
      'ReconnectInterval=5',
    ],
    session: [
      '[SESSION]',
      'BeginString=FIX.4.4',
      `SenderCompID=${senderCompId}`,
      `TargetCompID=${targetCompId}`,
      `SocketConnectHost=${endpoint.host}`,
      `SocketConnectPort=${endpoint.port}`,
      'HeartBtInt=30',
      'StartTime=00:00:00',
      'EndTime=00:00:00',
      'UseDataDictionary=Y',
      `DataDictionary=${dictionaryName}`,
      'ValidateUserDefinedFields=Y',
      'PersistMessages=Y',
      'ResetOnLogon=N',
      'ResetOnLogout=N',
      'ResetOnDisconnect=N',
    ],
  };
}

function quickfixCpp(session: FixSessionConfig, endpoint: Endpoint): string {
  const { head, session: lines } = common(session, endpoint);
  const tls = endpoint.isTls ? ['SSLEnable=Y', 'CertificateVerifyLevel=1'] : [];
  return text([...head, 'FileStorePath=store', 'FileLogPath=log', '', ...lines, ...tls]);
}

function quickfixJ(session: FixSessionConfig, endpoint: Endpoint): string {
  const { head, session: lines } = common(session, endpoint);
  const tls = endpoint.isTls ? ['SocketUseSSL=Y', 'EndpointIdentificationAlgorithm=HTTPS'] : [];
  const java = ['FileStorePath=store', 'FileLogPath=log', 'TimeStampPrecision=MILLIS'];
  return text([...head, ...java, '', ...lines, 'NonStopSession=Y', ...tls]);
}

function quickfixN(session: FixSessionConfig, endpoint: Endpoint): string {
  const { head, session: lines } = common(session, endpoint);
  const tls = endpoint.isTls ? ['SSLEnable=Y', `SSLServerName=${endpoint.host}`] : [];
  const net = ['FileStorePath=store', 'FileLogPath=log', 'TimeStampPrecision=Millisecond'];
  return text([...head, ...net, '', ...lines, 'NonStopSession=Y', ...tls]);
}

function jspurefix(
  { senderCompId, targetCompId, users }: FixSessionConfig,
  { host, port, isTls }: Endpoint,
): string {
  return text([
    JSON.stringify(
      {
        application: {
          reconnectSeconds: 5,
          type: 'initiator',
          name: senderCompId,
          protocol: 'ascii',
          // It looks for dictionaries below its own folder only; this one it ships.
          dictionary: 'qf44',
          tcp: { host, port, ...(isTls && { tls: { timeout: 10_000 } }) },
        },
        Username: users[0],
        Password: 'PASSWORD',
        EncryptMethod: 0,
        ResetSeqNumFlag: false,
        HeartBtInt: 30,
        SenderCompId: senderCompId,
        TargetCompID: targetCompId,
        BeginString: 'FIX.4.4',
        BodyLengthChars: 6,
      },
      null,
      2,
    ),
  ]);
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
