/** Searches for a text in another text that arrives in pieces. It does not keep the pieces. */
export interface TextSearch {
  /** Processes the next piece. Returns whether the pieces up to here, joined, contain the text. */
  take(piece: string): boolean;
}

/**
 * `indexOf` searches for at most this many first characters of the wanted text. For so few characters, `indexOf` is
 * fast and takes linear time.
 */
const maxStartLength = 6;

/**
 * Creates a search that takes linear time in the length of the pieces and the text, whatever they contain. V8's own
 * search is quadratic for some texts. This is the algorithm of Knuth, Morris and Pratt. While nothing matches,
 * `indexOf` finds the next place where the text may begin.
 */
export function createTextSearch(wanted: string): TextSearch {
  const start = wanted.slice(0, maxStartLength);
  /** How many first characters of `wanted` match the end of the pieces so far. */
  let matched = 0;
  let fallbacks: Uint32Array | null = null;

  return {
    take(piece) {
      if (matched === wanted.length) return true;
      const lastStart = piece.length - start.length;
      for (let at = 0; at < piece.length;) {
        if (matched === 0 && at <= lastStart) {
          const found = piece.indexOf(start, at);
          // The piece may end with the first characters of the text.
          at = found < 0 ? lastStart + 1 : found + start.length;
          if (found >= 0) matched = start.length;
          if (matched === wanted.length) return true;
          if (found >= 0) continue;
        }
        fallbacks ??= fallbacksOf(wanted);
        while (at < piece.length) {
          const unit = piece.charCodeAt(at);
          while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = fallbacks[matched]!;
          if (unit === wanted.charCodeAt(matched)) matched++;
          at++;
          if (matched === wanted.length) return true;
          if (matched === 0 && at <= lastStart) break;
        }
      }
      return false;
    },
  };
}

/** Returns, for each number of matched characters, how many still match if the next character does not. */
function fallbacksOf(wanted: string): Uint32Array {
  const fallbacks = new Uint32Array(wanted.length + 1);
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted.charCodeAt(at) !== wanted.charCodeAt(matched)) matched = fallbacks[matched]!;
    if (wanted.charCodeAt(at) === wanted.charCodeAt(matched)) matched++;
    fallbacks[at + 1] = matched;
  }
  return fallbacks;
}
