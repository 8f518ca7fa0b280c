/** Every verb of the command line; each is a file of this folder and is loaded only when it is called. */
import type { NamedVerbs, Verb } from './verb.ts';

export const verbs: Readonly<Record<string, () => Promise<{ readonly verb: Verb }>>> = {
  audit: () => import('./audit.ts'),
  certify: () => import('./certify.ts'),
  check: () => import('./check.ts'),
  client: () => import('./client.ts'),
  completion: () => import('./completion.ts'),
  conformance: () => import('./conformance.ts'),
  decode: () => import('./decode.ts'),
  demo: () => import('./demo.ts'),
  dropcopy: () => import('./dropcopy.ts'),
  files: () => import('./files.ts'),
  health: () => import('./health.ts'),
  import: () => import('./import.ts'),
  journal: () => import('./journal.ts'),
  keys: () => import('./keys.ts'),
  node: () => import('./node.ts'),
  replay: () => import('./replay.ts'),
  roe: () => import('./roe.ts'),
  run: () => import('./run.ts'),
  sandbox: () => import('./sandbox.ts'),
  sbe: () => import('./sbe.ts'),
  signer: () => import('./signer.ts'),
  store: () => import('./store.ts'),
};

export function allVerbs(): Promise<NamedVerbs> {
  return Promise.all(
    Object.entries(verbs).map(async ([name, load]) => [name, (await load()).verb] as const),
  );
}
