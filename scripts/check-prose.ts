// Checks pages, comments and messages against docs/style.md: `npm run check:prose`. It checks the paths in its
// arguments, or else the places in prose/places.ts. `--count` prints only the number of faults in each path:
// `npm run check:prose -- --count packages/sdk/src`.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Fault, findFaults } from './prose/find-faults.ts';
import { pages, sources } from './prose/places.ts';
import { readHashComments } from './prose/read-hash-comments.ts';
import { readMarkdown, unreleasedPart } from './prose/read-markdown.ts';
import { readSource } from './prose/read-source.ts';

const root = resolve(import.meta.dirname, '..');
const args = process.argv.slice(2);
const count = args.includes('--count');
const named = args.filter((arg) => !arg.startsWith('--'));
const places = named.length > 0 ? named.map((path) => relative(root, resolve(path))) : [...pages, ...sources];

let total = 0;
for (const place of places) {
  const faults = filesOf(place).flatMap((path) => faultsOf(path).map((fault) => ({ path, ...fault })));
  total += faults.length;
  if (count) console.log(`${String(faults.length).padStart(6)}  ${place}`);
  else for (const fault of faults) console.log(`${fault.path}:${fault.line}: "${fault.phrase}": ${fault.instead}`);
}
if (total > 0) {
  console.log(`${total} ${total === 1 ? 'place' : 'places'} to reword; docs/style.md says how this project writes.`);
  process.exitCode = 1;
}

function faultsOf(path: string): Fault[] {
  const text = readFileSync(join(root, path), 'utf8');
  if (/^(?:<!--|\/\/|\/\*) Generated /.test(text)) return [];
  if (/\.[mc]?[jt]s$/.test(path)) return readSource(text, path).flatMap(findFaults);
  if (!path.endsWith('.md')) return readHashComments(text).flatMap(findFaults);
  const page = path.endsWith('CHANGELOG.md') ? unreleasedPart(text) : text;
  return readMarkdown(page).flatMap(findFaults);
}

/** Returns the pages and sources below `place`, or `place` itself if it is a file. */
function filesOf(place: string): string[] {
  if (!existsSync(join(root, place))) throw new Error(`${place} does not exist. Correct scripts/prose/places.ts.`);
  if (statSync(join(root, place)).isFile()) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:\.(?:md|[mc]?[jt]s|ya?ml)|\/crontab)$/.test(name) && !/(?:^|\/)node_modules\//.test(name))
    .map((name) => `${place}/${name}`)
    .toSorted();
}
