/** What an operator may want to change in a configuration that is sound. */
import type { LoadedConfig } from '../gateway/config-file.ts';
import { planDescriptors } from '../gateway/descriptor-plan.ts';
import { isCheaperThanNew } from '../gateway/secret-hash.ts';
import { loadProfile } from '../venue/profile.ts';

export function configNotes(loaded: LoadedConfig): readonly string[] {
  const { config, path } = loaded;
  const { shortage } = planDescriptors(loaded, loadProfile(path(config.venue.profile)));
  return [...(shortage === undefined ? [] : [shortage]), ...cheapHashes(loaded)];
}

function cheapHashes({ config, operators, users }: LoadedConfig): readonly string[] {
  const all = [
    ...config.users.map(({ name }, at) => [`users[${at}]`, users.get(name)?.hash] as const),
    ...(config.console?.operators ?? []).map(
      ({ name }, at) => [`console.operators[${at}]`, operators.get(name)?.hash] as const,
    ),
  ];
  return all.flatMap(([key, hash]) =>
    hash && isCheaperThanNew(hash)
      ? [
          `${key}.secretHashFile: this hash is quicker to guess than a new one; renew it with "causeway keys hash"`,
        ]
      : [],
  );
}
