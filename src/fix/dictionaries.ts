/** The two dictionaries that ship with the bridge, each compiled when it is first asked for. */
import { shippedText } from '../runtime/shipped.ts';
import { compileDictionary, type Dictionary } from './dictionary.ts';
import { readDictionaryXml } from './dictionary-xml.ts';

function lazily(file: string): () => Dictionary {
  let loaded: Dictionary | undefined;
  return () => {
    loaded ??= compileDictionary(readDictionaryXml(shippedText(`dictionaries/${file}`)));
    return loaded;
  };
}

/** All of FIX 4.4: what is not in it is an unknown MsgType(35). */
export const fix44 = lazily('FIX44.xml');

/** What the bridge offers; a type that only `fix44` has is answered with BusinessMessageReject(j), 380=3. */
export const causeway44 = lazily('CAUSEWAY44.xml');
