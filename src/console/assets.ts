/**
 * The files of the page. Modules are served from here: compiled ones unchanged, sources without their types. The only
 * library comes from node_modules, so nothing is loaded from other hosts.
 */
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';
import { code, dependencyText, shippedText } from '../runtime/shipped.ts';

interface File {
  readonly type: string;
  readonly body: Buffer;
}

export interface Asset extends File {
  /** Changes with the contents, so that a browser loads them once. */
  readonly etag: string;
}

const script = 'text/javascript; charset=utf-8';

/** The packages that our modules import by name, and the URLs from which they are served. */
const library = { name: 'htm/preact', url: '/vendor/preact.js' };
const moduleName = /^\/app\/([a-z][a-z-]{0,40})\.(?:ts|js)$/;
const libraryImport = /(?<=from\s*['"])htm\/preact(?=['"])/g;

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Causeway</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/app/main${code.ending}"></script>
</head>
<body><div id="app"><noscript>The console needs JavaScript.</noscript></div></body>
</html>
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#0f4c5c"/><path d="M4 21h24M6 21c0-6 4-9 10-9s10 3 10 9M11 21v-8M16 21v-9M21 21v-8" fill="none" stroke="#fff" stroke-width="2"/></svg>`;

const cache = new Map<string, Asset>();

/** Undefined if there is no such file. */
export async function asset(path: string): Promise<Asset | undefined> {
  const known = cache.get(path);
  if (known !== undefined) return known;
  const made = await make(path);
  if (made === undefined) return undefined;
  const etag = `"${createHash('sha256').update(made.body).digest('base64url')}"`;
  const found = { ...made, etag };
  cache.set(path, found);
  return found;
}

async function make(path: string): Promise<File | undefined> {
  if (path === '/') return { type: 'text/html; charset=utf-8', body: Buffer.from(page) };
  if (path === '/icon.svg') return { type: 'image/svg+xml', body: Buffer.from(icon) };
  if (path === '/style.css') {
    const { style } = await import('./app/style.ts');
    return { type: 'text/css; charset=utf-8', body: Buffer.from(style) };
  }
  if (path === library.url) {
    return {
      type: script,
      body: Buffer.from(dependencyText(library.name, 'standalone.module.js')),
    };
  }
  const name = moduleName.exec(path)?.[1];
  if (name === undefined) return undefined;
  const text = textOf(`${code.folder}/console/app/${name}${code.ending}`);
  return text === undefined ? undefined : { type: script, body: Buffer.from(forBrowser(text)) };
}

function textOf(file: string): string | undefined {
  try {
    return shippedText(file);
  } catch {
    return undefined;
  }
}

/** Removes types, and replaces the package's name by a URL. */
function forBrowser(source: string): string {
  const text = code.ending === '.ts' ? stripTypeScriptTypes(source) : source;
  return text.replace(libraryImport, library.url);
}
