import { type Alias, type Document, isAlias, isMap, isPair, type Node, visit, type YAMLMap } from 'yaml';
import { keyText } from '../manifest/grow-tree.ts';

/** Whether a node contains an anchor to which an alias outside of the node refers. */
export function hasUsedAnchor(document: Document, node: Node): boolean {
  const anchors = new Set<string>();
  visit(node, {
    Node(_, inner) {
      if ('anchor' in inner && inner.anchor) anchors.add(inner.anchor);
    },
  });
  return anchors.size > 0 && aliasesOutside(document, node).some(({ alias }) => anchors.has(alias.source));
}

/**
 * Whether an edit of a field would also change other parts of a document. That is so if an alias refers to the field,
 * or to a map around the field. An alias does not count if it is merged into a map that sets the field itself.
 */
export function isSharedField(document: Document, map: Node, at: readonly string[]): boolean {
  const steps = stepsTo(document, map);
  let node: unknown = map;
  for (const name of at) {
    if (!isMap(node)) return false;
    steps.push({ node, name });
    node = valueIn(node, name);
    // The edit replaces this alias in the last map of `steps`, or adds the missing field to that map. So the value
    // behind the alias does not change.
    if (!node || isAlias(node)) break;
  }
  const value = node && !isAlias(node) ? (node as Node) : null;
  if (value && hasUsedAnchor(document, value)) return true;
  const aliases = aliasesOutside(document, value);
  return steps.some(({ node: around, name }) =>
    aliases.some(
      ({ alias, mergedInto }) =>
        around.anchor === alias.source && !(mergedInto && mergedInto.items.some((pair) => keyText(pair) === name)),
    ),
  );
}

interface Step {
  node: YAMLMap;
  /** The key in this map that leads to the edited field. */
  name: string;
}

const valueIn = (map: YAMLMap, name: string): unknown => map.items.find((pair) => keyText(pair) === name)?.value;

/**
 * Returns the maps that contain a node, from the outermost to the innermost, each with the key that leads to the node.
 */
function stepsTo(document: Document, target: Node): Step[] {
  const steps: Step[] = [];
  visit(document, {
    Node(_, node, path) {
      if (node !== target) return undefined;
      path.forEach((around, i) => {
        const pair = path[i + 1];
        if (isMap(around) && isPair(pair)) steps.push({ node: around, name: keyText(pair) });
      });
      return visit.BREAK;
    },
  });
  return steps;
}

/** Returns every alias outside of a node, with the map into which the alias is merged; null if it is not merged. */
function aliasesOutside(document: Document, node: Node | null): { alias: Alias; mergedInto: YAMLMap | null }[] {
  const found: { alias: Alias; mergedInto: YAMLMap | null }[] = [];
  visit(document, {
    Node: (_, inner) => (inner === node ? visit.SKIP : undefined),
    Alias(_, alias, path) {
      const [map, pair] = isPair(path.at(-1)) ? path.slice(-2) : path.slice(-3);
      const isMerge = isMap(map) && isPair(pair) && keyText(pair) === '<<';
      found.push({ alias, mergedInto: isMerge ? map : null });
    },
  });
  return found;
}
