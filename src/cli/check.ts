/** `causeway check`: reads a configuration and every file in it, and reports all errors before anything opens. */

import { isClusterFile } from '../cluster/cluster-config.ts';
import type { Market } from '../domain/instrument.ts';
import { configJsonSchema } from '../gateway/config/config.ts';
import { unlistedMarkets } from '../gateway/config/config-checks.ts';
import { ConfigError, configHeading, type LoadedConfig } from '../gateway/config/config-file.ts';
import { venueUrl } from '../gateway/config/venue-url.ts';
import { databaseOf, inspectedDatabase } from '../gateway/data/shard-store.ts';
import { checkPassphrases, checkSignerFile } from '../gateway/signing.ts';
import { systemClock } from '../runtime/clock.ts';
import { FileFaults, faultParts } from '../runtime/yaml.ts';
import { inspectLedger } from '../signer/ledger-tables.ts';
import { ledgerPlaceOf } from '../signer/open-signer.ts';
import { durabilityOf } from '../signer/signer-config.ts';
import type { DatabaseFindings } from '../store/postgres/inspect.ts';
import { Credentials } from '../venue/credentials.ts';
import { HttpClient } from '../venue/http-client.ts';
import { loadProfile, type Profile } from '../venue/profile.ts';
import { VenueReads } from '../venue/venue-reads.ts';
import { adviceFor } from './advice.ts';
import { checkedCluster, checkedConfig, configNotes, signerNotes } from './checked-config.ts';
import { command } from './command.ts';
import { flag, text } from './options.ts';
import { exitCodes, UsageError } from './verb.ts';

export const verb = command({
  summary: 'check a configuration without opening anything',
  forms: ['--config FILE [--node NAME] [--online]', '--signer FILE [--online]', '--schema'],
  options: {
    config: text(
      'FILE',
      'the configuration of a bridge or of a cluster: report each fault with its line and key',
    ),
    node: text('NAME', 'of a cluster only this node, and only the files that it needs'),
    online: flag('also ask the venue which markets it lists, and the database'),
    signer: text('FILE', 'the configuration of a signer, its keystores and passphrase files'),
    schema: flag('print the JSON Schema of the configuration, for editors'),
  },
  examples: [
    'causeway check --config config/gateway.yaml',
    'causeway check --config config/cluster.yaml --node n1',
    'causeway check --signer config/signer.yaml',
    'causeway check --schema > gateway.schema.json',
  ],
  async run({ config, node, online, signer, schema, json }) {
    if (schema) {
      console.log(JSON.stringify(configJsonSchema(), null, 2));
      return exitCodes.done;
    }
    const file = config ?? signer;
    if (file === undefined || (config !== undefined && signer !== undefined)) {
      throw new UsageError('one of --config FILE, --signer FILE and --schema is needed');
    }
    if (node !== undefined && (config === undefined || !isClusterFile(config))) {
      throw new UsageError('--node needs --config FILE with the configuration of a cluster');
    }
    let warnings: readonly string[] = [];
    try {
      if (config === undefined) warnings = await checkSigner(file, online);
      else warnings = await checkBridge(config, node, online);
    } catch (error) {
      if (!json || !(error instanceof Error)) throw error;
      const faults = error instanceof FileFaults ? error.faults : [error.message];
      console.log(JSON.stringify({ ok: false, faults: faults.map(faultParts) }));
      return exitCodes[adviceFor(error, 'check').outcome];
    }
    if (json) console.log(JSON.stringify({ ok: true, warnings }));
    else {
      for (const warning of warnings) console.log(`warning: ${warning}`);
      console.log(`${file}: OK`);
    }
    return exitCodes.done;
  },
});

async function checkBridge(
  file: string,
  node: string | undefined,
  online: boolean,
): Promise<readonly string[]> {
  const loaded = isClusterFile(file) ? await checkedCluster(file, node) : await checkedConfig(file);
  const { signer } = loaded.config;
  if (signer?.mode === 'inline') await checkPassphrases(loaded.path(signer.configFile));
  const unlisted = online
    ? unlistedMarkets(loaded, await listedMarkets(loaded, loaded.profile))
    : [];
  if (unlisted.length > 0) {
    throw new ConfigError(configHeading, unlisted);
  }
  const database = online ? await checkDatabase(loaded) : [];
  return [...loaded.warnings, ...configNotes(loaded), ...database];
}

/** Returns warnings about the database; throws if the bridge would not start with it. */
async function checkDatabase(loaded: LoadedConfig): Promise<readonly string[]> {
  const place = databaseOf(loaded);
  if (place === undefined) return [];
  const found = await inspectedDatabase(loaded, place);
  return warningsIn(found, configHeading, loaded.at(['store', 'postgres']));
}

function warningsIn({ faults, warnings }: DatabaseFindings, heading: string, place: string) {
  const at = (text: string) => `${place}: ${text}`;
  if (faults.length > 0) throw new ConfigError(heading, faults.map(at));
  return warnings.map(at);
}

/** The markets that the venue currently lists, requested with the first account's credential. */
async function listedMarkets(
  { config, credentials }: LoadedConfig,
  profile: Profile,
): Promise<readonly Market[]> {
  const [credential] = credentials.values();
  if (credential === undefined) throw new Error('no account has a credential');
  const http = new HttpClient({
    baseUrl: venueUrl(config, profile),
    rules: profile.http,
    clock: systemClock,
    auth: new Credentials(profile.auth.http, credential, () => {}),
    maxSkewMs: profile.auth.http.maxSkewMs,
  });
  try {
    return await new VenueReads(http, profile).markets();
  } finally {
    await http.close();
  }
}

async function checkSigner(file: string, online: boolean): Promise<readonly string[]> {
  const config = checkSignerFile(file, null);
  loadProfile(config.profile);
  await checkPassphrases(file);
  const place = online ? ledgerPlaceOf(config) : undefined;
  if (place === undefined) return signerNotes(config);
  const isStrict = config.environment === 'mainnet';
  const found = await inspectLedger(place, durabilityOf(config), isStrict);
  const heading = "the signer's database is not ready:";
  return [...signerNotes(config), ...warningsIn(found, heading, `${file}: ledger.postgres`)];
}
