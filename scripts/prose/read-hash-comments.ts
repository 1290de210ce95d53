import { joinLines } from './join-lines.ts';
import type { Passage } from './passage.ts';

/** Returns the comments of a YAML file or a crontab. Leaves out an indented comment, because it is a command. */
export function readHashComments(text: string): Passage[] {
  const joined = joinLines();
  for (const [index, line] of text.split('\n').entries()) {
    const comment = /(?:^|\s)#(?!\S)\s?(.*)$/.exec(line);
    const besideCode = comment !== null && !line.trimStart().startsWith('#');
    if (comment === null || besideCode || comment[1]!.startsWith('  ')) joined.close();
    if (comment === null || comment[1]!.startsWith('  ')) continue;
    joined.add(comment[1]!.trim(), index + 1);
    if (besideCode) joined.close();
  }
  return joined.passages();
}
