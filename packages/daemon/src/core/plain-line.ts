/**
 * Returns text from another system as one line, without characters that would break the line or reverse the reading
 * direction. They become spaces, because people read the line as a sentence. The log and `uptimed admin` make such
 * characters visible instead.
 */
export const plainLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
