import { growTree } from '../manifest/grow-tree.ts';
import { parseSource } from '../manifest/parse.ts';
import { CliError } from '../exit.ts';
import type { Pulled } from './pull.ts';

/** Returns the new text of each edited file. Throws a CliError if a text could not be read again. */
export function editedTexts({ edited }: Pulled): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { siblings, at, text } of edited) {
    const { file } = at(0);
    if (texts.has(file)) continue;
    const indentSeq = !/^[\w"'-]+:[^\n]*\n(?:\s*#[^\n]*\n)*- /m.test(text);
    const written = siblings.map((document) => document.toString({ lineWidth: 0, indentSeq })).join('');
    const { documents, faults } = parseSource({ name: file, text: written });
    if (faults.length > 0 || documents.some((document) => growTree(document).faults.length > 0)) {
      throw new CliError(`the edits do not fit into ${file}; nothing was written`, {
        next: 'edit it by hand: `uptime diff` shows the differences',
      });
    }
    texts.set(file, written);
  }
  return texts;
}
