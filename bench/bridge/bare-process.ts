/**
 * The least that a bridge can be, with the same libraries: tokenise, sign, post; parse the event, build the report. No
 * session, no journal, no nonce window, no order state, no risk, no gate. What `bridge.bench.ts` compares with. The
 * client hears the same of both: of an order whose first event is a fill, New and then the trade (contract C.13).
 */
import { createServer, type Socket } from 'node:net';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import {
  type MarketId,
  type Price,
  parseDecimal,
  type Qty,
  toAtoms,
} from '../../src/domain/units.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { causeway44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { Framer } from '../../src/fix/framer.ts';
import type { Message } from '../../src/fix/message.ts';
import { tuneEngine } from '../../src/runtime/engine.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { Derivation } from '../../src/signer/digest.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { signatureOf, signedDigest } from '../../src/signer/scheme.ts';
import { signedActionJson } from '../../src/venue/action-json.ts';
import { loadProfile } from '../../src/venue/profile.ts';
import { RequestAuth } from '../../src/venue/request-auth.ts';
import { profileFile } from './profile-file.ts';

const [venueUrl = ''] = process.argv.slice(2);
// As the bridge has it, so that what is compared is the program.
tuneEngine();
const account = `0x${'11'.repeat(20)}` as const;
const profile = loadProfile(profileFile);
const { blake3 } = await fastestBlake3();
const ecdsa = await openEcdsa();
const encoder = new CanonicalEncoder(profile);
const derivation = new Derivation(profile, blake3);
const key = new Uint8Array(32).fill(7);
const pool = new Pool(venueUrl, { connections: profile.http.connections, pipelining: 1 });
const auth = new RequestAuth(profile.auth.http, { key: 'k', secret: 's', passphrase: 'p' });
const path = profile.routes.actions;
const header = { senderCompId: 'CAUSEWAY', targetCompId: 'BARE' };

interface Client {
  readonly socket: Socket;
  readonly framer: Framer;
  seq: number;
}

const askers = new Map<string, Client>();
/** From the bytes of an order to its request. */
let inboundUs: number[] = [];
const body = new FieldWriter();
let nonce = 0n;

const stream = new WebSocket(venueUrl.replace('http', 'ws'));
await new Promise((resolve) => stream.once('open', resolve));
stream.send(JSON.stringify({ op: 'subscribe', account, fromSeq: 1 }));
stream.on('message', (data: Buffer) => {
  const { event } = JSON.parse(data.toString());
  if (event !== undefined) report(event);
});

const server = createServer({ noDelay: true }, (socket) => {
  const decoder = new Decoder(causeway44());
  const client: Client = { socket, framer: new Framer(header), seq: 0 };
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    const readMs = performance.now();
    decoder.push(piece);
    while (decoder.next() === 'message') {
      if (decoder.message.msgType === 'D') void order(client, decoder.message, readMs);
      else say(client, 'A', body.clear().int(98, 0).int(108, 30));
    }
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('message', (word) => {
  if (word === 'collect and say') globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const { system, user } = process.cpuUsage();
  const sorted = inboundUs.sort((a, b) => a - b);
  inboundUs = [];
  const hopsUs = [['inbound', sorted[sorted.length >> 1] ?? 0]];
  process.send?.({ heapBytes: heapUsed, rssBytes: rss, cpuUs: user + system, hopsUs });
});
process.once('disconnect', () => process.exit());

async function order(client: Client, message: Message, readMs: number): Promise<void> {
  const clOrdId = message.text(11) ?? '';
  askers.set(clOrdId, client);
  const envelope = {
    account: account as never,
    nonce: nonce++,
    nonce_reservation_id: null,
    client_order_id: clOrdId,
    ts: Date.now(),
    action: {
      kind: 'SpotPlaceOrder',
      market: 1 as MarketId,
      side: message.text(54) === '1' ? 'Bid' : 'Ask',
      price: atoms(message.text(44), 6) as Price,
      qty: atoms(message.text(38), 8) as Qty,
      stp_mode: 'cancel_taker',
      time_in_force: 'gtc',
      is_market: false,
      reduce_only: false,
      expires_at: null,
    },
  } as const;
  const canonical = encoder.encode(envelope).slice();
  const actionHash = derivation.actionHash(canonical);
  const signature = signatureOf(
    profile.signing,
    'ecdsa',
    ecdsa.sign(signedDigest('ecdsa', actionHash), key),
  );
  const text = Buffer.from(canonical).toString();
  const posted = signedActionJson({ canonical: text, signature }, 'documented');
  const headers = auth.headers('POST', path, posted, Date.now());
  headers.push('content-type', 'application/json');
  inboundUs.push((performance.now() - readMs) * 1000);
  const answer = await pool.request({ method: 'POST', path, headers, body: posted });
  const { accepted } = (await answer.body.json()) as { accepted: boolean };
  if (!accepted) throw new Error('refused');
}

function report(event: {
  clientOrderId: string;
  orderId: string;
  seq: number;
  price: number;
  qty: number;
}): void {
  const client = askers.get(event.clientOrderId);
  if (client === undefined) return;
  askers.delete(event.clientOrderId);
  const price = BigInt(event.price);
  const qty = BigInt(event.qty);
  const order = () => {
    body.clear().text(37, event.orderId).text(11, event.clientOrderId);
    body.text(55, 'BTC-USDC').char(54, '1').decimal(38, qty, 8).char(40, '2').decimal(44, price, 6);
  };
  order();
  body
    .int(17, event.seq * 2)
    .char(150, '0')
    .char(39, '0')
    .decimal(151, qty, 8);
  const opened = framed(client, '8', body.int(14, 0).int(6, 0).utc(60, Date.now()));
  order();
  body
    .int(17, event.seq * 2 + 1)
    .char(150, 'F')
    .char(39, '2')
    .decimal(32, qty, 8);
  body.decimal(31, price, 6).int(151, 0).decimal(14, qty, 8).decimal(6, price, 6);
  const traded = framed(client, '8', body.utc(60, Date.now()));
  client.socket.write(Buffer.concat([opened, traded]));
}

function say(client: Client, msgType: string, fields: FieldWriter): void {
  client.socket.write(framed(client, msgType, fields));
}

function framed(client: Client, msgType: string, fields: FieldWriter): Uint8Array {
  client.seq += 1;
  const bytes = client.framer.frame(msgType, client.seq, Date.now(), fields.bytes).slice();
  client.framer.clear();
  return bytes;
}

function atoms(text: string | undefined, scale: number): bigint {
  const parsed = parseDecimal(text ?? '');
  const value = parsed === undefined ? undefined : toAtoms(parsed, scale);
  if (value === undefined) throw new Error(`${text} is no amount`);
  return value;
}
