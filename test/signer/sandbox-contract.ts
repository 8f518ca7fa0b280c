import { type SigningContract, signingContractSchema } from '../../src/signer/signing-contract.ts';

/** The defaults of contract part B under the sandbox's name. */
export const sandboxSigningContract: SigningContract = signingContractSchema.parse({
  service: { name: 'SANDBOX', slug: 'sandbox' },
  signing: {
    domains: { action: '{NAME}/ACTION_PAYLOAD/v1', orderId: '{NAME}/ORDER_ID/v1' },
    schemes: { ecdsa: 'EcdsaSecp256k1', eip191: 'Eip191PersonalSign' },
    vEncoding: '0/1',
    requireLowS: true,
    goldenVectors: [],
  },
  orderId: {
    leg: { base: 0, encoding: 'u32le' },
    algoChild: { base: 0, encoding: 'u32le' },
  },
  types: { expiresAt: 'unix_ms' },
  enums: {
    triggerDirection: ['at_or_above', 'at_or_below'],
    conditionalKind: ['take_profit', 'stop_loss'],
  },
  variants: { bookOnSpot: 'null' },
  strategies: {
    iceberg: ['slice_qty'],
    twap: ['slice_qty', 'interval_ms'],
    vwap: ['slice_qty', 'interval_ms'],
  },
  clientOrderId: { pattern: '^[A-Za-z0-9._:-]{1,36}$', send: 'always' },
});
