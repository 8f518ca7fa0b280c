/**
 * The process that `nonce-kill.long.ts` kills: gives out nonces, signs, records, and then "sends" by appending a
 * line to a file. That file is the venue: what stands in it was applied.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Account, OrderId } from '../../src/domain/units.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { hexOf } from '../../src/runtime/hex.ts';
import { actionKinds } from '../../src/signer/action.ts';
import { fastestBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalEncoder } from '../../src/signer/canonical.ts';
import { DigestLedger } from '../../src/signer/digest-ledger.ts';
import { openEcdsa } from '../../src/signer/ecdsa.ts';
import { openLedgerFile } from '../../src/signer/ledger-file.ts';
import { NonceAllocator, type Reservation } from '../../src/signer/nonce-allocator.ts';
import { SignerCore } from '../../src/signer/signer-core.ts';
import { sandboxSigningContract as contract } from '../../src/signer/signing-contract.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';

const [directory = '', round = '0'] = process.argv.slice(2);
const account = `0x${'1'.repeat(40)}` as Account;
const venueFile = join(directory, 'venue.log');

const store = await openSqliteStore({ path: join(directory, 'bridge.db'), durability: 'process' });
const nonces = await NonceAllocator.open(store, account);
const ledger = new DigestLedger(openLedgerFile(join(directory, 'signer.ledger'), 'process'));
const signer = new SignerCore({
  contract,
  blake3: (await fastestBlake3()).blake3,
  ecdsa: await openEcdsa('auto'),
  ledger,
  clock: systemClock,
  keys: [
    {
      secretKey: new Uint8Array(32).fill(7),
      policy: {
        accounts: new Set([account]),
        actions: new Set(actionKinds),
        markets: null,
        placementsPerSecond: 1_000_000,
        burst: 1_000_000,
        expiresAtMs: null,
      },
    },
  ],
  alarm: () => {},
  fatal: (error) => {
    throw error;
  },
});
const nothingSaid = {
  nonceConsumed: null,
  nextUsableNonce: null,
  nonceFloor: null,
  nonceWindow: null,
};
const encoder = new CanonicalEncoder(contract);

const applied = new Set(
  existsSync(venueFile)
    ? readFileSync(venueFile, 'utf8')
        .split('\n')
        .filter((line) => line.length > 0)
        .map((line) => Number(line.split(' ')[0]))
    : [],
);
let floor = 0;
while (applied.has(floor)) floor += 1;
nonces.discovered(floor, 256);
// What the last life left open is looked up at the venue, as reconciliation does.
for (let nonce = floor; nonce < floor + 256; nonce += 1) {
  if (nonces.state(nonce) !== 'unknown') continue;
  if (applied.has(nonce)) nonces.consumed(nonce);
  else nonces.dead(nonce);
}
await nonces.flush();

let isAtWork = false;
for (let count = 0; ; count += 1) {
  let fill: number | undefined;
  for (const demand of nonces.demands()) {
    // What was lost in this life never came to the venue: `send` says which.
    if (demand.kind === 'reconcile') nonces.dead(demand.nonce);
    if (demand.kind === 'fill') fill ??= demand.nonce;
  }
  const reservation = fill === undefined ? nonces.reserve('place') : nonces.reserveHole(fill);
  if (reservation === undefined) throw new Error(`jammed at floor ${nonces.floor}`);
  await send(reservation, count);
}

async function send({ nonce, supersedes }: Reservation, count: number): Promise<void> {
  const orderId =
    `0x${Buffer.from(`${round} ${count}`).toString('hex').padEnd(64, '0')}` as OrderId;
  const canonical = Uint8Array.from(
    encoder.encode({
      account,
      nonce: BigInt(nonce),
      nonce_reservation_id: null,
      ts: 1_700_000_000_000,
      action: { kind: 'Cancel', order_id: orderId },
    }),
  );
  const result = await signer.sign({ canonical, scheme: 'ecdsa', supersedes });
  if (result.kind === 'refused') {
    if (result.code !== 'other_digest' || result.digest === null) throw new Error(result.text);
    nonces.signedForAnother(nonce, result.digest);
    return;
  }
  nonces.signed(nonce, hexOf(result.digest));
  nonces.sent(nonce);
  await nonces.flush();
  // Some are lost on the way: the next life finds their nonces unknown and fills them.
  if (count % 7 === 3) {
    nonces.answered(nonce, { ...nothingSaid, outcome: 'unknown', code: null, isResend: false });
    return;
  }
  appendFileSync(venueFile, `${nonce} ${Buffer.from(result.digest).toString('hex')}\n`);
  nonces.consumed(nonce);
  if (!isAtWork) process.stdout.write('at work\n');
  isAtWork = true;
}
