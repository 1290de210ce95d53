import type { Diagnostic } from './diagnostic.ts';
import { type Filling, fillVariables } from './fill-variables.ts';
import { growTree, placeOf } from './grow-tree.ts';
import type { Includes } from './includes.ts';
import { type Layer, readLayer } from './layers.ts';
import { createReadBudget, type ReadBudget, type Source, takeBytes } from './load.ts';
import { type ParsedDocument, parseSource } from './parse.ts';
import { isMapTree, type MapTree, type Tree } from './tree.ts';

/** A YAML document of a manifest, with the defaults and overrides that apply to its items. */
export interface ManifestDocument {
  document: ParsedDocument;
  root: MapTree;
  /** The layers that apply to the items, from the layer of the outermost file to the layer of this document. */
  layers: readonly Layer[];
}

interface ReadDocuments {
  documents: ManifestDocument[];
  /** Every file that was read, including included files. */
  sources: Source[];
  /** The names of all environments that have overrides. */
  environments: Set<string>;
  faults: Diagnostic[];
  /** Whether some file could not be read. Then some items may be unknown. */
  unread: boolean;
}

interface Reading extends ReadDocuments {
  includes: Includes;
  environment: string | null;
  filling: Filling;
  /** For each included file: the place that includes it. The keys are the identities of the files. */
  from: Map<string, string>;
  budget: ReadBudget;
}

/** Parses the given files and all files that they include. Never throws because of the content of a file. */
export function readDocuments(
  sources: readonly Source[],
  options: Pick<Reading, 'includes' | 'environment' | 'filling'>,
): ReadDocuments {
  const reading: Reading = {
    ...options,
    documents: [],
    sources: [],
    environments: new Set(),
    faults: [],
    unread: false,
    from: new Map(),
    budget: createReadBudget(),
  };
  // `loadSources` has already checked the sizes of these files. Their bytes are subtracted here, because the files that
  // they include share this budget.
  for (const { text } of sources) takeBytes(reading.budget, Buffer.byteLength(text));
  // `-f` may name a folder that contains both a file and the files that it includes. Files with `include` are read
  // first. So an included file is not read a second time on its own.
  const parsed = sources.map((source) => ({ source, read: parse(source, reading) }));
  const including = parsed.filter(({ read }) => read.some(({ root }) => root.entries.has('include')));
  for (const { source, read } of [...including, ...parsed.filter((one) => !including.includes(one))]) {
    if (reading.from.has(options.includes.identity(source.name))) continue;
    readSource(source, read, { root: source, chain: [source], layers: [] }, reading);
  }
  const order = new Map(sources.map(({ name }, index) => [name, index]));
  reading.documents.sort(
    (a, b) => (order.get(a.document.at(0).file) ?? order.size) - (order.get(b.document.at(0).file) ?? order.size),
  );
  return reading;
}

interface Within {
  root: Source;
  /** The files that led here: the first file, the file that it includes, and so on, up to the file that is read now. */
  chain: readonly Source[];
  layers: readonly Layer[];
}

type Rooted = Pick<ManifestDocument, 'document' | 'root'>;

function parse(source: Source, reading: Reading): Rooted[] {
  const { documents, faults } = parseSource(source);
  reading.faults.push(...faults);
  // If the text is not valid YAML, other faults would only be consequences of the first one.
  if (faults.length > 0) {
    reading.unread = true;
    return [];
  }
  const grown = documents.map((document) => ({ document, ...growTree(document) }));
  reading.faults.push(...grown.flatMap((one) => one.faults));
  const filled = grown.filter(({ tree }) => tree !== null && !isEmpty(tree));
  if (filled.length === 0) {
    reading.faults.push({ file: source.name, line: 1, column: 1, message: 'is empty: expected a list `monitors:`' });
  }
  return filled.flatMap(({ document, tree }) => {
    if (isMapTree(tree)) return [{ document, root: tree }];
    if (!tree?.lost) {
      const message = 'expected `monitors:` with a list below it';
      reading.faults.push({ ...placeOf(document, document.document.contents), message });
    }
    return [];
  });
}

function readSource(source: Source, read: readonly Rooted[], within: Within, reading: Reading): void {
  reading.sources.push(source);
  for (const { document, root } of read) {
    const { environment, environments, filling } = reading;
    const fill = (tree: Tree) => fillVariables(tree, filling);
    const { layer, faults } = readLayer(root, environment, environments, fill);
    reading.faults.push(...faults);
    const layers = [...within.layers, layer];
    reading.documents.push({ document, root, layers });
    const include = root.entries.get('include');
    for (const pattern of include?.is === 'list' ? include.items : include ? [include] : [])
      readInclude(pattern, source, { ...within, layers }, reading);
  }
}

function readInclude(pattern: Tree, source: Source, within: Within, reading: Reading): void {
  const { includes, from } = reading;
  const filled = fillVariables(pattern, reading.filling);
  const at = placeOf(pattern.origin.document, pattern.origin.node ?? pattern.origin.key);
  const fault = (message: string) => {
    reading.faults.push({ ...at, message });
    reading.unread = true;
  };
  if (filled.is !== 'leaf' || typeof filled.value !== 'string' || filled.value === '')
    return fault('`include` must be the path of a file or a pattern, or a list of them');
  const found = includes.find(filled.value, source, within.root, reading.budget);
  // Messages show the pattern as the file writes it, because the value of a variable in it may be secret.
  const written = pattern.is === 'leaf' ? pattern.value : filled.value;
  if (typeof found === 'string') return fault(`\`${String(written)}\` ${found}`);
  for (const file of found) {
    const identity = includes.identity(file.name);
    const names = within.chain.map(({ name }) => name);
    const again = names.findIndex((name) => includes.identity(name) === identity);
    if (again >= 0) {
      fault(`${file.name} includes itself: ${[...names.slice(again), file.name].join(' → ')}`);
      continue;
    }
    const earlier = from.get(identity);
    if (earlier !== undefined) {
      fault(`${file.name} is already included at ${earlier}; include it once`);
      continue;
    }
    from.set(identity, `${at.file}:${at.line}`);
    readSource(file, parse(file, reading), { ...within, chain: [...within.chain, file] }, reading);
  }
}

const isEmpty = (tree: Tree): boolean => tree.is === 'leaf' && tree.value === null;
