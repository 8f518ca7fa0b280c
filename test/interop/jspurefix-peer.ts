/**
 * A jspurefix initiator driven by lines on its standard input, in a process of its own:
 * `jspurefix-peer.ts '{"port": 1, "resets": true, "lastSent": 0, "lastReceived": 0, "ca": "file"}'`.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { jspurefixRequire } from '../support/jspurefix.ts';

// biome-ignore lint/suspicious/noExplicitAny: the library's types do not compile under this project's settings
type Any = any;

const { AsciiSession, SessionLauncher, EmptyLogFactory } = jspurefixRequire()('jspurefix') as Any;

interface Setup {
  readonly port: number;
  readonly resets: boolean;
  readonly lastSent: number;
  readonly lastReceived: number;
  readonly ca?: string;
}

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const say = (line: string) => process.stdout.write(`${line}\n`);

class Client extends (AsciiSession as new (config: Any) => Any) {
  onApplicationMsg(msgType: string, view: Any): void {
    const { ClOrdID = '-', ExecID = '-', StandardHeader } = view.toObject();
    const possDup = StandardHeader?.PossDupFlag ? 'Y' : '-';
    say(`app ${msgType} ${ClOrdID} ${ExecID} ${possDup}`);
  }

  /** As if it had been connected before; the library itself forgets. */
  async onPreLogon(): Promise<void> {
    await super.onPreLogon();
    const self = this as Any;
    if (setup.lastSent > 0) self.transport.transmitter.msgSeqNum = setup.lastSent + 1;
    if (setup.lastReceived > 0) self.sessionState.lastPeerMsgSeqNum = setup.lastReceived;
  }

  onReady(): void {
    say('logon');
    obey(this as Any);
  }

  onStopped(): void {
    say('logout');
  }

  onDecoded(msgType: string): void {
    say(`admin ${msgType}`);
  }

  onEncoded(msgType: string): void {
    say(`sends ${msgType}`);
  }

  onLogon(): boolean {
    return true;
  }
}

function obey(session: Any): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [verb, word] = line.split(' ');
    if (verb === 'order') session.send('D', order(word ?? ''));
    else if (verb === 'logout') session.done();
    else if (verb === 'quit') process.exit(0);
  });
}

function order(clOrdId: string): object {
  return {
    ClOrdID: clOrdId,
    Instrument: { Symbol: 'BTC-USDC' },
    Side: '1',
    TransactTime: new Date(),
    OrderQtyData: { OrderQty: 2 },
    OrdType: '2',
    Price: 101.5,
  };
}

class Launcher extends (SessionLauncher as new (...config: Any[]) => Any) {
  makeFactory(): Any {
    return { makeSession: (config: Any) => new Client(config) };
  }
}

// The library looks for files below its own folder only, so the authority is handed over as bytes.
const byTls = (ca: string) => ({ ca: readFileSync(ca), servername: 'localhost' });
const tls =
  setup.ca === undefined
    ? {}
    : { tls: { timeout: 5000, nodeTlsConnectionOptions: byTls(setup.ca) } };
const description = {
  application: {
    reconnectSeconds: 1,
    type: 'initiator',
    name: 'interop',
    tcp: { host: '127.0.0.1', port: setup.port, ...tls },
    protocol: 'ascii',
    dictionary: 'qf44',
  },
  Name: 'interop',
  EncryptMethod: 0,
  ResetSeqNumFlag: setup.resets,
  HeartBtInt: 30,
  SenderCompId: 'JSPUREFIX',
  TargetCompID: 'CAUSEWAY',
  BeginString: 'FIX.4.4',
  BodyLengthChars: 6,
};

say('ready');
const launcher: Any = new Launcher(description, null, new EmptyLogFactory());
await launcher.run().catch((error: Error) => say(`failed ${error.message}`));
say('ended');
