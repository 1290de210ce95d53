import { manifestItemFields, validate } from '@uptime/sdk/contract';
import { isScalar } from 'yaml';
import type { Fields, Kind, Named } from '../kinds/kind.ts';
import { isSensitive } from '../secrets.ts';
import type { Diagnostic, Place } from './diagnostic.ts';
import { faultMessage, isAboutName } from './fault-message.ts';
import { placeOf } from './grow-tree.ts';
import type { Wanted, Written } from './item.ts';
import { without } from './layers.ts';
import type { ParsedDocument } from './parse.ts';
import { isMapTree, locate, type MapTree, pathsWhere, type Tree, valueOf } from './tree.ts';

/** The items that were read so far, and the faults in them. */
export interface ReadItems {
  items: Wanted[];
  /** The readable parts of items that have faults. References to these items and from them are still checked. */
  faulty: Wanted[];
  /** Kinds that have an item whose key or name cannot be read. Then not all names of the kind are known. */
  unknown: Set<Kind>;
  faults: Diagnostic[];
}

/** The place of an item, and how it is written there. */
interface Standing {
  kind: Kind;
  document: ParsedDocument;
  written: Tree;
  isOneOfMany: boolean;
}

/** Validates an item, and adds it to the lists. Its defaults, overrides and variables must already be applied. */
export function readItem(tree: Tree, standing: Standing, { items, faulty, unknown, faults }: ReadItems): void {
  const { kind } = standing;
  const placeIn = ({ origin }: Tree): Place => placeOf(origin.document, origin.node ?? origin.key);
  const place = (path: string): Place => placeIn(locate(tree, path).tree);
  const fault = (where: Place, message: string) => {
    faults.push({ ...where, message });
  };
  if (tree.lost) {
    unknown.add(kind);
    return;
  }
  if (!isMapTree(tree)) {
    const article = /^[aeiou]/.test(kind.one) ? 'an' : 'a';
    unknown.add(kind);
    fault(place(''), `${article} ${kind.one} must be a map of fields, such as \`name: Home\``);
    return;
  }
  const own = manifestFieldsOf(tree, kind, fault, placeIn);
  const owner = tree.entries.get('managedBy');
  if (owner) fault(placeIn(owner), '`managedBy` applies to a whole manifest: write it at the top, beside `monitors`');
  const fields = without(tree, 'managedBy', ...Object.keys(manifestItemFields));
  const selects = tree.entries.has('monitorsWith') && !fields.entries.has('monitors');
  const given = { ...(valueOf(fields) as Fields), ...(selects && { monitors: [] }) };
  const hidden = pathsWhere(fields, ({ fromEnvironment }) => fromEnvironment);
  const fromEnv = (path: string) => hidden.some((at) => at === path || at.startsWith(`${path}.`));
  const hides = (path: string) => fromEnv(path) || kind.isSecret(path, given);
  const written: Written = { tree, ...standing };
  const checked = kind.validate(given);
  const about = { kind, given, ...own, hides, place, written };
  if (checked.ok) {
    items.push({ ...about, value: checked.value });
    return;
  }
  const isBroken = (path: string) => {
    const { tree: at } = locate(fields, path);
    return at.is === 'leaf' && at.broken;
  };
  const readable = readableFields(given, kind, isBroken);
  if (readable) faulty.push({ ...about, value: readable });
  else unknown.add(kind);
  for (const one of checked.faults) {
    const found = locate(fields, one.path);
    const at = found.tree;
    // The fault of a missing variable was reported before, so this value needs no second fault.
    if (at.is === 'leaf' && at.broken) continue;
    const { document, key, node } = at.origin;
    const where = placeOf(document, found.found && isAboutName(one) ? (key ?? node) : (node ?? key));
    const scalar = found.found && at.is === 'leaf' ? at.value : undefined;
    // A number in a hidden field, such as a header, usually means that the author forgot the quotes. The message shows
    // the number, so that the author sees this.
    const isSlip =
      typeof scalar === 'number' && kind.name === 'monitor' && !isSensitive(one.path) && !fromEnv(one.path);
    const value = isSlip || !hides(one.path) ? scalar : undefined;
    fault(where, faultMessage(one, value, given, kind, writtenAs(at)));
  }
}

/** Returns the spelling of a value in the file; undefined if the value comes from a variable or a `forEach`. */
const writtenAs = ({ origin: { node }, ...tree }: Tree): string | undefined =>
  tree.is === 'leaf' && isScalar(node) && node.value === tree.value ? node.source : undefined;

/** Reads the fields that exist only in manifests, not in the API. */
function manifestFieldsOf(
  tree: MapTree,
  kind: Kind,
  fault: (where: Place, message: string) => void,
  placeIn: (tree: Tree) => Place,
): Pick<Wanted, 'renamedFrom' | 'monitorsWith'> {
  const read = (field: 'renamedFrom' | 'monitorsWith'): unknown => {
    const inner = tree.entries.get(field);
    if (!inner) return null;
    const value = valueOf(inner);
    if (field === 'monitorsWith' && !('monitors' in kind.references)) {
      fault(placeIn(inner), `\`${field}\` is not a field of a ${kind.one}`);
      return null;
    }
    const checked = validate(manifestItemFields[field], value);
    if (checked.ok) return checked.value;
    if (inner.is !== 'leaf' || !inner.broken) {
      const given = { [field]: value };
      for (const one of checked.faults) {
        const path = [field, one.path].filter(Boolean).join('.');
        const at = locate(tree, path).tree;
        const value = at.is === 'leaf' ? at.value : undefined;
        fault(placeIn(at), faultMessage({ ...one, path }, value, given, kind, writtenAs(at)));
      }
    }
    return null;
  };
  return {
    renamedFrom: read('renamedFrom') as Wanted['renamedFrom'],
    monitorsWith: read('monitorsWith') as Wanted['monitorsWith'],
  };
}

/** Returns the key, name and references of an item with faults; null if neither key nor name can be read. */
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
