import * as fc from 'fast-check';

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/**
 * Text of any characters, lone surrogates included. It is `fc.string({ unit: 'binary' })` without the reverse mapping of
 * a million characters, which costs each worker some seconds.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, maxLength });
