import { isDeepStrictEqual } from 'node:util';
import { isSeq, type YAMLSeq } from 'yaml';
import { isMap } from '../kinds/compare.ts';
import { type Fields, fieldsOf, identityOf, type Kind, type Remote } from '../kinds/kind.ts';
import { leaf, mapTree, valueOf } from '../manifest/tree.ts';
import type { ManifestDocument } from '../manifest/read-documents.ts';
import { writeItem } from '../manifest/write.ts';
import { plain } from '../output.ts';
import { baseOf, type Pulling } from './pulling.ts';

/**
 * Adds an item at the end of a list, for a resource that only the server has. Returns null, or the reason why the item
 * cannot be added.
 */
export function appendItem(kind: Kind, remote: Remote, pulling: Pulling): string | null {
  const clash = nameClash(kind, remote, pulling);
  if (clash !== null) return clash;
  if (kind.knowsType?.(remote) === false)
    return `this version does not know the type ${plain(remote.type ?? '')}; update uptime`;
  const place = listFor(kind, pulling);
  if (!place) return `no file has a list \`${kind.list}\` with items of its own; add the item by hand`;
  const { document, list } = place;
  const written = kind.write(remote, pulling.nameOf);
  const { origin } = document.root;
  const head = ['type', 'key', 'name', 'title'].filter((field) => written[field] !== undefined);
  const headTree = mapTree(new Map(head.map((field) => [field, leaf(written[field], origin)])), origin);
  const base = Object.entries(valueOf(baseOf(kind, document, headTree, pulling)) as Fields);
  const defaults = Object.fromEntries(base.filter(([field]) => !head.includes(field)));
  const fields = overDefaults(defaults, written, onServer(kind, remote, pulling));
  if (list.items.length === 0) openList(list);
  list.items.push(document.document.document.createNode(writeItem(kind, remote, fields, pulling)));
  pulling.edited.add(document.document);
  pulling.added.push({ kind, remote });
  return null;
}

/**
 * Turns an empty list `[]` into a list whose items are on the lines below. If a comment follows the brackets, moves the
 * comment above the items, because otherwise it would be below them.
 */
function openList(list: YAMLSeq): void {
  list.flow = false;
  list.commentBefore = [list.commentBefore, list.comment].filter(Boolean).join('\n') || null;
  list.comment = null;
}

/**
 * Returns the fields that an item must set if these defaults apply to it. With these fields, the item equals the
 * resource on the server.
 */
function overDefaults(defaults: Fields, written: Fields, actual: Fields): Fields {
  const fields = { ...written };
  for (const [field, given] of Object.entries(defaults)) {
    const [own, there] = [fields[field], actual[field]];
    if (isMap(given) && isMap(there)) {
      const inner = overDefaults(given, isMap(own) ? own : {}, there);
      if (Object.keys(inner).length > 0) fields[field] = inner;
      else delete fields[field];
    } else if (isDeepStrictEqual(given, there)) delete fields[field];
    else fields[field] = there ?? null;
  }
  return fields;
}

/** Returns the fields of a resource as a manifest would write them, including fields with default values. */
function onServer(kind: Kind, remote: Remote, { nameOf }: Pulling): Fields {
  const fields = fieldsOf(remote);
  const references = Object.entries(kind.references).map(
    ([field, { ids }]) => [field, (fields[ids] as string[]).map(nameOf)] as const,
  );
  return { ...fields, ...Object.fromEntries(references) };
}

/** Returns the list for new items: the first list that has items, or else the first list. */
function listFor(kind: Kind, { documents }: Pulling): { document: ManifestDocument; list: YAMLSeq } | undefined {
  const lists = documents.flatMap((document) => {
    const list = document.document.document.get(kind.list);
    return isSeq(list) ? [{ document, list }] : [];
  });
  return lists.find(({ list }) => list.items.length > 0) ?? lists[0];
}

/** Returns why a new item would make a name ambiguous; null if all names stay unambiguous. */
function nameClash(kind: Kind, remote: Remote, { items, removed, added, idOf }: Pulling): string | null {
  const identity = identityOf(kind, fieldsOf(remote));
  const isTwin = (key: string | null | undefined, fields: Fields) =>
    key == null && identityOf(kind, fields) === identity;
  const twins =
    remote.key == null &&
    (items.some((item) => item.kind === kind && !removed.has(item) && isTwin(item.value.key, item.value)) ||
      added.some((one) => one.kind === kind && isTwin(one.remote.key, fieldsOf(one.remote))));
  if (twins) return `another ${kind.one} of the manifest has this name; give each a \`key\` on the server`;
  const words = [remote.key, remote.name];
  const isMeant = items.some((item) =>
    Object.entries(item.kind.references).some(
      ([field, reference]) =>
        reference.kind === kind.name &&
        (item.value[field] as string[]).some((word) => words.includes(word) && idOf(kind.name, word) !== remote.id),
    ),
  );
  return isMeant
    ? `the manifest refers to another ${kind.one} by this name; refer to that ${kind.one} by its key`
    : null;
}
