/** docs/CONFIGURATION.md, from the schemas of the configurations; a test compares it with the file. */
import { heading, markdown, type Row, table, words } from '../../src/cli/roe/document.ts';
import { clusterSchema } from '../../src/cluster/cluster-config.ts';
import { type Config, configSchema, startOnlyChanges } from '../../src/gateway/config/config.ts';
import { signerConfigSchema } from '../../src/signer/signer-config.ts';
import { type ConfigKey, keysOf } from './config-keys.ts';

export const gatewayKeys = keysOf(configSchema);
export const signerKeys = keysOf(signerConfigSchema);
export const clusterKeys = keysOf(clusterSchema);

const columns = ['Key', 'Type', 'Unit', 'Default', 'Meaning', 'Example'];

export function configReference(): string {
  const sections = gatewayKeys.filter(({ steps }) => steps.length === 1);
  return markdown([
    heading(1, 'Configuration'),
    words(
      'Generated from the schemas that check the files (`gateway/config/config.ts`, `signer/signer-config.ts`): change those, then `npx vitest run test/docs -u`.',
    ),
    words(
      'The gateway and the signer each read one YAML file. An unknown key is an error. Files are relative to the configuration file that names them. Each secret is in a separate file, which other users must not be able to read. Amounts are decimals in quotes, because a YAML number would be rounded. `causeway check --config FILE` lists every fault with its line and key; `causeway check --schema` prints a JSON Schema for editors. Complete examples: [gateway.yaml](../config/gateway.yaml), [relay.yaml](../config/relay.yaml) and [signer.yaml](../config/signer.yaml). The venue profile is a separate file, which the [venue contract](venue/contract.md) describes.',
    ),
    words(
      'In a key, `[]` stands for each element of a list, and `NAME` for a name that you choose. A key whose default is "required" must be set; "none" means that it may be left out and has no default.',
    ),
    heading(2, "The gateway's file"),
    words(
      'SIGHUP makes a running gateway reload its file. "Reload: yes" means that the change then takes effect. "no" means that only a restart applies it; a reload that contains such a change is refused as a whole, with the name of the key. If a reload changes the role of a session or a setting of its protocol engine (such as `engine`, `rates` or `connect`), that client is disconnected and logs on again; other sessions are not interrupted.',
    ),
    ...sections.flatMap(sectionOf),
    heading(2, "The signer's file"),
    words(
      'The signer reads its own file, so an attacker who controls the gateway cannot extend what is signed. Every change needs a restart of the signer.',
    ),
    table(columns, signerKeys.map(rowOf)),
    heading(2, "The cluster's file"),
    words(
      'For `causeway node`, which runs the bridge as several workers; see [cluster](CLUSTER.md). A complete example: [cluster.yaml](../config/cluster.yaml). SIGHUP makes a node reload this file and that of the bridge; the shards and the ports change only at a restart.',
    ),
    table(columns, clusterKeys.map(rowOf)),
  ]);
}

function sectionOf(top: ConfigKey) {
  const rows = top.isSection ? keysWithin(top) : [top];
  const need = top.isRequired ? 'required' : 'optional';
  return [
    heading(3, top.path),
    ...(top.isSection ? [words(`${top.meaning} (${top.type}, ${need})`)] : []),
    table(
      [...columns, 'Reload'],
      rows.map((key) => [...rowOf(key), reloadOf(key)]),
    ),
  ];
}

function keysWithin({ path: outer }: ConfigKey): readonly ConfigKey[] {
  return gatewayKeys.filter(
    ({ path }) => path.startsWith(outer) && /[.[]/.test(path.charAt(outer.length)),
  );
}

function rowOf(key: ConfigKey): Row {
  const { example, fallback, isRequired, meaning, path, type, unit } = key;
  const shown = fallback === undefined ? (isRequired ? 'required' : 'none') : `\`${fallback}\``;
  return [
    `\`${path}\``,
    type,
    unit ?? '',
    shown,
    meaning ?? '',
    example === undefined ? '' : `\`${example}\``,
  ];
}

/** Asks the check of a reload itself, about two configurations that differ in this key alone. */
export function isReloadable({ steps }: ConfigKey): boolean {
  const configWith = (value: unknown) => {
    const part = steps.toReversed().reduce((inner: unknown, step) => {
      if (step === '[]') return [inner];
      return { [step === 'NAME' ? 'any' : step.key]: inner };
    }, value);
    return { accounts: [], ...(part as object) } as unknown as Config;
  };
  return startOnlyChanges(configWith('before'), configWith('after')).length === 0;
}

function reloadOf(key: ConfigKey): string {
  const all = new Set((key.isSection ? keysWithin(key) : [key]).map(isReloadable));
  return all.size > 1 ? 'partly' : all.has(true) ? 'yes' : 'no';
}
