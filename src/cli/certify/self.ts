/**
 * Certifies the bridge with its own suite: as the server to which we connect, and our client engine as the client that
 * connects to us. No person is needed, because the counterparty is ours and follows the prompts.
 */
import { Certification, type CertificationOptions } from '../../certify/certification.ts';
import { ContraTrader } from '../../certify/contra-trader.ts';
import type { Evidence } from '../../certify/evidence.ts';
import { featureNames, type Interview, parseInterview } from '../../certify/interview.ts';
import { startOwnClient } from '../../certify/own-client.ts';
import { startOwnFixpClient } from '../../certify/own-fixp-client.ts';
import { type Address, calling, listen } from '../../certify/port.ts';
import type { Hand } from '../../certify/prompt.ts';
import type { RunFolder } from '../../certify/run-folder.ts';
import { directions } from '../../certify/scenario.ts';
import { freePort } from '../../runtime/free-port.ts';
import { openCertifyBridge } from './bridge.ts';

/** The sessions on which our own suite is played: each direction, lane and role. */
export const selfSubjects = directions.flatMap((direction) =>
  (['fix', 'fixp'] as const).flatMap((protocol) =>
    (['order-entry', 'drop-copy'] as const).map((role) => ({ direction, protocol, role })),
  ),
);

type SelfSubject = (typeof selfSubjects)[number];

interface SelfOptions
  extends SelfSubject,
    Pick<CertificationOptions, 'catalogue' | 'onEvent' | 'versions'> {
  readonly keptIn: Pick<RunFolder, 'takeUp'>;
  readonly ids?: readonly string[] | undefined;
}

const host = '127.0.0.1';
const names = { senderCompId: 'SELF', targetCompId: 'CAUSEWAY' };
const credentials = { username: 'self', password: 'of-the-certification-of-ourselves' };
const heartBtIntS = 5;
/** A busy machine may not manage one keepalive per second. */
const fixpKeepaliveS = 2;

export async function certifySelf({
  direction,
  protocol,
  role,
  catalogue,
  versions,
  keptIn,
  ids,
  onEvent,
}: SelfOptions): Promise<Evidence> {
  const isServer = direction === 'initiator';
  // If the counterparty is the server, the CompIDs are swapped.
  // A certification closes all but the bridge, once it could be opened.
  await using opened = new AsyncDisposableStack();
  const bridge = await openCertifyBridge({ ...names, credentials, role, protocol });
  opened.defer(() => bridge.stop());
  const ours = protocol === 'fixp' ? bridge.fixpPort : bridge.port;
  const backup = { host, port: bridge.backupPort };
  const interview = selfInterview({ direction, role, protocol, backup }, versions.causeway);
  const port = isServer
    ? calling({ host, port: ours, backup })
    : await listen(host, await freePort({ host, port: 0 }), undefined, backup);
  opened.defer(() => port.close());
  const hand = isServer ? tradingHand(bridge) : await ownClient(protocol, port.port, backup);
  opened.defer(() => hand.stop());
  const certification = new Certification({
    catalogue,
    interview,
    port,
    password: credentials.password,
    bridge: isServer ? undefined : bridge,
    reader: isServer ? { host, port: bridge.port, login: bridge.reader } : undefined,
    hand,
    isAttended: false,
    evidence: (subject) => keptIn.takeUp(subject),
    versions,
    onEvent,
  });
  opened.defer(() => certification.close());
  await certification.run(ids);
  return certification.evidence;
}

function ownClient(protocol: Interview['protocol'], port: number, backup: Address): Promise<Hand> {
  return protocol === 'fixp'
    ? startOwnFixpClient({ host, port, credentials, keepaliveS: fixpKeepaliveS })
    : startOwnClient({ ...names, host, port, backup, heartBtIntS, credentials });
}

/** Acts like the counterparty's own staff: another participant trades, or the venue has a fault. */
function tradingHand(bridge: Awaited<ReturnType<typeof openCertifyBridge>>): Hand {
  const traders = new Map<string, ContraTrader>();
  return {
    async act({ who, line }) {
      if (who === 'venue') return bridge.venue(line);
      if (who === 'bridge') return bridge.act(line);
      let trader = traders.get(who);
      if (trader?.isOpen !== true) {
        const { host, port, contra, other } = bridge;
        const login = who === 'contra' ? contra : other;
        trader = await ContraTrader.logon({ host, port, login });
        traders.set(who, trader);
      }
      await trader.trade(line);
    },
    tidy: () => bridge.tidy(),
    async stop() {
      for (const trader of traders.values()) trader.end();
    },
  };
}

function selfInterview(
  { direction, role, protocol, backup }: SelfSubject & { readonly backup: Address },
  version: string,
): Interview {
  const isServer = direction === 'initiator';
  const own = isServer
    ? { senderCompId: names.targetCompId, targetCompId: names.senderCompId }
    : names;
  const without = [
    role === 'order-entry' ? 'dropCopy' : 'orders',
    ...(isServer ? ['announces', 'tls', 'mutualTls'] : ['resetAtLogon', 'nextExpected', 'tls']),
  ];
  return parseInterview(
    JSON.stringify({
      counterparty: {
        name: 'Causeway',
        software: isServer ? 'causeway gateway' : 'causeway client engine',
        version,
      },
      direction,
      protocol,
      session: { ...own, heartBtInt: protocol === 'fixp' ? fixpKeepaliveS : heartBtIntS },
      address: { port: 0, backup },
      credentials: { username: credentials.username, passwordFile: 'none' },
      reader: { senderCompId: 'OTHER', username: 'other', passwordFile: 'none' },
      features: featureNames.filter((feature) => !without.includes(feature)),
      patience: { connectS: 20, answerS: 10, soakS: 6 },
    }),
    'the interview of ourselves',
  );
}
