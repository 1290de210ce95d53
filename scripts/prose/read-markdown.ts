import { type Passage, passageOf } from './passage.ts';

/** Returns the paragraphs, list items, headings and table cells of a Markdown page. Leaves out code blocks. */
export function readMarkdown(page: string): Passage[] {
  const passages: Passage[] = [];
  let open: { lines: string[]; first: number } | null = null;
  let fenced = false;
  let rows = 0;

  const close = () => {
    if (open) passages.push(passageOf(open.lines, open.first));
    open = null;
  };

  for (const [index, line] of page.split('\n').entries()) {
    const number = index + 1;
    const text = line.trim();
    const row = text.startsWith('|');
    rows = row ? rows + 1 : 0;
    if (text.startsWith('```')) fenced = !fenced;
    if (fenced || text === '' || text.startsWith('```') || /^<!--.*-->$/.test(text)) close();
    else if (text.startsWith('#')) {
      close();
      passages.push(passageOf([text.replace(/^#+/, '')], number, true));
    } else if (row) {
      close();
      passages.push(...cellsOf(text, number, rows === 1));
    } else if (/^(?:[-*]|\d+\.) /.test(text)) {
      close();
      open = { lines: [text.replace(/^(?:[-*]|\d+\.) /, '')], first: number };
    } else if (open) open.lines.push(text);
    else open = { lines: [text], first: number };
  }
  close();
  return passages;
}

/** Returns the cells of a table row. Cells of the head and of the first column are labels. */
function cellsOf(row: string, line: number, head: boolean): Passage[] {
  const cells = row.replaceAll(/^\||\|$/g, '').split(/(?<!\\)\|/);
  return cells.flatMap((cell, column) =>
    /^[\s:-]*$/.test(cell) ? [] : [passageOf([cell], line, head || column === 0)],
  );
}

/** Returns the part of a changelog below "Unreleased". Other lines become empty, so that line numbers stay the same. */
export function unreleasedPart(changelog: string): string {
  const lines = changelog.split('\n');
  const begin = lines.findIndex((line) => /^## \[?unreleased/i.test(line));
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  return lines.map((line, index) => (index > begin && (end < 0 || index < end) ? line : '')).join('\n');
}
