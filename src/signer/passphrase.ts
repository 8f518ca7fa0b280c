/**
 * The sources of a passphrase: a file descriptor, a file that only its owner may read, or the terminal without echo.
 * Never the command line or the environment, because both are visible to other users of the machine.
 */
import { closeSync, openSync, readFileSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { firstLine, KeystoreError, readPassphraseFile } from './keystore.ts';

export interface PassphraseSource {
  readonly fd: number | null;
  readonly file: string | null;
}

const mostCharacters = 1024;

/** `prompt` is printed on the terminal; `again` asks twice, for a new passphrase. */
export async function readPassphrase(
  { fd, file }: PassphraseSource,
  prompt: string,
  again = false,
): Promise<string> {
  if (fd !== null) return fromDescriptor(fd);
  if (file !== null) return readPassphraseFile(file);
  const passphrase = await fromTerminal(`${prompt}: `);
  if (again && (await fromTerminal('The same again: ')) !== passphrase) {
    throw new KeystoreError('the two passphrases differ');
  }
  return passphrase;
}

function fromDescriptor(fd: number): string {
  let text: string;
  try {
    text = readFileSync(fd, 'utf8');
  } catch {
    throw new KeystoreError(`file descriptor ${fd} cannot be read`);
  } finally {
    // While it is open, /proc shows it to everyone who may read this process.
    if (fd > 2) closeQuietly(fd);
  }
  return firstLine(text, `file descriptor ${fd}`);
}

async function fromTerminal(prompt: string): Promise<string> {
  let fd: number;
  try {
    fd = openSync('/dev/tty', 'r');
  } catch {
    throw new KeystoreError('no terminal to ask for the passphrase: give a file or a descriptor');
  }
  const terminal = new ReadStream(fd);
  try {
    terminal.setRawMode(true);
    process.stderr.write(prompt);
    return await typedLine(terminal);
  } finally {
    process.stderr.write('\n');
    terminal.setRawMode(false);
    terminal.destroy();
    closeQuietly(fd);
  }
}

async function typedLine(terminal: ReadStream): Promise<string> {
  let line = '';
  terminal.setEncoding('utf8');
  for await (const chunk of terminal as AsyncIterable<string>) {
    for (const character of chunk) {
      if (character === '\r' || character === '\n') return firstLine(line, 'the terminal');
      if (character === '\u0003' || character === '\u0004') throw new KeystoreError('given up');
      if (character === '\u007f' || character === '\b') line = [...line].slice(0, -1).join('');
      else line += character;
      if (line.length > mostCharacters) throw new KeystoreError('the passphrase is too long');
    }
  }
  throw new KeystoreError('the terminal was closed');
}

/** Destroying the stream may have closed it. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // Closed already.
  }
}
