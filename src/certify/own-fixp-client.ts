/**
 * Our own FIXP client as a counterparty: it certifies itself, and serves as the reference for FIXP clients. It follows
 * the prompts, so no person is needed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { FixpApplication } from '../fixp/application.ts';
import { FixpDirectory } from '../fixp/fixp-directory.ts';
import type { ByteOrder } from '../fixp/framing.ts';
import { fixpSettings, maxSentBytes } from '../fixp/settings.ts';
import { applicationMessage } from './fixp-line.ts';
import { applicationSchema } from './fixp-message.ts';
import { keepConnected, type OwnConnection, ownHosting } from './own-connection.ts';
import type { Hand } from './prompt.ts';

export interface OwnFixpClientOptions extends OwnConnection {
  /** A FIXP client cannot be identified without a user. */
  readonly credentials: { readonly username: string; readonly password: string };
  readonly keepaliveS: number;
  readonly framing?: ByteOrder;
}

const retryMs = 20;

export async function startOwnFixpClient(options: OwnFixpClientOptions): Promise<Hand> {
  const { hosting, close } = await ownHosting();
  const directory = new FixpDirectory(hosting);
  const application: FixpApplication = { onMessage() {} };
  const session = await directory.addClient({
    settings: fixpSettings({
      role: 'initiator',
      principal: options.credentials.username,
      applicationSchemas: new Set([applicationSchema()]),
      maxMessageBytes: maxSentBytes,
      keepaliveMs: options.keepaliveS * 1000,
      byteOrder: options.framing ?? 'big',
      credentials: () => options.credentials,
    }),
    application,
  });
  const connector = keepConnected(options, (link) =>
    directory.attach(session, link, new Uint8Array()),
  );
  let isStopped = false;
  return {
    /** `finish` and `terminate` are instructions for a person; everything else is a message. */
    async act({ who, line }) {
      if (who !== 'client' && who !== 'person') return;
      while (session.phase !== 'established' && !isStopped) await pause(retryMs);
      if (isStopped) return;
      directory.roster.act(session.name, (_, now) => {
        if (line === 'finish') session.finish(now);
        else if (line === 'terminate') session.terminate('The client was asked to', now);
        else session.send(applicationMessage(line, now.wallMs), now);
      });
    },
    async stop() {
      isStopped = true;
      connector.stop();
      directory.close();
      await close();
    },
  };
}
