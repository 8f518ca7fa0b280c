/**
 * The Debian package: the single executable, its two units, example configuration, and scripts that make a user for the
 * bridge and another one for the signer. A `.deb` is an `ar` archive of a version, a control archive and a data archive
 * (deb(5)); it is written here so that its bytes follow from its content alone.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { addonEntries } from './executable.ts';
import { type Entry, tar, withParents } from './tar.ts';

export interface DebianParts {
  readonly root: string;
  readonly version: string;
  readonly epochS: number;
  readonly executable: Uint8Array;
  readonly sbom: string;
}

export const debianName = 'causeway-gateway';
/** dpkg keeps the operator's version of these on an upgrade, and removes them only on a purge. */
const conffiles = ['etc/causeway/gateway.yaml', 'etc/causeway/signer.yaml', 'etc/causeway/venue.yaml'];
/** The example configurations of a checkout, with the places that systemd gives to the units. */
const places = [
  ['profile: ../dictionaries/venue.sandbox.yaml', 'profile: venue.yaml'],
  ['socket: run/signer.sock', 'socket: /run/causeway-signer/signer.sock'],
] as const;
const scripts = ['postinst', 'prerm', 'postrm'];
/** What an operator reads, as far as the steps of DEPLOY and the units name it. */
const guides = ['INSTALL', 'DEPLOY', 'CONFIGURATION', 'OPERATING', 'CLUSTER', 'CONSOLE', 'COMMANDS', 'EVENTS', 'METRICS', 'SECURITY'];
const documents = ['README.md', 'CHANGELOG.md', ...guides.map((name) => `docs/${name}.md`)];
/** What DEPLOY has an operator copy and load. */
const examples = ['alerts.yaml', 'grafana-dashboard.json', 'etcd.env', 'patroni.yaml', 'haproxy.cfg'];

export function debianPackage(parts: DebianParts): Buffer {
  const { epochS } = parts;
  const data = dataEntries(parts);
  return ar(
    [
      ['debian-binary', Buffer.from('2.0\n')],
      ['control.tar.gz', gzipSync(tar(controlEntries(parts, data), epochS, './'), { level: 9 })],
      ['data.tar.gz', gzipSync(tar(data, epochS, './'), { level: 9 })],
    ],
    epochS,
  );
}

function dataEntries({ root, executable, sbom }: DebianParts): readonly Entry[] {
  const read = (file: string) => readFileSync(join(root, file));
  const doc = `usr/share/doc/${debianName}`;
  return [
    // Linux dumps no memory of a program that its user may run and not read, and lets no other process of that user look at it.
    { name: 'usr/bin/causeway', mode: 0o711, content: executable },
    ...addonEntries(root),
    ...['causeway.service', 'causeway-node.service', 'causeway-signer.service'].map((unit) => ({
      name: `usr/lib/systemd/system/${unit}`,
      mode: 0o644,
      content: read(`deploy/${unit}`),
    })),
    { name: 'etc/causeway/gateway.yaml', mode: 0o640, content: placed(root, 'gateway', 'data/gateway', 'causeway') },
    { name: 'etc/causeway/signer.yaml', mode: 0o640, content: placed(root, 'signer', 'data/signer', 'causeway-signer') },
    { name: 'etc/causeway/venue.yaml', mode: 0o644, content: read('dictionaries/venue.template.yaml') },
    ...documents.map((file) => ({
      name: `${doc}/${file.slice(file.lastIndexOf('/') + 1)}`,
      mode: 0o644,
      content: read(file),
    })),
    ...examples.map((file) => ({ name: `${doc}/examples/${file}`, mode: 0o644, content: read(`deploy/${file}`) })),
    { name: `${doc}/copyright`, mode: 0o644, content: read('LICENSE') },
    { name: `${doc}/sbom.cdx.json`, mode: 0o644, content: Buffer.from(sbom) },
  ];
}

function placed(root: string, name: string, dataDir: string, state: string): Buffer {
  const changes = [...places, [`dataDir: ${dataDir}`, `dataDir: /var/lib/${state}`] as const];
  let text = readFileSync(join(root, `config/${name}.yaml`), 'utf8');
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`config/${name}.yaml has no line "${from}"`);
    text = text.replace(from, to);
  }
  return Buffer.from(text);
}

function controlEntries({ root, version }: DebianParts, data: readonly Entry[]): readonly Entry[] {
  const files = data.filter(({ content }) => content !== undefined);
  const sums = withParents(files).flatMap(({ name, content }) =>
    content === undefined ? [] : [`${createHash('md5').update(content).digest('hex')}  ${name}\n`],
  );
  const bytes = files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  const control = readFileSync(join(root, 'packaging/debian/control'), 'utf8')
    .replace('{version}', version)
    .replace('{size}', String(Math.ceil(bytes / 1024)));
  const text = (name: string, content: string) => ({
    name,
    mode: 0o644,
    content: Buffer.from(content),
  });
  return [
    text('control', control),
    text('md5sums', sums.join('')),
    text('conffiles', conffiles.map((file) => `/${file}\n`).join('')),
    ...scripts.map((name) => ({
      name,
      mode: 0o755,
      content: readFileSync(join(root, 'packaging/debian', name)),
    })),
  ];
}

function ar(members: readonly (readonly [name: string, content: Uint8Array])[], epochS: number): Buffer {
  const parts: Uint8Array[] = [Buffer.from('!<arch>\n')];
  for (const [name, content] of members) {
    const fields = [name.padEnd(16), String(epochS).padEnd(12), '0     0     100644  '];
    parts.push(Buffer.from(`${fields.join('')}${String(content.length).padEnd(10)}\`\n`), content);
    if (content.length % 2 === 1) parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}
