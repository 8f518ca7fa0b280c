/** Settings for a session's client with common engines: QuickFIX C++, J, n, and jspurefix. */
import type { FixSessionConfig } from '../../gateway/config/config.ts';
import { type Engine, hoursOf } from './client-hours.ts';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Whether the connecting side must present a certificate, too. */
  readonly asksCertificate: boolean;
}

export const dictionaryName = 'CAUSEWAY44.xml';
const usualHeartBtIntS = 30;

/** File name and content, without passwords: the client adds its own in `toAdmin`, or in the marked place. */
export function clientSettings(
  session: FixSessionConfig,
  endpoint: Endpoint,
): Readonly<Record<string, string>> {
  return {
    'quickfix-cpp.cfg': quickfix('cpp', session, endpoint),
    'quickfix-j.cfg': quickfix('j', session, endpoint),
    'quickfix-n.cfg': quickfix('n', session, endpoint),
    'jspurefix.json': jspurefix(session, endpoint),
  };
}

/** Each engine has its own key for the precision of times; QuickFIX C++ always uses milliseconds. */
const milliseconds: Readonly<Record<Engine, readonly string[]>> = {
  cpp: [],
  j: ['TimeStampPrecision=MILLIS'],
  n: ['TimeStampPrecision=Millisecond'],
};

const tlsOf: Readonly<Record<Engine, (endpoint: Endpoint) => readonly string[]>> = {
  cpp: ({ asksCertificate }) => [
    '# TLS: construct FIX::SSLSocketInitiator (of a build with SSL) instead of FIX::SocketInitiator.',
    'CertificationAuthoritiesFile=ca.pem',
    'CertificateVerifyLevel=1',
    ...(asksCertificate
      ? ['ClientCertificateFile=client.pem', 'ClientCertificateKeyFile=client.key']
      : []),
  ],
  j: ({ asksCertificate }) => [
    'SocketUseSSL=Y',
    'EnabledProtocols=TLSv1.2,TLSv1.3',
    'EndpointIdentificationAlgorithm=HTTPS',
    '# Who signed the certificate of the bridge; without these two, those whom Java trusts.',
    '# SocketTrustStore=trust.p12',
    '# SocketTrustStorePassword=',
    ...(asksCertificate
      ? ['SocketKeyStore=client.p12', 'KeyStoreType=PKCS12', '# SocketKeyStorePassword=']
      : []),
  ],
  n: ({ asksCertificate, host }) => [
    'SSLEnable=Y',
    `SSLServerName=${host}`,
    'SSLValidateCertificates=Y',
    '# Who signed the certificate of the bridge; without it, those whom the system trusts.',
    '# SSLCACertificate=ca.pem',
    ...(asksCertificate ? ['SSLCertificate=client.pfx', '# SSLCertificatePassword='] : []),
  ],
};

/** Comments are separate lines, because QuickFIX treats text after a value as part of it. */
function quickfix(engine: Engine, session: FixSessionConfig, endpoint: Endpoint): string {
  const { senderCompId, targetCompId } = session;
  const { host, port, isTls } = endpoint;
  const isCalled = session.connect !== undefined;
  const place = isCalled
    ? [`SocketAcceptPort=${port}`]
    : [`SocketConnectHost=${host}`, `SocketConnectPort=${port}`];
  return text([
    `# ${senderCompId} to ${targetCompId}. ${loginNote(session, engine)}`,
    '[DEFAULT]',
    `ConnectionType=${isCalled ? 'acceptor' : 'initiator'}`,
    ...(isCalled ? [] : ['ReconnectInterval=5']),
    'FileStorePath=store',
    'FileLogPath=log',
    ...milliseconds[engine],
    '',
    '[SESSION]',
    'BeginString=FIX.4.4',
    `SenderCompID=${senderCompId}`,
    `TargetCompID=${targetCompId}`,
    ...place,
    `HeartBtInt=${heartBtIntOf(session)}`,
    'UseDataDictionary=Y',
    `DataDictionary=${dictionaryName}`,
    'ValidateUserDefinedFields=Y',
    'PersistMessages=Y',
    ...hoursOf(session, engine),
    ...(isTls ? tlsOf[engine](endpoint) : []),
  ]);
}

function loginNote({ connect, users }: FixSessionConfig, engine: Engine): string {
  if (connect !== undefined) {
    return `The bridge connects to you, as Username(553) ${connect.username ?? 'of nobody'}.`;
  }
  const java =
    engine === 'j' ? ', or by LogonTag=553=… and LogonTag1=554=… where your version has them' : '';
  return `Username(553) is ${users[0]}; set it and Password(554) in toAdmin${java}.`;
}

function heartBtIntOf({ engine: { minHeartBtIntS, maxHeartBtIntS } }: FixSessionConfig): number {
  return Math.min(Math.max(usualHeartBtIntS, minHeartBtIntS), maxHeartBtIntS);
}

function jspurefix(session: FixSessionConfig, { host, port, isTls }: Endpoint): string {
  const { senderCompId, targetCompId, users, connect } = session;
  return text([
    JSON.stringify(
      {
        application: {
          reconnectSeconds: 5,
          type: connect === undefined ? 'initiator' : 'acceptor',
          name: senderCompId,
          protocol: 'ascii',
          // jspurefix looks for dictionaries only below its own folder; it ships this one.
          dictionary: 'qf44',
          tcp: { host, port, ...(isTls && { tls: { timeout: 10_000 } }) },
        },
        Username: users[0],
        Password: 'PASSWORD',
        EncryptMethod: 0,
        ResetSeqNumFlag: false,
        HeartBtInt: heartBtIntOf(session),
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
