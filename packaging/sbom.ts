/**
 * The software bill of materials in CycloneDX 1.6: what of other people is in an artefact, from the lockfile, with the
 * hashes that npm has checked. It has no timestamp and no random serial number, so two builds have the same one.
 */
import { createHash } from 'node:crypto';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly name: string;
  readonly version: string;
  readonly packages: Readonly<Record<string, Locked>>;
}

/** Something that is in the artefact and does not come from npm: Node itself, Debian's libraries. */
export interface OtherPart {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly sha256: string;
}

export function sbom(lockfile: Lockfile, others: readonly OtherPart[] = []): string {
  const { name, version, packages } = lockfile;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const installed = runtimeParts(packages);
  const refOf = (path: string) => purlOf(path, packages[path]?.version ?? '');
  const components = [
    ...installed.map((path) => component(path, packages[path] ?? {})),
    ...others.map((part) => ({
      type: 'library',
      'bom-ref': part.purl,
      name: part.name,
      version: part.version,
      purl: part.purl,
      hashes: [{ alg: 'SHA-256', content: part.sha256 }],
    })),
  ];
  const dependencies = ['', ...installed].map((path) => ({
    ref: path === '' ? purl : refOf(path),
    dependsOn: [
      ...needs(packages, path).map(refOf),
      ...(path === '' ? others.map((part) => part.purl) : []),
    ].sort(),
  }));
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': purl, name, version, purl } },
    components: components.sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** What npm installs for a user, by its place in the lockfile: all that is reached from the package without its tools. */
export function runtimeParts(packages: Lockfile['packages']): readonly string[] {
  const reached = new Set<string>();
  const waiting = needs(packages, '');
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...needs(packages, path));
  }
  return [...reached].sort();
}

function needs(packages: Lockfile['packages'], path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => placeOf(packages, path, name) ?? []);
}

/** As Node looks modules up: in the folder of the package, then in those above it. Optional ones may be absent. */
function placeOf(packages: Lockfile['packages'], from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (at === '') return undefined;
  }
}

function component(path: string, { version = '', license, integrity }: Locked) {
  const [algorithm, digest] = integrity?.split('-') ?? [];
  const alg = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm ?? ''];
  return {
    type: 'library',
    'bom-ref': purlOf(path, version),
    name: nameOf(path),
    version,
    purl: purlOf(path, version),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(alg !== undefined && {
      hashes: [{ alg, content: Buffer.from(digest ?? '', 'base64').toString('hex') }],
    }),
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function purlOf(path: string, version: string): string {
  return `pkg:npm/${nameOf(path).replace('@', '%40')}@${version}`;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
