/**
 * Signatures that a backend must reproduce before it is used, byte for byte: RFC 6979 with low s, as @noble/curves
 * makes them, with the least, the greatest and an ordinary key in turn.
 */
import { hash } from 'node:crypto';

/** Of the group. */
export const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const keys = [
  [
    1n,
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
  ],
  [
    order - 1n,
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798b7c52588d95c3b9aa25b0403f1eef75702e84bb7597aabe663b82f6f04ef2777',
  ],
  [
    0x46e7176a64012084682f22b42b7d153b56e9077e685f343f86f7a839d455858en,
    '2e00247c0aa8444dc70ad85d3f062ffefb69eaa794649ac6aa6e689c3a8322615beffb57328e898311682d5b05a8b405995e490a4a12d896fdb478cd8a877ed1',
  ],
] as const;

const digests = [
  ...[0n, 1n, order / 2n, order / 2n + 1n, 2n ** 255n, order - 1n].map(toBytes),
  ...['a', 'b', 'c', 'd'].map((text) => hash('sha256', text, 'buffer')),
];

/** r, s, v of each digest. */
const signatures = [
  'a0b37f8fba683cc68f6574cd43b39f0343a50008bf6ccea9d13231d9e7e2e1e411edc8d307254296264aebfc3dc76cd8b668373a072fd64665b50000e9fcce5201',
  'eaa03e6c5cc815dd7cee2e11460df51a04bfd9b3169aa63f735c95dcf623c95d192bf170e5284efefdb0d8ce148759a48ada553bd929d3deda5451decfa5c70e01',
  '4df04b19f67382a84ee31d478b9667fb55602137b2395ef9f85bb6c98f5e69491f6a3ca9e837e7e9345bfd1c86f90fe54cf1c6013bb6ac64a0b11905993312a401',
  '25553282568dd805105f723d95820e7ab3c48f60b732c9e0535279d13508b94b5e52e210213658a77cb2e0e6fe704abe9e9902813627da3ad69ddf89790237d401',
  '1490bacdb3aee9cf7ef2b96d6940703729b757ce1d33ae31cf44afdd97519ddb1617f3ed5bc7e9ab3bcfe7e5c615088aa9d3e26bf2af8ffbfc272aa74acd28b001',
  'd672eca4c4a2bd89149c872d37ae04d6da7a5d8a00c1730c23e1a188c7aa9b811dc515ab43b7966eeb263d01cd1d8fd7fa673ba9f1b185a1fd7de6cbf1b9abbc00',
  '0b197d89de2ad88bea907ad78372246a110f893ef365ba2812a8be4e5d5772b674e2609d6630a596daba04c2f47855f6d767a79ee79b2bec621e35c0d5a25ce200',
  'b2c0397dd1886b8dd4939b7e7c63be891ae0b9c2303c7c5a4691958dc9893a7257ac28b0f81bf379e8a65e0deeb5953a0244d2330bc09b43b1a437bb406b315001',
  '06810c14f3fe4075070a195693bc4f659e499ab0369c60c4f57c3d125eda5c3c070001fd7273f8f199ca4432faf90aec291b4639370beb1573eb78a6cdd5f31201',
  'b540cf5fab42c68a0763eba47d2c62248ec912a5a43564f3083179bf2951eba32bc014e696973e0abe289ce699bd1c6ed6d80b02c60977aaaf47ffa88a44643700',
];

export const knownAnswers = digests.map((digest, index) => {
  const [secret, point] = keys[index % 3] as (typeof keys)[number];
  const publicKey = Buffer.from(`04${point}`, 'hex');
  const signature = Buffer.from(signatures[index] ?? '', 'hex');
  return { secret: toBytes(secret), publicKey, digest, signature };
});

/** 32 bytes. */
export function toBytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
