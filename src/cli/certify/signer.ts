/**
 * The signer of a bridge during a certification. It is behind a socket, like a separate process, so that it can be made
 * unavailable.
 */

import { readSignerFile } from '../../gateway/signing.ts';
import { openSignerCore } from '../../signer/open-signer.ts';
import { serveSigner } from '../../signer/signer-server.ts';
import { loadProfile } from '../../venue/profile.ts';

export class CertifySigner {
  readonly #configFile: string;
  /** The run's folder is new, so nothing has been signed before. */
  #isFirst = true;
  #stop: (() => Promise<void>) | undefined;

  constructor(configFile: string) {
    this.#configFile = configFile;
  }

  async start(): Promise<void> {
    if (this.#stop !== undefined) return;
    const config = readSignerFile(this.#configFile, null);
    const { core, close } = await openSignerCore({
      config,
      contract: loadProfile(config.profile),
      askPassphrase: (keystore) => Promise.reject(new Error(`${keystore} has no passphraseFile`)),
      alarm: () => {},
      mayCreateLedger: this.#isFirst,
    });
    this.#isFirst = false;
    const server = await serveSigner(core, config, { report() {}, ended() {} });
    this.#stop = async () => {
      await server.close();
      await close();
    };
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    this.#stop = undefined;
  }
}
