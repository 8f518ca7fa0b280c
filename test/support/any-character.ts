import fc from 'fast-check';

/**
 * Any code point that text can have, half of them ASCII. fast-check's own unit `binary` builds a table of all 1.1 million in each
 * process, which takes a second.
 */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff })))
  .map((codePoint) => String.fromCodePoint(codePoint));
