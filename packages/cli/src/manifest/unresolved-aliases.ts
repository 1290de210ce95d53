import { type Alias, type Document, type Node, visit } from 'yaml';

/** Returns the aliases of a document whose anchor is missing, or set only after them. */
export function unresolvedAliases(document: Document): Alias[] {
  const lost: Alias[] = [];
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document)) lost.push(alias);
    },
  });
  return lost;
}

/** Whether a node contains one of the aliases. */
export const holdsOne = (node: Node, aliases: readonly Alias[]): boolean => {
  const [from = 0, to = 0] = node.range ?? [];
  return aliases.some(({ range }) => range && range[0] >= from && range[0] < Math.max(to, from + 1));
};

export const aliasMessage = ({ source }: Alias): string =>
  `the alias \`*${source}\` has no anchor: set \`&${source}\` before it`;
