/** Returns the candidate nearest to a mistyped word, or null if none is near enough. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let smallest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= smallest) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < smallest) [best, smallest] = [candidate, distance];
  }
  return best;
}

/** Returns the smallest number of edits that turn one word into the other. A swap of two neighbours is one edit. */
function editDistance(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = previous[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, changed, swapped ? older[j - 2]! + 1 : Infinity));
    }
    [older, previous] = [previous, current];
  }
  return previous[to.length]!;
}
