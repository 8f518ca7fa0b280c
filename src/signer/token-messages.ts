/** The messages between the signer and the process of a token; Node carries them. */

/** The location of a key in a token. */
export interface TokenPlace {
  /** The vendor's PKCS#11 module, a shared library. */
  readonly module: string;
  /** The label of the token. */
  readonly token: string;
  readonly keyLabel?: string | undefined;
  /** In hex. */
  readonly keyId?: string | undefined;
}

export type ToToken =
  | { readonly kind: 'open'; readonly place: TokenPlace; readonly pin: string }
  | {
      readonly kind: 'sign';
      readonly id: number;
      readonly digest: Uint8Array;
      /** Unix time after which nobody waits for the signature any more. */
      readonly untilMs: number;
    };

export type FromToken =
  | { readonly kind: 'opened'; readonly publicKey: Uint8Array }
  | { readonly kind: 'signed'; readonly id: number; readonly rAndS: Uint8Array }
  /** The process ends after it. */
  | { readonly kind: 'failed'; readonly problem: string; readonly isFinal: boolean };
