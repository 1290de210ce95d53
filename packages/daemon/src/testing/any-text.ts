import * as fc from 'fast-check';

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

/**
 * Generates text of any characters, including lone surrogates. `fc.string({ unit: 'binary' })` does that too, but first
 * builds a map of a million characters, which takes several seconds in each worker.
 */
export const anyText = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, maxLength });
