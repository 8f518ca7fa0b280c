/** The two dictionaries that ship with the bridge, each compiled when it is first asked for. */
import { join } from 'node:path';
import { type Dictionary, loadDictionary } from './dictionary.ts';

const folder = join(import.meta.dirname, '../../dictionaries');

function lazily(file: string): () => Dictionary {
  let loaded: Dictionary | undefined;
  return () => {
    loaded ??= loadDictionary(join(folder, file));
    return loaded;
  };
}

/** All of FIX 4.4: what is not in it is an unknown MsgType(35). */
export const fix44 = lazily('FIX44.xml');

/** What the bridge offers; a type that only `fix44` has is answered with BusinessMessageReject(j), 380=3. */
export const causeway44 = lazily('CAUSEWAY44.xml');
