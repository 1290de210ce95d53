import { type Document, isScalar, type Node, Scalar, visit } from 'yaml';
import type { Fields } from '../kinds/kind.ts';
import { withComment } from './yaml-comments.ts';

/** Sets the value of a scalar. The comments and the anchor of the scalar stay. */
export function setScalar(node: Scalar, value: unknown): void {
  node.value = escaped(value);
  delete node.format;
  delete node.source;
  if (typeof value !== 'string' && node.type !== Scalar.PLAIN) node.type = Scalar.PLAIN;
}

/** Puts a value in place of a node, anywhere in the document. */
export function setValue(document: Document, node: Node, value: unknown): void {
  if (isScalar(node) && (typeof value !== 'object' || value === null)) return setScalar(node, value);
  const created = withComment(document.createNode(escaped(value)), node);
  visit(document, {
    Pair(_, pair) {
      if (pair.value !== node) return undefined;
      pair.value = created;
      return visit.BREAK;
    },
  });
}

/** Doubles dollar signs that would otherwise begin a variable. */
export const escaped = (value: unknown): unknown => {
  if (typeof value === 'string') return /\$[${]/.test(value) ? value.replaceAll('$', '$$$$') : value;
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Fields).map(([name, inner]) => [name, escaped(inner)]));
};
