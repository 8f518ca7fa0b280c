/**
 * The bridge certified by its own suite: as the server that we call, and our client engine as the client that calls
 * us. Nobody is needed, because the counterparty is ours and does what it is asked.
 */

import { Certification, type CertificationEvent } from '../certify/certification.ts';
import { Contra } from '../certify/contra.ts';
import { featureNames, type Interview, parseInterview } from '../certify/interview.ts';
import { OwnClient } from '../certify/own-client.ts';
import { calling, listen } from '../certify/port.ts';
import type { Hand } from '../certify/prompt.ts';
import type { RunRecord } from '../certify/record.ts';
import type { Catalogue, Direction } from '../certify/scenario.ts';
import { openCertifyBridge } from './certify-bridge.ts';

/** What our sessions are for; each is certified by itself. */
export const selfRoles = ['order-entry', 'drop-copy'] as const;

export interface SelfOptions {
  readonly role: (typeof selfRoles)[number];
  readonly catalogue: Catalogue;
  readonly versions: Pick<RunRecord, 'causeway' | 'dictionaryHash'>;
  readonly ids?: readonly string[] | undefined;
  readonly told?: (event: CertificationEvent) => void;
}

const host = '127.0.0.1';
const names = { senderCompId: 'SELF', targetCompId: 'CAUSEWAY' };
const credentials = { username: 'self', password: 'of-the-certification-of-ourselves' };
const heartBtIntS = 5;

export async function certifySelf(
  direction: Direction,
  { catalogue, versions, ids, role, told }: SelfOptions,
): Promise<RunRecord> {
  const isServer = direction === 'initiator';
  const interview = selfInterview(direction, role, versions.causeway);
  // Of a server, the counterparty's CompIDs are the other way round.
  const bridge = await openCertifyBridge({ ...names, credentials, role });
  const port = isServer ? calling(host, bridge.port) : await listen(host, 0);
  const hand: Hand = isServer
    ? tradingHand(bridge)
    : await OwnClient.start({ ...names, host, port: port.port, heartBtIntS, credentials });
  const certification = new Certification({
    catalogue,
    interview,
    port,
    password: credentials.password,
    bridge: isServer ? undefined : bridge,
    hand,
    isAttended: false,
    versions,
    ...(told && { told }),
  });
  try {
    return await certification.run(ids);
  } finally {
    await certification.close();
    await bridge.stop();
  }
}

/** What the counterparty's own people would do: another participant trades, the venue has a fault. */
function tradingHand(bridge: Awaited<ReturnType<typeof openCertifyBridge>>): Hand {
  let contra: Contra | undefined;
  return {
    async act({ who, line }) {
      if (who === 'venue') await bridge.venue(line);
      if (who !== 'contra') return;
      if (contra?.isOpen !== true) {
        contra = await Contra.logon(bridge.host, bridge.port, bridge.contra);
      }
      await contra.trade(line);
    },
    tidy: () => bridge.tidy(),
    async stop() {
      contra?.end();
    },
  };
}

function selfInterview(
  direction: Direction,
  role: SelfOptions['role'],
  version: string,
): Interview {
  const isServer = direction === 'initiator';
  const own = isServer
    ? { senderCompId: names.targetCompId, targetCompId: names.senderCompId }
    : names;
  const without = [
    role === 'order-entry' ? 'dropCopy' : 'orders',
    ...(isServer ? [] : ['resetAtLogon', 'nextExpected']),
  ];
  return parseInterview(
    JSON.stringify({
      counterparty: {
        name: 'Causeway',
        software: isServer ? 'causeway gateway' : 'causeway client engine',
        version,
      },
      direction,
      session: { ...own, heartBtInt: heartBtIntS },
      address: { port: 0 },
      credentials: { username: credentials.username, passwordFile: 'none' },
      features: featureNames.filter((feature) => !without.includes(feature)),
      patience: { connectS: 5, answerS: 3 },
    }),
    'the interview of ourselves',
  );
}
