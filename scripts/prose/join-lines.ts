import { type Passage, passageOf } from './passage.ts';

/** Joins consecutive lines of comments to passages. An empty line, a list item or a tag begins a new passage. */
export function joinLines() {
  const passages: Passage[] = [];
  let open: { lines: string[]; first: number } | null = null;
  const close = () => {
    if (open) passages.push(passageOf(open.lines, open.first));
    open = null;
  };
  return {
    close,
    add(text: string, line: number): void {
      const marker = /^(?:@\w+ (?:\{[^}]*\} )?|[-*] |\d+\. )/.exec(text)?.[0] ?? '';
      if (text === '' || marker !== '' || (open && line !== open.first + open.lines.length)) close();
      const prose = text.slice(marker.length);
      if (prose === '') return;
      if (open) open.lines.push(prose);
      else open = { lines: [prose], first: line };
    },
    passages(): Passage[] {
      close();
      return passages;
    },
  };
}
