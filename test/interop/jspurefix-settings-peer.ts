/** jspurefix with the settings that `causeway roe` wrote: `jspurefix-settings-peer.ts FILE PASSWORD` says what happens. */
import { readFileSync } from 'node:fs';
import { jspurefixRequire } from '../support/jspurefix.ts';

// biome-ignore lint/suspicious/noExplicitAny: the library's types do not compile under this project's settings
type Any = any;

const { AsciiSession, EmptyLogFactory, SessionLauncher } = jspurefixRequire()('jspurefix') as Any;
const [file = '', password = ''] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);

class Client extends (AsciiSession as new (config: Any) => Any) {
  onReady(): void {
    say('logon');
    (this as Any).done();
  }
  onStopped(): void {
    say('logout');
  }
  onApplicationMsg(): void {}
  onDecoded(): void {}
  onEncoded(): void {}
  onLogon(): boolean {
    return true;
  }
}

class Launcher extends (SessionLauncher as new (...config: Any[]) => Any) {
  makeFactory(): Any {
    return { makeSession: (config: Any) => new Client(config) };
  }
}

const description = { ...JSON.parse(readFileSync(file, 'utf8')), Password: password };
const launcher: Any = new Launcher(description, null, new EmptyLogFactory());
await launcher.run().catch((error: Error) => say(`failed ${error.message}`));
say('ended');
process.exit(0);
