/**
 * Tar archives that depend on nothing but their content: entries sorted by name, one timestamp, owners by number, fixed
 * modes (POSIX.1-1988 ustar). Docker layers and Debian packages both are such archives.
 */

export interface Entry {
  /** From the root of the archive, without a slash at the start or the end. */
  readonly name: string;
  readonly mode: number;
  /** Of a file; a link has a target instead, and a directory neither. */
  readonly content?: Uint8Array;
  readonly target?: string;
  /** Numbers, because names differ from machine to machine; root by default. */
  readonly uid?: number;
  readonly gid?: number;
}

const block = 512;
/** A name of up to 100 bytes, and a folder of up to 155 in front of it. */
const longestName = 100;
const longestPrefix = 155;

/** `prefix` goes before every name: Debian writes `./usr/bin`, layers of an image `usr/bin`. */
export function tar(entries: readonly Entry[], epochS: number, prefix = ''): Buffer {
  const parts: Uint8Array[] = [];
  for (const entry of withParents(entries)) {
    const { content = new Uint8Array() } = entry;
    parts.push(header(entry, prefix, epochS), content);
    parts.push(new Uint8Array((block - (content.length % block)) % block));
  }
  return Buffer.concat([...parts, new Uint8Array(2 * block)]);
}

/** Sorted, with the folders that no entry names. */
export function withParents(entries: readonly Entry[]): readonly Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) {
    if (all.has(entry.name)) throw new Error(`${entry.name} is in the archive twice`);
    all.set(entry.name, entry);
  }
  for (const { name } of entries) {
    for (let at = name.lastIndexOf('/'); at > 0; at = name.lastIndexOf('/', at - 1)) {
      const folder = name.slice(0, at);
      if (!all.has(folder)) all.set(folder, { name: folder, mode: 0o755 });
    }
  }
  return [...all.values()].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function header(entry: Entry, prefix: string, epochS: number): Buffer {
  const { content, target, mode, uid = 0, gid = 0 } = entry;
  const isFolder = content === undefined && target === undefined;
  const [folder, name] = split(`${prefix}${entry.name}${isFolder ? '/' : ''}`);
  const bytes = Buffer.alloc(block);
  const put = (text: string, at: number) => bytes.write(text, at, 'utf8');
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(name, 0);
  put(octal(mode, 7), 100);
  put(octal(uid, 7), 108);
  put(octal(gid, 7), 116);
  put(octal(content?.length ?? 0, 11), 124);
  put(octal(epochS, 11), 136);
  put(' '.repeat(8), 148);
  put(target !== undefined ? '2' : isFolder ? '5' : '0', 156);
  if (Buffer.byteLength(target ?? '') > longestName) throw new Error(`${target} is too long`);
  put(target ?? '', 157);
  put('ustar\x0000', 257);
  put(folder, 345);
  put(`${octal(bytes.reduce((sum, byte) => sum + byte, 0), 6)}\0 `, 148);
  return bytes;
}

function split(path: string): readonly [folder: string, name: string] {
  if (Buffer.byteLength(path) <= longestName) return ['', path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const name = path.slice(at + 1);
    if (name !== '' && Buffer.byteLength(name) <= longestName && at <= longestPrefix) {
      return [path.slice(0, at), name];
    }
  }
  throw new Error(`${path} is too long for an archive`);
}
