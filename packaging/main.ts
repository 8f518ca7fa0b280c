/**
 * Builds every package: `npm run package [-- --out DIR] [--without-image]`. Two builds of one commit have the same bytes
 * (docs/decisions/0293-packages.md).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { debianName, debianPackage } from './debian.ts';
import { buildExecutable } from './executable.ts';
import { baseParts, image } from './image.ts';
import { type Lockfile, sbom, sha256 } from './sbom.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'build' },
    'without-image': { type: 'boolean', default: false },
    cache: { type: 'string', default: 'node_modules/.cache/packages' },
  },
});
const out = resolve(root, values.out);
const read = (file: string) => readFileSync(join(root, file));
const lockfile = JSON.parse(read('package-lock.json').toString()) as Lockfile;
const { version } = lockfile;
const epochS = Number(process.env['SOURCE_DATE_EPOCH'] ?? commitTime());

const written: string[] = [];
const write = (name: string, content: Uint8Array | string, mode = 0o644) => {
  writeFileSync(join(out, name), content, { mode });
  written.push(name);
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// npm compiles (prepack), and gives every file of its archive the same time.
execFileSync('npm', ['pack', '--pack-destination', out], { cwd: root, stdio: 'pipe' });
written.push(`${lockfile.name.slice(1).replace('/', '-')}-${version}.tgz`);

const node = {
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
  sha256: sha256(readFileSync(process.execPath)),
};
const work = join(out, 'work');
const executable = readFileSync(await buildExecutable(root, work));
rmSync(work, { recursive: true });
const ownBom = sbom(lockfile, [node]);
write(`causeway-${version}-linux-x64`, executable, 0o755);
write(`causeway-${version}.cdx.json`, ownBom);
write(
  `${debianName}_${version}_amd64.deb`,
  debianPackage({ root, version, epochS, executable, sbom: ownBom }),
);
if (!values['without-image']) {
  const imageBom = sbom(lockfile, [node, ...baseParts()]);
  const built = image({
    root,
    version,
    epochS,
    executable,
    sbom: imageBom,
    license: read('LICENSE'),
    cache: resolve(root, values.cache),
  });
  write(`causeway-${version}-image.tar`, built.archive);
  write('causeway-rootfs.tar.gz', built.rootfs);
  write(`causeway-${version}-image.cdx.json`, imageBom);
  write(`causeway-${version}-image.digest`, `${built.digest}\n`);
  console.log(`image digest ${built.digest}`);
}

const sums = written.sort().map((name) => [name, readFileSync(join(out, name))] as const);
const list = sums.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('');
writeFileSync(join(out, 'SHA256SUMS'), list);
for (const [name, content] of sums) {
  console.log(`${(content.length / 1e6).toFixed(1).padStart(7)} MB  ${sha256(content)}  ${name}`);
}

function commitTime(): string {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim();
}
