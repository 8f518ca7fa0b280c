/**
 * The single executable: Node itself with the program inside (https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html).
 * The code is bundled into one CommonJS file for the program and one for each of its threads; files that the program
 * reads are assets, under the same names as in the package (src/runtime/shipped.ts).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { Entry } from './tar.ts';

/** Node refuses another name, and this word tells it that something has been injected. */
const resource = 'NODE_SEA_BLOB';
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const injector = 'node_modules/postject/dist/cli.js';
const assetFolders = ['certification', 'config', 'deploy', 'dictionaries', 'database'];
const assetFiles = [
  'package.json',
  'src/sbe/block.ts',
  'src/sbe/flyweight.ts',
  'node_modules/htm/preact/standalone.module.js',
];

/** `root` is a checkout whose `dist` is compiled; the executable is built inside `work`. */
export async function buildExecutable(root: string, work: string): Promise<string> {
  mkdirSync(work, { recursive: true });
  const assets: Record<string, string> = {};
  await bundle(root, 'main', join(work, 'main.js'));
  for (const thread of threads(root)) {
    assets[`threads/${thread}.js`] = `threads/${thread}.js`;
    await bundle(root, thread, join(work, `threads/${thread}.js`));
  }
  for (const { name, file } of addons(root)) assets[`addons/${name}`] = file;
  for (const file of [...assetFiles, ...assetFolders.flatMap((folder) => below(root, folder))]) {
    assets[file] = join(root, file);
  }
  for (const file of below(root, 'dist/console/app').filter((name) => name.endsWith('.js'))) {
    assets[file] = join(root, file);
  }
  // The blob keeps the path of `main`, so it is a path from this folder.
  const config = {
    main: 'main.js',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    // SIGUSR1 would open a debugger, which reads keys from memory.
    execArgv: ['--disable-sigusr1'],
    assets,
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'pipe' });
  const executable = join(work, 'causeway');
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  // Symbols are for debuggers of Node itself, and take 18 MB.
  execFileSync('strip', [executable]);
  const injected = ['causeway', resource, 'blob', '--sentinel-fuse', fuse];
  // It warns of sections that it does not need.
  execFileSync(process.execPath, [join(root, injector), ...injected], { cwd: work, stdio: 'pipe' });
  return executable;
}

/**
 * The compiled code of dependencies, as they would load it on this machine themselves (`nativeAddon`). Packages have it in
 * a file, too, because a container or a hardened host may have no folder from which a program may load what it has written.
 */
export function addons(root: string): readonly { readonly name: string; readonly file: string }[] {
  const { resolve } = createRequire(join(root, 'package.json'))('node-gyp-build') as {
    resolve(folder: string): string;
  };
  return ['secp256k1'].map((name) => ({
    name: `${name}.node`,
    file: resolve(join(root, 'node_modules', name)),
  }));
}

/** Where an installed executable, `usr/bin/causeway`, looks for it. */
export function addonEntries(root: string): readonly Entry[] {
  return addons(root).map(({ name, file }) => ({
    name: `usr/lib/causeway/${name}`,
    mode: 0o644,
    content: readFileSync(file),
  }));
}

/** Modules that the program starts as threads. */
function threads(root: string): readonly string[] {
  return below(root, 'src').flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bstartThread\('([^']+)'/g)].map(
      ([, module = '']) => module,
    ),
  );
}

async function bundle(root: string, module: string, file: string): Promise<void> {
  const bundled = await rolldown({
    cwd: root,
    input: `src/${module}.ts`,
    platform: 'node',
    plugins: [],
    onwarn({ message = '' }) {
      throw new Error(`${module} cannot be bundled: ${message}`);
    },
  });
  await bundled.write({ file, format: 'cjs', minify: true, codeSplitting: false });
  await bundled.close();
}

/** The files below a folder, by their paths from the root; none if there is no such folder. */
function below(root: string, folder: string): readonly string[] {
  return readdirSync(root).includes(folder.split('/')[0] ?? '')
    ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => join(parentPath, name).slice(root.length + 1))
        .sort()
    : [];
}
