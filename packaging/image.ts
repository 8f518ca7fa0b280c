/**
 * The container image, as an OCI layout that `docker load` (25 or later), `podman load` and `skopeo copy oci-archive:` read: one layer
 * with the Debian packages of base.json, one with the program. There is no daemon and no registry in between: a layer is a
 * tar archive, and the digest of the image follows from its content.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import base from './base.json' with { type: 'json' };
import { addonEntries } from './executable.ts';
import { type OtherPart, sha256 } from './sbom.ts';
import { type Entry, tar } from './tar.ts';

export interface ImageParts {
  readonly root: string;
  readonly version: string;
  readonly epochS: number;
  readonly executable: Uint8Array;
  readonly sbom: string;
  readonly license: Uint8Array;
  /** Where the packages of the base are kept between builds. */
  readonly cache: string;
}

/** Neither user has a shell or a home; the numbers are for volumes and for `runAsUser`. */
export const imageUser = { uid: 10_001, gid: 10_001 };
const users = [
  'root:x:0:0:root:/:/sbin/nologin',
  `causeway:x:${imageUser.uid}:${imageUser.gid}:Causeway:/data:/sbin/nologin`,
];
const groups = ['root:x:0:', `causeway:x:${imageUser.gid}:`];
/** Translations, terminals and manuals: nothing that a program without a shell reads. */
const leftOut = /^usr\/share\/(?:base-files|info|lintian|man|locale|doc\/(?!.*copyright))|^usr\/lib\/x86_64-linux-gnu\/gconv|^etc\/(?:issue|motd|update-motd|dpkg|profile)/;

export const settings = {
  User: `${imageUser.uid}:${imageUser.gid}`,
  ExposedPorts: { '9880/tcp': {}, '9881/tcp': {}, '9882/tcp': {} },
  Env: ['PATH=/usr/bin', 'NODE_ENV=production'],
  Entrypoint: ['/usr/bin/causeway'],
  Cmd: ['run', '--config', '/etc/causeway/gateway.yaml'],
  Healthcheck: {
    Test: ['CMD', '/usr/bin/causeway', 'health', '--config', '/etc/causeway/gateway.yaml'],
    Interval: 10e9,
    Timeout: 5e9,
    StartPeriod: 60e9,
    Retries: 3,
  },
  Volumes: { '/data': {} },
  WorkingDir: '/data',
  StopSignal: 'SIGTERM',
} as const;

const media = {
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  config: 'application/vnd.oci.image.config.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  index: 'application/vnd.oci.image.index.v1+json',
};

