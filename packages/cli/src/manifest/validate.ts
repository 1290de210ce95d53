import { type ManifestList, manifestLists, nearest } from '@uptime/sdk/contract';
import { type Alias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { allKinds } from '../kinds/index.ts';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import { isSensitive } from '../secrets.ts';
import { type Diagnostic, type Place, sortDiagnostics } from './diagnostic.ts';
import { faultMessage, isAboutName } from './fault-message.ts';
import { interpolate } from './interpolate.ts';
import type { Wanted } from './item.ts';
import type { Source } from './load.ts';
import { keyText, locate, pathsWhere, resolveAlias } from './locate.ts';
import { type ParsedDocument, parseSource } from './parse.ts';
import { danglingReferences } from './references.ts';
import { repeatedItems } from './repeated.ts';
import { aliasMessage, holdsOne, unresolvedAliases } from './unresolved-aliases.ts';

/** The content of manifests. */
export interface Manifest {
  items: Wanted[];
  /** The lists that they contain, even empty ones. */
  lists: ReadonlySet<ManifestList>;
}

/** The content of manifests, and every fault with its place. */
export interface Validated extends Manifest {
  faults: Diagnostic[];
  /** References that match none or several items of the lists. They are faults unless the server has the target. */
  dangling: Diagnostic[];
}

/** The state while manifests are read. */
interface Reading {
  items: Wanted[];
  /** Faulty items as far as they can be read, as they refer to others, and others to them. */
  faulty: Wanted[];
  lists: Set<ManifestList>;
  /** Kinds with an item whose key or name cannot be read: not all their names are known. */
  unknown: Set<Kind>;
  faults: Diagnostic[];
}

/**
 * Reads manifests: parses them, fills in the environment, and validates each item. A window that is over by `now`
 * (epoch milliseconds) may refer to monitors that no longer exist. Never throws because of a file's content.
 */
export function validateManifests(
  sources: readonly Source[],
  env: Record<string, string | undefined>,
  now = 0,
): Validated {
  const reading: Reading = { items: [], faulty: [], lists: new Set(), unknown: new Set(), faults: [] };
  const { items, faulty, lists, unknown, faults } = reading;
  let unread = false;
  for (const source of sources) {
    const parsed = parseSource(source);
    faults.push(...parsed.faults);
    // Text that is not YAML would only cause faults that follow from the first.
    if (parsed.faults.length > 0) {
      unread = true;
      continue;
    }
    const filled = parsed.documents.filter(({ document }) => !isEmpty(document.contents));
    if (filled.length === 0) faults.push({ ...firstPlace(source), message: 'is empty: expected a list `monitors:`' });
    for (const document of filled) readDocument(document, env, reading);
  }
  const whole = allKinds.filter((kind) => lists.has(kind.list) && !unknown.has(kind) && !unread);
  // A faulty window may lack a valid start, so it cannot be compared to others.
  faults.push(...repeatedItems([...items, ...faulty.filter(({ kind }) => !kind.identity)].toSorted(byPlace)));
  const dangling = danglingReferences([...items, ...faulty], whole, now);
  return { items, lists, faults: sortDiagnostics(faults), dangling: sortDiagnostics(dangling) };
}

function readDocument(parsed: ParsedDocument, env: Record<string, string | undefined>, reading: Reading): void {
  const { document, at } = parsed;
  const { faults: missing, secret } = interpolate(document, env);
  reading.faults.push(...missing.map(({ offset, message }) => ({ ...at(offset), message })));
  const broken = new Set(missing.map(({ offset }) => offset));

  const lost = unresolvedAliases(document);
  reading.faults.push(...lost.map((alias) => ({ ...at(start(alias)), message: aliasMessage(alias) })));

  const root = document.contents;
  if (!isMap(root)) {
    reading.faults.push({ ...at(start(root)), message: 'expected `monitors:` with a list below it' });
    return;
  }
  for (const pair of root.items) {
    // The list is an alias without an anchor, so its items are unknown.
    if (lost.includes(pair.value as Alias)) continue;
    const list = readList(parsed, pair, reading);
    for (const node of list?.nodes ?? []) readItem(parsed, list!.kind, node, { secret, broken, lost }, reading);
  }
}

const kindOf = Object.fromEntries(allKinds.map((kind) => [kind.list, kind])) as Record<ManifestList, Kind>;

/** Returns the items of a list and their kind. Adds a fault and returns null for any other top-level key. */
function readList(
  { document, at }: ParsedDocument,
  pair: Pair,
  { lists, faults }: Reading,
): { kind: Kind; nodes: Node[] } | null {
  const text = keyText(pair);
  const fault = (node: Node | null, message: string) => {
    faults.push({ ...at(start(node ?? (pair.key as Node))), message });
    return null;
  };
  const name = manifestLists.find((known) => known === text);
  if (!name) {
    const meant = nearest(text, manifestLists);
    const hint = meant ? `did you mean \`${meant}\`?` : `expected ${manifestLists.join(', ')}`;
    return fault(pair.key as Node, `\`${text}\` is not part of a manifest; ${hint}`);
  }
  const value = resolveAlias(document, pair.value as Node | null);
  if (isEmpty(value)) return fault(pair.key as Node, `\`${name}\` is empty; write a list below it, or \`[]\``);
  if (!isSeq(value)) return fault(value, `\`${name}\` must be a list: begin each item with \`- \``);
  lists.add(name);
  return { kind: kindOf[name], nodes: value.items as Node[] };
}

function readItem(
  { document, at }: ParsedDocument,
  kind: Kind,
  node: Node,
  { secret, broken, lost }: { secret: ReadonlySet<unknown>; broken: ReadonlySet<number>; lost: readonly Alias[] },
  { items, faulty, unknown, faults }: Reading,
): void {
  const place = (path: string): Place => {
    const found = locate(document, node, path);
    return at(start(found.found ? (found.value ?? found.key) : found.value) ?? start(node));
  };
  const fault = (where: Place, message: string) => {
    faults.push({ ...where, message });
  };
  if (holdsOne(node, lost)) {
    unknown.add(kind);
    return;
  }
  if (!isMap(resolveAlias(document, node))) {
    const article = /^[aeiou]/.test(kind.one) ? 'an' : 'a';
    unknown.add(kind);
    fault(at(start(node)), `${article} ${kind.one} must be a map of fields, such as \`name: Home\``);
    return;
  }
  let given: Fields;
  try {
    given = node.toJS(document, { maxAliasCount: 100 }) as Fields;
  } catch (error) {
    unknown.add(kind);
    fault(place(''), `cannot be read: ${(error as Error).message}`);
    return;
  }
  const hidden = pathsWhere(document, node, (scalar) => secret.has(scalar));
  const fromEnv = (path: string) => hidden.some((at) => at === path || at.startsWith(`${path}.`));
  const hides = (path: string) => fromEnv(path) || kind.isSecret(path, given);
  const checked = kind.validate(given);
  if (checked.ok) {
    items.push({ kind, given, value: checked.value, hides, place });
    return;
  }
  const isBroken = (path: string) => {
    const { value } = locate(document, node, path);
    return isScalar(value) && broken.has(start(value));
  };
  const readable = readableFields(given, kind, isBroken);
  if (readable) faulty.push({ kind, given, value: readable, hides, place });
  else unknown.add(kind);
  for (const one of checked.faults) {
    const found = locate(document, node, one.path);
    // A value with a missing variable was already reported.
    if (isScalar(found.value) && broken.has(start(found.value))) continue;
    const offset = start((isAboutName(one) ? found.key : null) ?? found.value ?? found.key ?? node);
    const scalar = found.found && isScalar(found.value) ? found.value.value : undefined;
    // A number in a header is a slip, and not a token.
    const isSlip =
      typeof scalar === 'number' && kind.name === 'monitor' && !isSensitive(one.path) && !fromEnv(one.path);
    const value = isSlip || !hides(one.path) ? scalar : undefined;
    fault(at(offset), faultMessage(one, value, given, kind));
  }
}

/** Returns key, name and references of a faulty item; null if neither key nor name can be read. */
function readableFields(given: Fields, kind: Kind, isBroken: (path: string) => boolean): Named | null {
  const text = (field: string) => (typeof given[field] === 'string' && !isBroken(field) ? given[field] : null);
  const [key, name] = [text('key'), text('name') ?? text('title')];
  if ((key === null && name === null) || isBroken('key') || isBroken('name')) return null;
  const references = Object.keys(kind.references).map((field) => {
    const words: unknown = given[field];
    const all =
      Array.isArray(words) && words.every((word, i) => typeof word === 'string' && !isBroken(`${field}.${i}`));
    return [field, all ? words : []] as const;
  });
  return { ...given, ...Object.fromEntries(references), key, name: name ?? '' };
}

const byPlace = (a: Wanted, b: Wanted): number => {
  const [x, y] = [a.place(''), b.place('')];
  return x.file === y.file ? x.line - y.line || x.column - y.column : 0;
};

const start = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

const isEmpty = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

const firstPlace = ({ name }: Source): Place => ({ file: name, line: 1, column: 1 });
