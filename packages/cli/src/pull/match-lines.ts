/**
 * Maximum number of removed and added lines. If two texts differ by more, the comparison stops, because it would take
 * too long.
 */
const maxEdits = 1000;

/**
 * Finds the fewest removed and added lines that turn one text into the other, with the algorithm of Myers. Returns the
 * index of the equal line in `before` for each line of `after`, or -1 if there is none. Returns null if the texts
 * differ in too many lines.
 */
export function matchLines(before: readonly string[], after: readonly string[]): Int32Array | null {
  const limit = Math.min(before.length + after.length, maxEdits);
  // For each diagonal: the index in `before` that was reached. A diagonal is the number of removed lines minus the
  // number of added lines.
  const furthest = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    rounds.push(furthest.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const from = previous(furthest, middle, diagonal, edits);
      let at = from.at + (from.diagonal < diagonal ? 1 : 0);
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal]) at++;
      furthest[middle + diagonal] = at;
      if (at >= before.length && at - diagonal >= after.length) return followBack(rounds, before.length, after.length);
    }
  }
  return null;
}

/** Returns the neighbouring diagonal that got furthest in the previous round, and the index reached there. */
function previous(furthest: Int32Array, middle: number, diagonal: number, edits: number) {
  const [below, above] = [furthest[middle + diagonal - 1]!, furthest[middle + diagonal + 1]!];
  return diagonal === -edits || (diagonal !== edits && below < above)
    ? { diagonal: diagonal + 1, at: above }
    : { diagonal: diagonal - 1, at: below };
}

function followBack(rounds: readonly Int32Array[], before: number, after: number): Int32Array {
  const matched = new Int32Array(after).fill(-1);
  let [x, y] = [before, after];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const from = previous(rounds[edits]!, edits + 1, x - y, edits);
    while (x > from.at && y > from.at - from.diagonal) matched[--y] = --x;
    [x, y] = [from.at, from.at - from.diagonal];
  }
  return matched;
}
