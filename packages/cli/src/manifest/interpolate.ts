import { parse, Scalar, visit, type Document } from 'yaml';

type Env = Record<string, string | undefined>;

/** A variable that is not set, or a `${` without `}`, at an offset of the file. */
export interface InterpolationFault {
  offset: number;
  message: string;
}

export interface Interpolated {
  faults: InterpolationFault[];
  /** The scalars that hold a value of the environment, and must never be shown. */
  secret: Set<unknown>;
}

const pattern = /\$(?:\$|\{([^}]*)\}|\{)/g;
const reference = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `$$` in the values of a document, in place. A plain scalar is read as YAML
 * again afterwards (`port: ${PORT:-3000}` is a number), a quoted one stays text.
 */
export function interpolate(document: Document, env: Env): Interpolated {
  const faults: InterpolationFault[] = [];
  const secret = new Set<unknown>();
  visit(document, {
    Scalar(position, node) {
      if (position === 'key' || typeof node.value !== 'string' || !node.value.includes('$')) return;
      const start = node.range?.[0] ?? 0;
      const filled = fill(node.value, env, (message) => faults.push({ offset: start, message }));
      if (filled.fromEnvironment) secret.add(node);
      node.value = node.type === Scalar.PLAIN && filled.replaced ? readAgain(filled.text) : filled.text;
    },
  });
  return { faults, secret };
}

function fill(text: string, env: Env, fault: (message: string) => void) {
  let fromEnvironment = false;
  let replaced = false;
  const result = text.replace(pattern, (whole, inner: string | undefined) => {
    if (whole === '$$') return '$';
    const [, name, fallback] = reference.exec(inner ?? '') ?? [];
    if (!name) {
      fault(
        inner === undefined
          ? '`${` has no closing `}`; write `$$` for a dollar sign'
          : `\`${whole}\` is not a variable; write \${NAME} or \${NAME:-default}, and \`$$\` for a dollar sign`,
      );
      return whole;
    }
    const value = env[name];
    if (value) {
      fromEnvironment = true;
      replaced = true;
      return value;
    }
    if (fallback === undefined && value === undefined) {
      fault(`the environment variable ${name} is not set; set it, or write \${${name}:-default}`);
      return whole;
    }
    replaced = true;
    return fallback ?? '';
  });
  return { text: result, fromEnvironment, replaced };
}

// Converts only numbers, booleans and null, so that a value of the environment cannot become a list or a map.
function readAgain(text: string): unknown {
  if (!/^(?:[-+.\d][-+.\dA-Za-z]*|true|false|True|False|TRUE|FALSE|null|Null|NULL|~|)$/.test(text)) return text;
  const value: unknown = parse(text);
  return typeof value === 'object' && value !== null ? text : value;
}
