import { isScalar, parse, Scalar } from 'yaml';
import type { Diagnostic } from './diagnostic.ts';
import { placeOf } from './grow-tree.ts';
import { jobCredentials } from './job-credentials.ts';
import { type Leaf, leaf, listTree, type MapTree, mapTree, type Tree, via } from './tree.ts';

/** The values of variables: `env` and `each`. `fillVariables` adds to `names` and `faults`. */
export interface Filling {
  env: Record<string, string | undefined>;
  /** The values of `${each.name}` for this item, if a `forEach` made the item. */
  each?: MapTree | null;
  /** Collects the names of all environment variables to which the manifest refers. */
  names: Set<string>;
  faults: Diagnostic[];
}

const pattern = /\$(?:\$|\{([^}]*)\}|\{)/g;
const reference = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;
const eachReference = /^each(?:\.([^{}]+))?$/;

/**
 * Returns a tree in which values replace `${NAME}`, `${NAME:-default}` and `${each.name}`, and `$` replaces `$$`. After
 * that, a value without quotes may become a number, a boolean or null: `port: ${PORT:-3000}` is a number. A value in
 * quotes remains text, unless it is only `${each.name}`.
 */
export function fillVariables(tree: Tree, filling: Filling): Tree {
  if (tree.is === 'list')
    return {
      ...listTree(
        tree.items.map((item) => fillVariables(item, filling)),
        tree.origin,
      ),
      lost: tree.lost,
    };
  if (tree.is === 'map') {
    const entries = [...tree.entries].map(([name, inner]) => [name, fillVariables(inner, filling)] as const);
    return { ...mapTree(new Map(entries), tree.origin), lost: tree.lost };
  }
  return fillLeaf(tree, filling);
}

function fillLeaf(tree: Leaf, filling: Filling): Tree {
  const { value, origin } = tree;
  if (typeof value !== 'string' || !value.includes('$') || tree.variable) return tree;
  const whole = /^\$\{([^}]*)\}$/.exec(value)?.[1];
  const given = whole === undefined ? undefined : eachValue(whole, filling);
  // If the whole text is `${each.name}`, the value keeps its type. For example, a list remains a list.
  if (given) return via({ ...given, origin: { ...given.origin, key: origin.key ?? given.origin.key } }, 'forEach');
  const filled = fillText(value, tree, filling);
  const isPlain = isScalar(origin.node) && origin.node.type === Scalar.PLAIN;
  return leaf(isPlain && filled.replaced ? readAgain(filled.text) : filled.text, origin, {
    fromEnvironment: filled.fromEnvironment,
    variable: filled.replaced,
    broken: filled.broken,
  });
}

function eachValue(inner: string, { each }: Filling): Tree | undefined {
  const [match, name = 'value'] = eachReference.exec(inner) ?? [];
  return match && each ? each.entries.get(name) : undefined;
}

function fillText(text: string, { origin }: Leaf, filling: Filling) {
  const { env, names, faults, each } = filling;
  const found = { fromEnvironment: false, replaced: false, broken: false };
  const fault = (whole: string, message: string) => {
    faults.push({ ...placeOf(origin.document, origin.node), message });
    found.broken = true;
    return whole;
  };
  const result = text.replace(pattern, (whole, inner: string | undefined) => {
    if (whole === '$$') return '$';
    if (inner === undefined) return fault(whole, '`${` has no closing `}`; write `$$` for a dollar sign');
    if (eachReference.test(inner) && (each || inner !== 'each')) {
      const value = eachValue(inner, filling);
      if (value?.is === 'leaf') {
        found.replaced = true;
        found.fromEnvironment ||= value.fromEnvironment;
        found.broken ||= value.broken;
        return typeof value.value === 'string' ? value.value : JSON.stringify(value.value ?? '').replace('""', '');
      }
      const known = [...(each?.entries.keys() ?? [])].join(', ');
      if (value) return fault(whole, `\`${whole}\` is a list or a map, so it must be the whole value`);
      return fault(
        whole,
        each
          ? `\`${whole}\` is not a field of the \`forEach\` of this item, which has ${known}`
          : `\`${whole}\` can only stand in an item with \`forEach\``,
      );
    }
    const [, name, fallback] = reference.exec(inner) ?? [];
    if (!name) {
      return fault(
        whole,
        `\`${whole}\` is not a variable; write \${NAME} or \${NAME:-default}, and \`$$\` for a dollar sign`,
      );
    }
    if (jobCredentials.includes(name)) {
      return fault(whole, `a manifest cannot read ${name}, a credential of this job; use a variable of another name`);
    }
    names.add(name);
    // Properties that `env` inherits, such as `constructor`, are not environment variables.
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value) {
      found.fromEnvironment = true;
      found.replaced = true;
      return value;
    }
    if (fallback === undefined && value === undefined)
      return fault(whole, `the environment variable ${name} is not set; set it, or write \${${name}:-default}`);
    found.replaced = true;
    return fallback ?? '';
  });
  return { ...found, text: result };
}

// Converts only to numbers, booleans and null. So a value from the environment cannot become a list or a map.
function readAgain(text: string): unknown {
  if (!/^(?:[-+.\d][-+.\dA-Za-z]*|true|false|True|False|TRUE|FALSE|null|Null|NULL|~|)$/.test(text)) return text;
  const value: unknown = parse(text);
  return typeof value === 'object' && value !== null ? text : value;
}
