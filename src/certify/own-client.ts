/**
 * Our own client engine as a counterparty: it certifies itself, and serves as the reference for clients. It follows the
 * prompts, so no person is needed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '../fix/application.ts';
import { causeway44 } from '../fix/dictionaries.ts';
import { FieldWriter } from '../fix/field-writer.ts';
import { SessionDirectory } from '../fix/session-directory.ts';
import { sessionSettings } from '../fix/session-settings.ts';
import { parseLine } from './line.ts';
import { keepConnected, type OwnConnection, ownHosting } from './own-connection.ts';
import type { Hand } from './prompt.ts';

export interface OwnClientOptions extends OwnConnection {
  readonly senderCompId: string;
  readonly targetCompId: string;
  readonly heartBtIntS: number;
}

/** The message types that a client of the bridge accepts; it refuses others. */
const understood = new Set([
  ...['8', '9', 'j', 'r', 'b', 'AI', 'B', 'f', 'h', 'y', 'W', 'Y'],
  ...['UA', 'UT', 'UO', 'AE', 'AQ', 'AR'],
]);
const lookMs = 10;

export async function startOwnClient(options: OwnClientOptions): Promise<Hand> {
  const { hosting, close } = await ownHosting();
  const directory = new SessionDirectory({ dictionary: causeway44(), ...hosting });
  const { senderCompId, targetCompId, heartBtIntS, credentials } = options;
  const application: Application = { onMessage() {} };
  const session = await directory.add({
    settings: sessionSettings({
      identity: { senderCompId, targetCompId },
      role: 'initiator',
      heartBtIntS,
      minHeartBtIntS: 1,
      allowsReset: true,
      offered: understood,
      ...(credentials && { credentials: () => credentials }),
    }),
    application,
  });
  const connector = keepConnected(options, (link) =>
    directory.attach(session, link, new Uint8Array()),
  );
  const { roster } = directory;
  const { name } = session;
  /** Starts a new day of the session, once its last connection has ended. */
  const beginAnew = async () => {
    roster.stop(name);
    while (!roster.setNumbers(name, 1, 1)) await pause(lookMs);
    roster.start(name);
  };
  return {
    async act({ who, line }) {
      if (line === 'reset') await beginAnew();
      if (who !== 'client') return;
      const { msgType, fields } = parseLine(line);
      const body = new FieldWriter();
      for (const [tag, value] of fields) if (tag !== 97) body.text(Number(tag), value);
      const isResend = fields.some(([tag, value]) => tag === 97 && value === 'Y');
      roster.act(name, (session, now) => {
        session.send(msgType, body.bytes, now, isResend ? { possResend: true } : undefined);
      });
    },
    async stop() {
      connector.stop();
      directory.close();
      await close();
    },
  };
}
