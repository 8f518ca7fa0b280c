/**
 * The acceptance suite of QuickFIX for FIX 4.4, from Debian's source package, played as its own runner plays it:
 *
 *     iCONNECT       connects            I8=FIX.4.4|35=…   sends this, 9= and 10= filled in where they are missing
 *     eDISCONNECT    is closed           E8=FIX.4.4|35=…   hears this, field by field; times and 10= by their form
 *
 * `i2,CONNECT` and the like are a second connection. The suite's client is TW and ours TW44, so lengths grow with it.
 * The separator SOH is written `|` here, which none of the scripts contains.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

const packageSources = '/etc/apt/sources.list.d/debian.sources';
export const hasPackageSources = existsSync(packageSources);

/** The folder with the scripts. The machine's own lists of packages are left as they are. */
export function fetchSuite(folder: string): string {
  const sources = join(folder, 'sources');
  const lists = join(folder, 'lists');
  mkdirSync(sources);
  mkdirSync(join(lists, 'partial'), { recursive: true });
  const binary = readFileSync(packageSources, 'utf8');
  writeFileSync(join(sources, 'source.sources'), binary.replace(/^Types:.*$/gm, 'Types: deb-src'));
  const places = { SourceParts: sources, SourceList: '/dev/null' };
  const options = Object.entries(places).map(([name, path]) => `-oDir::Etc::${name}=${path}`);
  options.push(`-oDir::State::Lists=${lists}`, '-oAPT::Sandbox::User=root', '-qq');
  const run = (program: string, words: readonly string[]) =>
    execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  run('apt-get', [...options, 'update']);
  run('apt-get', [...options, 'source', '--download-only', 'quickfix']);
  const archive = readdirSync(folder).find((name) => name.endsWith('.orig.tar.gz')) ?? '';
  run('tar', ['-xzf', archive, '--strip-components=1', '--wildcards', '*/test/definitions/server']);
  return join(folder, 'test/definitions/server/fix44');
}

/** Plays one script against a port; throws at the first line that does not come true. */
export async function play(script: string, port: number): Promise<void> {
  const lines = new Map<string, Line>();
  try {
    const texts = script.replaceAll('\x01', '|').split(/\r?\n/);
    for (const [index, text] of texts.entries()) {
      if (text === '' || text.startsWith('#')) continue;
      try {
        await step(text, lines, port);
      } catch (error) {
        throw new Error(`line ${index + 1}: ${error instanceof Error ? error.message : error}`);
      }
    }
  } finally {
    for (const line of lines.values()) line.end();
  }
}

async function step(text: string, lines: Map<string, Line>, port: number): Promise<void> {
  const [, verb = '', id = '1', rest = ''] = /^([IEie])(?:(\d),)?(.*)$/s.exec(text) ?? [];
  const line = lines.get(id);
  if (verb === 'i' && rest === 'CONNECT') lines.set(id, await Line.open(port));
  else if (line === undefined) throw new Error(`no connection ${id}`);
  else if (verb === 'i') line.end();
  else if (verb === 'e') await line.isClosed();
  else if (verb === 'I') line.send(ofOurClient(rest));
  else compare(ofOurClient(rest), await line.message());
}

/** The line as it is meant for a client TW44: filled in as far as it is not, and as wrong as it was. */
function ofOurClient(line: string): string {
  const timed = line.replace(/<TIME([+-]\d+)?>/g, (_, seconds = '0') => utc(Number(seconds)));
  const renamed = timed.replace(/(\|(?:49|56)=)TW(?=\|)/g, '$1TW44');
  const grown = renamed.length - timed.length;
  const [head = '', ...fields] = renamed.split(/(?<=\|)/);
  const sum = fields.findIndex((field) => field.startsWith('10='));
  const [trailer = ''] = sum < 0 ? [] : fields.splice(sum, 1);
  const length = fields.findIndex((field) => field.startsWith('9='));
  if (length < 0) fields.unshift(`9=${fields.join('').length}|`);
  else fields[length] = longer(fields[length] ?? '', grown);
  const whole = head + fields.join('');
  return whole + (trailer === '' ? `10=${checkSum(whole)}|` : trailer);
}

function longer(bodyLength: string, by: number): string {
  const digits = /^9=(\d+)\|$/.exec(bodyLength)?.[1];
  return digits === undefined ? bodyLength : `9=${Number(digits) + by}|`;
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('|', '\x01'), 'latin1');
}

function checkSum(text: string): string {
  const sum = bytesOf(text).reduce((total, byte) => total + byte, 0);
  return String(sum % 256).padStart(3, '0');
}

function utc(offsetS: number): string {
  const iso = new Date(Date.now() + offsetS * 1000).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19)}`;
}

/** What the suite compares by form: CheckSum, SendingTime, TransactTime, OrigSendingTime. */
const forms = new Map([
  ['10', /^\d{3}$/],
  ['52', /^\d{8}-\d\d:\d\d:\d\d(?:\.\d{3})?$/],
  ['60', /^\d{8}-\d\d:\d\d:\d\d/],
  ['122', /^\d{8}-\d\d:\d\d:\d\d/],
]);
/** We echo a body in the order in which it came, QuickFIX in the order of the tags. */
const echoed = /\|35=[DdC]\|/;

function compare(wanted: string, said: string): void {
  const [want, got] = [wanted, said].map((text) => {
    const fields = text.split('|').map((field) => field.split(/=(.*)/s));
    return echoed.test(text) ? fields.sort(([a], [b]) => Number(a) - Number(b)) : fields;
  });
  const isSame =
    want?.length === got?.length &&
    want?.every(([tag = '', value], i) => {
      const [otherTag, other = ''] = got?.[i] ?? [];
      return tag === otherTag && (forms.get(tag)?.test(other) ?? (value ?? '') === other);
    });
  if (!isSame) throw new Error(`wanted ${wanted}\n  heard ${said}`);
}

class Line {
  readonly #socket: Socket;
  #heard = '';
  #isClosed = false;
  #wake = () => {};

  static async open(port: number): Promise<Line> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Line(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.#heard += text.replaceAll('\x01', '|');
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  send(text: string): void {
    this.#socket.write(bytesOf(text));
  }

  async message(): Promise<string> {
    for (;;) {
      const [whole] = /^8=.*?\|10=.*?\|/s.exec(this.#heard) ?? [];
      if (whole !== undefined) {
        this.#heard = this.#heard.slice(whole.length);
        return whole;
      }
      if (this.#isClosed) throw new Error('a message was expected, and the connection was closed');
      await this.#news();
    }
  }

  async isClosed(): Promise<void> {
    while (!this.#isClosed && this.#heard === '') await this.#news();
    if (this.#heard !== '') throw new Error(`heard ${this.#heard} before the end`);
  }

  end(): void {
    this.#socket.destroy();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
