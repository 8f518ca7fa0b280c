/** The two dictionaries that ship with the bridge, each compiled on first use. */
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

/** All of FIX 4.4; any other MsgType(35) is unknown. */
export const fix44 = lazily('FIX44.xml');

/** The dictionary of the bridge's messages; a type that only `fix44` has gets a BusinessMessageReject(j), 380=3. */
export const causeway44 = lazily('CAUSEWAY44.xml');
