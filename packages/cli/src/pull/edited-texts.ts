import type { Document } from 'yaml';
import { growTree } from '../manifest/grow-tree.ts';
import { parseSource } from '../manifest/parse.ts';
import { CliError } from '../exit.ts';
import { keepSpelling } from './keep-spelling.ts';
import type { Pulled } from './pull.ts';

/**
 * Returns the new text of each edited file. Lines without an edit stay the same, unless that would change the meaning
 * of the file. Throws a CliError if a new text is not valid.
 */
export function editedTexts({ edited }: Pulled): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { siblings, at, text } of edited) {
    const { file } = at(0);
    if (texts.has(file)) continue;
    const indentSeq = !/^[\w"'-]+:[^\n]*\n(?:\s*#[^\n]*\n)*- /m.test(text);
    const write = (documents: readonly Document[]) =>
      documents
        .map((document) => document.toString({ lineWidth: 0, indentSeq }))
        .join('')
        .replaceAll('\r\n', '\n');
    const read = (text: string) => {
      const { documents, faults } = parseSource({ name: file, text: text.replaceAll('\r\n', '\n') });
      const isRead = faults.length === 0 && documents.every((document) => growTree(document).faults.length === 0);
      return isRead ? write(documents.map(({ document }) => document)) : null;
    };
    const edited = write(siblings);
    const meaning = read(edited);
    if (meaning === null) {
      throw new CliError(`the edits do not fit into ${file}; nothing was written`, {
        next: 'edit it by hand: `uptime diff` shows the differences',
      });
    }
    const rewritten = read(text);
    const kept = rewritten === null ? edited : keepSpelling(text, rewritten, edited);
    const isKept = kept !== edited && read(kept) === meaning;
    const written = isKept ? kept : /^.*\r\n/.test(text) ? edited.replaceAll('\n', '\r\n') : edited;
    texts.set(file, written);
  }
  return texts;
}
