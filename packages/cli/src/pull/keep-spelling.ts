import { matchLines } from './match-lines.ts';

/**
 * Puts edits into a text and leaves all other lines as they are: their spaces, blank lines and line ends. `rewritten`
 * is the text without the edits as the YAML library writes it; `edited` is the text with the edits. Returns `edited` if
 * the texts differ in too many lines. If indentations differ, the result may have another meaning than `edited`. So the
 * caller must compare them.
 */
export function keepSpelling(text: string, rewritten: string, edited: string): string {
  const [own, plain, next] = [text.split('\n'), rewritten.split('\n'), edited.split('\n')];
  const ownOf = matchLines(withoutSpaces(own), withoutSpaces(plain));
  const plainOf = matchLines(plain, next);
  if (!ownOf || !plainOf) return edited;
  const isOfWindows = own[0]!.endsWith('\r');
  // The last line has no line break.
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
    // The lines between two lines that all three texts have.
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

/** Removes spaces, because two spellings of a line may differ in them. A blank line is named after the line below. */
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

/** The columns of a line: as the YAML library writes it (`plain`), and as the file spells it (`own`). */
interface Place {
  plain: readonly number[];
  own: readonly number[];
}

/** Returns the columns in which a line begins, and in which its content begins after each dash of a list. */
function columnsOf(line: string): number[] {
  const [start = ''] = /^\s*(?:- +)*/.exec(line) ?? [];
  return [...start.matchAll(/- +/g)].reduce(
    (columns, { index, 0: dash }) => [...columns, index + dash.length],
    [/^\s*/.exec(start)![0].length],
  );
}

/**
 * Indents each new line like the nearest line above that begins in the same column or left of it. Adds the new lines to
 * the places.
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
