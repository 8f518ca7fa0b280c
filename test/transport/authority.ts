/** Certificates made by openssl for one test run. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export class Authority {
  readonly cert: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-tls-'));

  constructor() {
    this.#openssl('req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2', [
      ...['-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Test authority'],
    ]);
    this.cert = this.#read('ca.crt');
  }

  issue(commonName: string, days = 2): Identity {
    const [key, request, cert] = ['key', 'csr', 'crt'].map((ending) => `${commonName}.${ending}`);
    this.#openssl('req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes', [
      ...['-keyout', key!, '-out', request!, '-subj', `/CN=${commonName}`],
    ]);
    writeFileSync(join(this.#folder, 'ext'), `subjectAltName=DNS:${commonName}`);
    this.#openssl(`x509 -req -days ${days} -CA ca.crt -CAkey ca.key -CAcreateserial -extfile ext`, [
      ...['-in', request!, '-out', cert!],
    ]);
    return { key: this.#read(key!), cert: this.#read(cert!) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #openssl(words: string, more: string[]): void {
    execFileSync('openssl', [...words.split(' '), ...more], { cwd: this.#folder, stdio: 'pipe' });
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }
}
