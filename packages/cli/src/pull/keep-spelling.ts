import { matchLines } from './match-lines.ts';

/**
 * Returns `text` with the edits. Lines without an edit keep their spaces, blank lines and line ends. `rewritten` is the
 * output of the YAML library before the edits, and `edited` is its output after them. If these texts differ in too many
 * lines, returns `edited`. If `text` and `edited` indent lines differently, the result may not mean the same as
 * `edited`. So the caller must compare the meaning of the result with that of `edited`.
 */
export function keepSpelling(text: string, rewritten: string, edited: string): string {
  const [own, plain, next] = [text.split('\n'), rewritten.split('\n'), edited.split('\n')];
  const ownOf = matchLines(withoutSpaces(own), withoutSpaces(plain));
  const plainOf = matchLines(plain, next);
  if (!ownOf || !plainOf) return edited;
  const isOfWindows = own[0]!.endsWith('\r');
  // The last line has no line end.
  const endAt = (index: number) => (isOfWindows && index < next.length - 1 ? '\r' : '');
  const kept: string[] = [];
  const places: Place[] = [];
  let from = { own: 0, plain: 0, next: 0 };
  for (let at = 0; at <= next.length; at++) {
    const to =
      at === next.length
        ? { own: own.length, plain: plain.length, next: at }
        : { own: ownOf[plainOf[at]!] ?? -1, plain: plainOf[at]!, next: at };
    if (to.own < 0) continue;
    // `between` has an entry for each line of `next` after the last line that all three texts share. The entry is the
    // line's index in `plain`, or -1 for a new line.
    const between = plainOf.subarray(from.next, to.next);
    const isUnchanged = between.length === to.plain - from.plain && between.every((line, i) => line === from.plain + i);
    if (isUnchanged) kept.push(...own.slice(from.own, to.own));
    else kept.push(...indentedAs(places, next.slice(from.next, to.next)).map((line, i) => line + endAt(from.next + i)));
    if (at < next.length) {
      kept.push(own[to.own]!);
      places.push({ plain: columnsOf(plain[to.plain]!), own: columnsOf(own[to.own]!) });
    }
    from = { own: to.own + 1, plain: to.plain + 1, next: at + 1 };
  }
  return kept.join('\n');
}

/**
 * Removes spaces, because two spellings of a line may differ in them. Replaces each blank line by the word `above` and
 * the text of the next line that is not blank. So two blank lines match only if equal texts follow them.
 */
function withoutSpaces(lines: readonly string[]): string[] {
  let below = '';
  return lines
    .toReversed()
    .map((line) => {
      const bare = line.replaceAll(/\s+/g, '');
      if (bare !== '') below = bare;
      return bare === '' ? `above ${below}` : bare;
    })
    .toReversed();
}

/**
 * The columns in which a line and its list items begin: in the text of the YAML library (`plain`), and in the file
 * itself (`own`).
 */
interface Place {
  plain: readonly number[];
  own: readonly number[];
}

/** Returns the column in which a line begins. For items of a list, the column after each dash follows. */
function columnsOf(line: string): number[] {
  const [start = ''] = /^\s*(?:- +)*/.exec(line) ?? [];
  return [...start.matchAll(/- +/g)].reduce(
    (columns, { index, 0: dash }) => [...columns, index + dash.length],
    [/^\s*/.exec(start)![0].length],
  );
}

/**
 * Indents each new line like the nearest earlier line that begins in the same column or further left. Adds the new
 * lines to `places`.
 */
function indentedAs(places: Place[], lines: readonly string[]): string[] {
  return lines.map((line) => {
    const plain = columnsOf(line);
    const [column = 0] = plain;
    const above = places.findLast((place) => place.plain.includes(column) || place.plain.at(-1)! < column);
    if (line.trim() === '' || !above) return line;
    const same = above.plain.lastIndexOf(column);
    const shift = above.own.at(same)! - above.plain.at(same)!;
    const own = ' '.repeat(Math.max(column + shift, 0)) + line.trimStart();
    places.push({ plain, own: columnsOf(own) });
    return own;
  });
}
