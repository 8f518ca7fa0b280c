/** The nonce rules of the shipped profile. */
import { nonceRulesOf } from '../../src/signer/nonce-types.ts';

export const defaultNonceRules = nonceRulesOf({ window: 256, stride: { offset: 0, step: 1 } });
