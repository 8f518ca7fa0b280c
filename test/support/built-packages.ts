/** Packages as `npm run package` builds them, and a copy of this machine's root file system on which to install them. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** From a checkout with nothing built in it, in `source`. The image takes longer than all the others, and `words` may leave it out. */
export async function buildPackages(source: string, ...words: readonly string[]): Promise<string> {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  for (const name of tracked
    .split('\0')
    .filter((one) => one !== '' && existsSync(join(root, one)))) {
    cpSync(join(root, name), join(source, name));
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1750000000' };
  await run(process.execPath, ['packaging/main.ts', ...words], { cwd: source, env });
  return join(source, 'build');
}

/**
 * A shell's commands that make `place`/root a copy of `/` with the package in /opt/package. To be run in a mount namespace
 * of its own: what is mounted and written disappears with the last process of the namespace.
 */
export function overlayOf(place: string, packageFile: string): string {
  return `set -e
    mkdir -p ${place}
    mount -t tmpfs tmpfs ${place}
    mkdir ${place}/upper ${place}/work ${place}/root
    mount -t overlay overlay -o lowerdir=/,upperdir=${place}/upper,workdir=${place}/work ${place}/root
    mkdir ${place}/root/opt/package
    cp ${packageFile} ${place}/root/opt/package/
  `;
}
