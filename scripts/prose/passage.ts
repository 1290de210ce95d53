/** A piece of prose: a paragraph, a list item, a table cell, a comment or a text in the code. */
export interface Passage {
  /** The text on one line, as it is written. */
  written: string;
  /** The same text with masked code and quotations. Offsets are the same. */
  text: string;
  /** A heading or the first cell of a row: it names something and needs no sentence. */
  label: boolean;
  /** The line of the file, counted from 1, on which the character at this offset stands. */
  lineAt: (offset: number) => number;
}

/** Joins lines to one passage. `first` is the number of the first line, counted from 1. */
export function passageOf(lines: readonly string[], first: number, label = false): Passage {
  const trimmed = lines.map((line) => line.trim());
  const lineAt = (offset: number) => {
    let end = 0;
    for (const [index, line] of trimmed.entries()) {
      end += line.length + 1;
      if (offset < end) return first + index;
    }
    return first + trimmed.length - 1;
  };
  const written = trimmed.join(' ');
  return { written, text: mask(written), label, lineAt };
}

/** Masks inline code except numbers, quotations, link targets and markup. The length stays the same. */
function mask(text: string): string {
  return text
    .replaceAll(/`(?!\d+`)[^`]*`/g, (code) => `\`${'x'.repeat(Math.max(0, code.length - 2))}\``)
    .replaceAll(/\]\([^)]*\)/g, (target) => ' '.repeat(target.length))
    .replaceAll(/"[^"]{1,200}"/g, (quotation) => `"${'x'.repeat(quotation.length - 2)}"`)
    .replaceAll(/<[^>]*>/g, (tag) => ' '.repeat(tag.length))
    .replaceAll(/\*\*|!?\[|(?<![\w*])_|_(?!\w)/g, (mark) => ' '.repeat(mark.length));
}
