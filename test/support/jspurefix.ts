/**
 * jspurefix, for the tests and benchmarks that compare with it. With its 133 packages it takes 130 MB, so it is not part
 * of the development install: it has a lockfile of its own and is installed when it is first needed.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = join(import.meta.dirname, '../interop/jspurefix');

/** Loads modules from its installation, as `require` does. */
export function jspurefixRequire(): NodeJS.Require {
  if (!existsSync(join(folder, 'node_modules/jspurefix/dist'))) {
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' });
  }
  const load = createRequire(join(folder, 'package.json'));
  // The library's own dependency, which it wants loaded first.
  createRequire(load.resolve('jspurefix'))('reflect-metadata');
  return load;
}

export function jspurefixHome(): string {
  return dirname(dirname(jspurefixRequire().resolve('jspurefix')));
}
