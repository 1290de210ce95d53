import type * as z from 'zod';
import { type Fault, faultAt } from './fault-at.ts';
import { faultOfIssue, formatOf, issueMessages } from './faults-of-issue.ts';
import { nearest } from './nearest.ts';

export type { Fault, FaultCode } from './fault-at.ts';
export { faultAt, sentenceOf } from './fault-at.ts';

export type Validated<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** Maximum number of reported faults. A body can have hundreds of thousands of faults, more than people read. */
const maxFaults = 1000;

/** Only this many unknown fields of an object get a suggestion, because each search for a similar name takes time. */
const maxMeant = 50;

/**
 * Validates an input against a schema. Returns all faults. If there are more than 1000, returns the first 1000, and a
 * last entry that says how many more there are. The fault of an unknown field names the nearest known field.
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown): Validated<z.output<S>> {
  const parsed = schema.safeParse(input, { error: issueMessages, reportInput: true });
  const unseen = [
    ...prototypesInMaps(input, [schema as SchemaNode]),
    ...brokenTexts(input, parsed.error?.issues ?? []),
  ];
  if (parsed.success && unseen.length === 0) return { ok: true, value: parsed.data };
  const issues = parsed.success ? [] : parsed.error.issues;
  const faults = issues.slice(0, maxFaults).flatMap((issue) => faultsOf(issue, schema));
  const count = issues.reduce((sum, issue) => sum + countOf(issue), unseen.length);
  return { ok: false, faults: capped([...faults, ...unseen], count) };
}

/**
 * Returns the faults of {@link validate} (`found`), and after them the faults of `rules`. A rule treats a field as
 * valid if `found` has no fault of this field. If {@link validate} has shortened its list, `found` lacks some faults,
 * so no rule runs.
 */
export function addFaults(found: Fault[], rules: () => readonly Fault[]): Fault[] {
  if (found.length > maxFaults) return found;
  const all = [...found, ...rules()];
  return capped(all, all.length);
}

/** Returns the first faults, up to the limit. If there are more, an additional last entry says how many. */
function capped(faults: readonly Fault[], count: number): Fault[] {
  const listed = faults.slice(0, maxFaults);
  const more = count - listed.length;
  if (more > 0) listed.push(faultAt('', 'more_faults', { count: more }));
  return listed;
}

/** Returns how many faults {@link faultsOf} makes of one issue. */
function countOf(issue: z.core.$ZodIssue): number {
  if (issue.code === 'unrecognized_keys') return issue.keys.length;
  return issue.code === 'invalid_key' ? issue.issues.length : 1;
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodType): Fault[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = knownFields(schema, issue.path);
    return issue.keys.slice(0, maxFaults).map((field, index) => {
      const meant = index < maxMeant ? nearest(field, known) : null;
      return faultAt([...at, field].join('.'), 'unknown_field', { meant });
    });
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map((inner) =>
      faultAt(at.join('.'), 'bad_name', { format: formatOf(inner) ?? 'a valid name' }),
    );
  }
  return [faultOfIssue(issue, at.join('.'))];
}

/** Returns the field names that the schema knows at the path of a fault. */
function knownFields(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let options: SchemaNode[] = [schema as SchemaNode];
  for (const step of path) options = options.flatMap(branches).flatMap((node) => child(node, step));
  return [...new Set(options.flatMap(branches).flatMap((node) => Object.keys(node.shape ?? {})))];
}

/** Finds texts that hold half a surrogate pair. UTF-8 cannot encode it. */
function brokenTexts(input: unknown, issues: readonly z.core.$ZodIssue[]): Fault[] {
  const faults: Fault[] = [];
  const path: string[] = [];
  const seen = new Set<object>();
  const look = (value: unknown, name: string): void => {
    if (typeof value === 'string' ? !halfPair.test(value) : typeof value !== 'object' || value === null) return;
    path.push(name.replace(halfPairs, '\ufffd'));
    if (typeof value === 'string') faults.push(faultAt(path.slice(1).join('.'), 'half_character'));
    // A YAML alias may point back to an object that contains it.
    else if (!seen.has(value as object)) lookInto(value as object);
    path.pop();
  };
  const lookInto = (value: object): void => {
    seen.add(value);
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) look(value[at], String(at));
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (halfPair.test(name)) look(name, name);
      else look(inner, name);
    }
  };
  look(input, '');
  if (faults.length === 0) return faults;
  const issuePaths = new Set(issues.map((issue) => issue.path.map(String).join('.')));
  return faults.filter((fault) => !issuePaths.has(fault.path));
}

// Some browsers that the SDK supports lack `isWellFormed` and `toWellFormed`.
const halfPair = /\p{Cs}/u;
const halfPairs = /\p{Cs}/gu;

/**
 * Finds map entries named `__proto__`, which zod drops silently. Other objects are not searched, because there zod
 * reports `__proto__` as an unknown field.
 */
function prototypesInMaps(value: unknown, schemas: SchemaNode[], path: string[] = []): Fault[] {
  if (typeof value !== 'object' || value === null) return [];
  const nodes = schemas.flatMap(branches);
  if (nodes.some((node) => node.keyType) && Object.hasOwn(value, '__proto__'))
    return [faultAt([...path, '__proto__'].join('.'), 'forbidden_name')];
  // Loops over the fields of the schema, because the input may have 100,000 fields. Lists are not searched, because no
  // schema has a list of maps.
  const found: Fault[] = [];
  const seen = new Set<string>();
  for (const { shape } of nodes) {
    for (const field in shape) {
      const inner = (value as Record<string, unknown>)[field];
      if (typeof inner !== 'object' || inner === null || seen.has(field)) continue;
      seen.add(field);
      const schemasOfField = nodes.flatMap((node) => child(node, field));
      found.push(...prototypesInMaps(inner, schemasOfField, [...path, field]));
    }
  }
  return found;
}

/** The parts of a zod schema that this file reads. */
interface SchemaNode {
  shape?: Record<string, SchemaNode>;
  options?: SchemaNode[];
  element?: SchemaNode;
  /** The schema of the names in a map. Only the schemas of maps have this property. */
  keyType?: SchemaNode;
  unwrap?: () => SchemaNode;
}

function branches(node: SchemaNode): SchemaNode[] {
  if (node.options) return node.options.flatMap(branches);
  if (node.unwrap && !node.shape && !node.element) return branches(node.unwrap());
  return [node];
}

function child(node: SchemaNode, step: PropertyKey): SchemaNode[] {
  const next = typeof step === 'number' ? node.element : node.shape?.[String(step)];
  return next ? [next] : [];
}
