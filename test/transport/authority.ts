/** Certificates made by openssl for one test run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** What has been made for an authority. */
interface Made {
  readonly own: Identity;
  /** By name and days, one after the other. */
  readonly issued: Map<string, Identity[]>;
}

/** Those of test files that are over, for the next files of this process: a run of openssl costs as much as a test. */
const unused: Made[] = [];

export class Authority {
  readonly #made = unused.pop() ?? newAuthority();
  readonly #given = new Map<string, number>();

  get cert(): string {
    return this.#made.own.cert;
  }

  /** Another one each time. */
  issue(commonName: string, days = 2): Identity {
    const { issued, own } = this.#made;
    const name = `${commonName} ${days}`;
    const [given, all] = [this.#given.get(name) ?? 0, issued.get(name) ?? []];
    const identity = all[given] ?? newIdentity(commonName, days, own);
    all[given] = identity;
    this.#given.set(name, given + 1);
    issued.set(name, all);
    return identity;
  }

  remove(): void {
    unused.push(this.#made);
  }
}

function newAuthority(): Made {
  return { own: newIdentity('Test authority', 2, undefined), issued: new Map() };
}

/** Signed by itself if there is no authority. */
function newIdentity(commonName: string, days: number, by: Identity | undefined): Identity {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-tls-'));
  const at = (name: string) => join(folder, name);
  const openssl = (words: string, ...more: readonly string[]) =>
    execFileSync('openssl', [...words.split(' '), ...more], { cwd: folder, stdio: 'pipe' });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key';
  const subject = ['-subj', `/CN=${commonName}`];
  if (by === undefined) openssl(`req -x509 ${newKey} -days ${days} -out cert`, ...subject);
  else {
    openssl(`req ${newKey} -out request`, ...subject);
    writeFileSync(at('ca.crt'), by.cert);
    writeFileSync(at('ca.key'), by.key);
    writeFileSync(at('ext'), `subjectAltName=DNS:${commonName}`);
    // The other way to sign takes no 0 days, with which a certificate has expired.
    const signed = `x509 -req -days ${days} -CA ca.crt -CAkey ca.key -CAcreateserial -extfile ext`;
    openssl(`${signed} -in request -out cert`);
  }
  const identity = { key: readFileSync(at('key'), 'utf8'), cert: readFileSync(at('cert'), 'utf8') };
  rmSync(folder, { recursive: true });
  return identity;
}
