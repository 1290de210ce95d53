import * as fc from 'fast-check';

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/**
 * Text of any characters, lone surrogates included. Unlike `fc.string({ unit: 'binary' })`, it does not build a reverse
 * map of a million characters, which takes each worker some seconds.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, maxLength });