/** What the image contains beside the program, for its SBOM. */
export function baseParts(): readonly OtherPart[] {
  return base.packages.map(({ name, version, sha256 }) => ({
    name,
    version,
    sha256,
    purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${base.architecture}&distro=${base.distribution}`,
  }));
}

export interface Image {
  /** The OCI layout. */
  readonly archive: Buffer;
  readonly digest: string;
  /** Both layers as one archive, for deploy/Dockerfile, `systemd-nspawn` and `chroot`. */
  readonly rootfs: Buffer;
}

export function image(parts: ImageParts): Image {
  const { version, epochS } = parts;
  const contents = [baseEntries(parts.cache), programEntries(parts)];
  const layers = contents.map((entries) => {
    const plain = tar(entries, epochS);
    return { diffId: `sha256:${sha256(plain)}`, blob: gzipSync(plain, { level: 9 }) };
  });
  const created = new Date(epochS * 1000).toISOString();
  const config = json({
    created,
    architecture: base.architecture,
    os: 'linux',
    config: { ...settings, Labels: labels(version, created) },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: [
      { created, created_by: 'packaging/base.json' },
      { created, created_by: 'packaging/image.ts' },
    ],
  });
  const manifest = json({
    schemaVersion: 2,
    mediaType: media.manifest,
    config: described(media.config, config),
    layers: layers.map(({ blob }) => described(media.layer, blob)),
  });
  const tag = `causeway:${version}`;
  const index = json({
    schemaVersion: 2,
    mediaType: media.index,
    manifests: [
      {
        ...described(media.manifest, manifest),
        annotations: { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': tag },
      },
    ],
  });
  const blobs = [config, manifest, ...layers.map(({ blob }) => blob)];
  // Docker before 25 reads this file instead of the index.
  const loaded = json([
    { Config: blobName(config), RepoTags: [tag], Layers: layers.map(({ blob }) => blobName(blob)) },
  ]);
  const archive = tar(
    [
      { name: 'oci-layout', mode: 0o644, content: json({ imageLayoutVersion: '1.0.0' }) },
      { name: 'index.json', mode: 0o644, content: index },
      { name: 'manifest.json', mode: 0o644, content: loaded },
      ...blobs.map((content) => ({ name: blobName(content), mode: 0o644, content })),
    ],
    epochS,
  );
  const merged = new Map(contents.flat().map((entry) => [entry.name, entry]));
  return {
    archive,
    digest: `sha256:${sha256(manifest)}`,
    rootfs: gzipSync(tar([...merged.values()], epochS), { level: 9 }),
  };
}

function labels(version: string, created: string) {
  const prefix = 'org.opencontainers.image';
  return {
    [`${prefix}.title`]: 'causeway',
    [`${prefix}.version`]: version,
    [`${prefix}.created`]: created,
    [`${prefix}.licenses`]: 'Apache-2.0',
  };
}

function programEntries({ root, executable, sbom, license }: ImageParts): readonly Entry[] {
  const text = (name: string, lines: readonly string[]) => ({
    name,
    mode: 0o644,
    content: Buffer.from(`${lines.join('\n')}\n`),
  });
  return [
    // As in the Debian package: its processes have no core dumps, whatever the limits are.
    { name: 'usr/bin/causeway', mode: 0o711, content: executable },
    ...addonEntries(root),
    { name: 'usr/share/doc/causeway/sbom.cdx.json', mode: 0o644, content: Buffer.from(sbom) },
    { name: 'usr/share/doc/causeway/copyright', mode: 0o644, content: license },
    text('etc/passwd', users),
    text('etc/group', groups),
    text('etc/nsswitch.conf', ['passwd: files', 'group: files', 'hosts: files dns']),
    { name: 'etc/causeway', mode: 0o755 },
    { name: 'data', mode: 0o700, ...imageUser },
    // The signer's socket, in a volume that both containers share.
    { name: 'run/causeway-signer', mode: 0o700, ...imageUser },
    { name: 'tmp', mode: 0o1777 },
  ];
}

function baseEntries(cache: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const part of base.packages) {
    for (const entry of unpacked(fetched(part, cache), join(cache, `${part.name}.unpacked`))) {
      if (!leftOut.test(entry.name)) found.set(entry.name, entry);
    }
  }
  // These belong to the layer above.
  for (const name of ['tmp', 'run', 'data']) found.delete(name);
  return [...found.values()];
}

/** The archive of a package in exactly that version: from the cache, or from Debian. */
function fetched({ name, version, sha256: wanted }: Omit<OtherPart, 'purl'>, cache: string): string {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${name}_${version}_${base.architecture}.deb`);
  if (!existsSync(file)) {
    execFileSync('apt-get', ['download', '-q', `${name}=${version}`], { cwd: cache, stdio: 'pipe' });
  }
  const actual = sha256(readFileSync(file));
  if (actual !== wanted) {
    throw new Error(`${file} has the hash ${actual}, and packaging/base.json wants ${wanted}`);
  }
  return file;
}

function unpacked(archive: string, folder: string): readonly Entry[] {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('dpkg-deb', ['-x', archive, folder]);
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name): Entry => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) return { name, mode: 0o777, target: readlinkSync(path) };
    return stats.isDirectory() ? { name, mode } : { name, mode, content: readFileSync(path) };
  });
  rmSync(folder, { recursive: true });
  return entries;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function described(mediaType: string, content: Uint8Array) {
  return { mediaType, digest: `sha256:${sha256(content)}`, size: content.length };
}

function blobName(content: Uint8Array): string {
  return `blobs/sha256/${sha256(content)}`;
}
