import { manifestLists, nearest, validateMonitor } from '@uptime/sdk/contract';
import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { type Diagnostic, type Place, sortDiagnostics } from './diagnostic.ts';
import { faultMessage, isAboutName } from './fault-message.ts';
import { interpolate } from './interpolate.ts';
import type { Wanted } from './item.ts';
import type { Source } from './load.ts';
import { isSensitive } from '../plan/secrets.ts';
import { keyText, locate, pathsWhere, resolveAlias } from './locate.ts';
import { type ParsedDocument, parseSource } from './parse.ts';
import { repeatedIdentities } from './repeated.ts';

/** What the manifests say: the monitors wanted, or every fault at its place. */
export interface Validated {
  monitors: Wanted[];
  faults: Diagnostic[];
}

/** Reads manifests whole: parses, fills in the environment, validates each item. Never throws for what a file holds. */
export function validateManifests(sources: readonly Source[], env: Record<string, string | undefined>): Validated {
  const monitors: Wanted[] = [];
  const faults: Diagnostic[] = [];
  for (const source of sources) {
    const parsed = parseSource(source);
    faults.push(...parsed.faults);
    // What is not YAML at all would only bring faults that follow from the first.
    if (parsed.faults.length > 0) continue;
    const filled = parsed.documents.filter(({ document }) => !isEmpty(document.contents));
    if (filled.length === 0) faults.push({ ...firstPlace(source), message: 'is empty: expected a list `monitors:`' });
    for (const document of filled) readDocument(document, env, monitors, faults);
  }
  faults.push(...repeatedIdentities(monitors));
  return { monitors, faults: sortDiagnostics(faults) };
}

function readDocument(
  parsed: ParsedDocument,
  env: Record<string, string | undefined>,
  monitors: Wanted[],
  faults: Diagnostic[],
): void {
  const { document, at } = parsed;
  const { faults: missing, secret } = interpolate(document, env);
  faults.push(...missing.map(({ offset, message }) => ({ ...at(offset), message })));
  const broken = new Set(missing.map(({ offset }) => offset));

  const root = document.contents;
  if (!isMap(root)) {
    faults.push({ ...at(start(root)), message: 'expected `monitors:` with a list below it' });
    return;
  }
  for (const pair of root.items) {
    const list = readList(parsed, pair, faults);
    for (const node of list) readMonitor(parsed, node, secret, broken, monitors, faults);
  }
}

/** The items of `monitors`; any other top-level key answers with none, and a fault where it asks for something. */
function readList({ document, at }: ParsedDocument, pair: Pair, faults: Diagnostic[]): Node[] {
  const name = keyText(pair);
  const fault = (node: Node | null, message: string) => {
    faults.push({ ...at(start(node ?? (pair.key as Node))), message });
    return [];
  };
  if (!manifestLists.some((known) => known === name)) {
    const meant = nearest(name, manifestLists);
    const hint = meant ? `did you mean \`${meant}\`?` : `expected ${manifestLists.join(', ')}`;
    return fault(pair.key as Node, `\`${name}\` is no part of a manifest; ${hint}`);
  }
  const value = resolveAlias(document, pair.value as Node | null);
  if (isEmpty(value)) return fault(pair.key as Node, `\`${name}\` is empty; write a list below it, or \`[]\``);
  if (!isSeq(value)) return fault(value, `\`${name}\` must be a list: begin each item with \`- \``);
  if (name === 'monitors') return value.items as Node[];
  if (value.items.length === 0) return [];
  return fault(pair.key as Node, `\`${name}\` is applied by a later version of uptime; leave it out for now`);
}

function readMonitor(
  { document, at }: ParsedDocument,
  node: Node,
  secret: ReadonlySet<unknown>,
  broken: ReadonlySet<number>,
  monitors: Wanted[],
  faults: Diagnostic[],
): void {
  const place = (path: string): Place => {
    const found = locate(document, node, path);
    return at(start(found.found ? (found.value ?? found.key) : found.value) ?? start(node));
  };
  if (!isMap(resolveAlias(document, node))) {
    faults.push({ ...at(start(node)), message: 'a monitor must be a map of fields, such as `name: Home`' });
    return;
  }
  let given: Record<string, unknown>;
  try {
    given = node.toJS(document, { maxAliasCount: 100 }) as Record<string, unknown>;
  } catch (error) {
    faults.push({ ...place(''), message: `cannot be read: ${(error as Error).message}` });
    return;
  }
  const hidden = pathsWhere(document, node, (scalar) => secret.has(scalar));
  const hides = (path: string) => hidden.some((at) => at === path || at.startsWith(`${path}.`));
  const checked = validateMonitor(given);
  if (checked.ok) {
    monitors.push({ given, value: checked.value, hides, place });
    return;
  }
  for (const fault of checked.faults) {
    const found = locate(document, node, fault.path);
    // A value whose variable is missing has been told already.
    if (isScalar(found.value) && broken.has(start(found.value))) continue;
    const offset = start((isAboutName(fault) ? found.key : null) ?? found.value ?? found.key ?? node);
    const value =
      found.found && isScalar(found.value) && !hides(fault.path) && !isSensitive(fault.path)
        ? found.value.value
        : undefined;
    faults.push({ ...at(offset), message: faultMessage(fault, value, given) });
  }
}

const start = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

const isEmpty = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

const firstPlace = ({ name }: Source): Place => ({ file: name, line: 1, column: 1 });
