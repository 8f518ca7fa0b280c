import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/gateway/config.ts';
import { openGatewaySigner } from '../../src/gateway/signing.ts';
import { GoldenVectorError } from '../../src/signer/golden-vectors.ts';
import { loadProfile } from '../../src/venue/profile.ts';

const profile = loadProfile(join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'));
const config = configSchema.parse({
  environment: 'local',
  dataDir: 'data',
  roles: ['drop-copy'],
  venue: { profile: 'venue.yaml' },
  accounts: [
    {
      name: 'desk',
      account: `0x${'1'.repeat(40)}`,
      apiKeyFile: 'k',
      apiSecretFile: 's',
      passphraseFile: 'p',
    },
  ],
  fix: { listen: { port: 0 } },
  users: [{ name: 'alpha', secretHashFile: 'h' }],
  sessions: [
    {
      senderCompId: 'ALPHA',
      targetCompId: 'CAUSEWAY',
      role: 'drop-copy',
      users: ['alpha'],
      accounts: ['desk'],
    },
  ],
});
const elsewhere = {
  ...config,
  signer: { mode: 'process' as const, socket: '/nowhere/signer.sock' },
};

test('R17: the bridge recomputes the vectors of its own profile, wherever the signer runs', async () => {
  const [first, ...others] = profile.signing.goldenVectors;
  if (first === undefined) throw new Error('no vectors');
  const wrong = { ...first, actionHash: `0x${'0'.repeat(64)}` };
  const signing = { ...profile.signing, goldenVectors: [...others, wrong] };
  const loaded = {
    config: elsewhere,
    credentials: new Map(),
    users: new Map(),
    connectPasswords: new Map(),
    operators: new Map(),
    path: (file: string) => file,
  };
  const opening = openGatewaySigner(loaded, { ...profile, signing }, () => {});
  await expect(opening).rejects.toThrow(GoldenVectorError);
});
