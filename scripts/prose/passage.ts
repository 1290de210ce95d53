/** A piece of prose: a paragraph, a list item, a table cell, a comment or a text in the code. */
export interface Passage {
  /** The text on one line, as it is written. */
  written: string;
  /** The text with `x` in place of code and quotations. It has the same length as `written`. */
  text: string;
  /** Whether the passage is a heading or the first cell of a row, which names something and needs no sentence. */
  label: boolean;
  /** Returns the line of the file, counted from 1, that contains the character at an offset of the text. */
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

/** Replaces quotations, link targets, markup, and inline code that is not a number. The length stays the same. */
function mask(text: string): string {
  return text
    .replaceAll(/`(?!\d+`)[^`]*`/g, (code) => `\`${'x'.repeat(Math.max(0, code.length - 2))}\``)
    .replaceAll(/\]\([^)]*\)/g, (target) => ' '.repeat(target.length))
    .replaceAll(/"[^"]{1,200}"/g, (quotation) => `"${'x'.repeat(quotation.length - 2)}"`)
    .replaceAll(/<[^>]*>/g, (tag) => ' '.repeat(tag.length))
    .replaceAll(/\*\*|!?\[|(?<![\w*])_|_(?!\w)/g, (mark) => ' '.repeat(mark.length));
}
