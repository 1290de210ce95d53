import { type Alias, type Document, type Node, visit } from 'yaml';

/** The aliases of a document that stand for nothing: their anchor is missing, or is set only after them. */
export function unresolvedAliases(document: Document): Alias[] {
  const lost: Alias[] = [];
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document)) lost.push(alias);
    },
  });
  return lost;
}

/** Whether one of these aliases stands within a node. */
export const holdsOne = (node: Node, aliases: readonly Alias[]): boolean => {
  const [from = 0, to = 0] = node.range ?? [];
  return aliases.some(({ range }) => range && range[0] >= from && range[0] < Math.max(to, from + 1));
};

export const aliasMessage = ({ source }: Alias): string =>
  `the alias \`*${source}\` stands for nothing: set its anchor \`&${source}\` before it`;
