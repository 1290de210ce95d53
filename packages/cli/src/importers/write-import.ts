import { manifestLists } from '@uptime/sdk/contract';
import { Document, isMap, isNode, isSeq } from 'yaml';
import { modeline } from '../manifest/modeline.ts';
import { createSecretVariables } from '../manifest/secret-variables.ts';
import { fit, type Hiding } from '../manifest/write.ts';
import { escapeControls, plain } from '../output.ts';
import type { Note } from './collection.ts';
import { hasReference, replaceReferences } from './env-reference.ts';
import type { Settled } from './settle.ts';

export interface Written {
  text: string;
  /** The variables that replace secrets, and the variables that the other program already used. */
  variables: string[];
}

/**
 * Returns items as the text of a manifest. Variables replace secrets, and notes about an item become comments above the
 * item.
 */
export function writeImport(items: readonly Settled[], notes: readonly Note[], siteUrl: string): Written {
  const secrets = createSecretVariables();
  const references = new Set<string>();
  const hiding = ({ kind, about, fields }: Settled): Hiding => ({
    isHidden: (path, value) => hasReference(value) || (value !== '' && kind.isSecret(path, fields)),
    isAddress: (path) => kind.isAddress?.(path) ?? false,
    refer(path, value) {
      if (!hasReference(value)) {
        const key = typeof fields['key'] === 'string' ? fields['key'] : null;
        return `\${${secrets.nameFor({ key, name: about }, path.slice(path.indexOf('.') + 1), value)}}`;
      }
      return replaceReferences(value.replaceAll('$', '$$$$'), (name) => {
        references.add(name);
        return `\${${name}}`;
      });
    },
  });
  const lists = manifestLists
    .map((list) => [list, items.filter((item) => item.list === list)] as const)
    .filter(([, all]) => all.length > 0);
  const data = lists.map(([list, all]) => [list, all.map((item) => fit(item.fields, hiding(item), ''))] as const);
  const document = new Document(Object.fromEntries(data), { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  const commented = new Set<string>();
  for (const [list, all] of lists) {
    const written = document.get(list);
    if (!isSeq(written)) continue;
    for (const [i, { about }] of all.entries()) {
      const node = written.items[i];
      // A channel and its rule may have the same name. Then the notes stand only above the first of them.
      if (!isNode(node) || !isMap(node) || commented.has(about)) continue;
      commented.add(about);
      const lines = notes.filter((note) => note.about === about).map(({ level, text }) => ` ${level}: ${plain(text)}`);
      if (lines.length > 0) node.commentBefore = lines.join('\n');
    }
  }
  return {
    text: modeline(siteUrl) + escapeControls(document.toString({ lineWidth: 0 })),
    variables: [...new Set([...secrets.names(), ...references])].toSorted(),
  };
}
