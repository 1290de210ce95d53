import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { locate } from '../manifest/tree.ts';
import { plain } from '../output.ts';
import type { Change } from '../plan/change.ts';
import { describe } from '../plan/render-text.ts';
import { appendItem } from './append-item.ts';
import { editItem } from './edit-item.ts';
import { followRename } from './follow-renames.ts';
import { type PulledFrom, type Pulling, startPulling } from './pulling.ts';
import { removeItem } from './remove-item.ts';

/** The result of a pull: what it changed in the files of a manifest. */
export interface Pulled extends Pick<Pulling, 'edited'> {
  /** The number of written edits: changed fields of items, and whole items that were added or removed. */
  written: number;
  /** Edits on the server that cannot be written into a file, each with its place and the reason. */
  unwritten: string[];
  /** The items that were removed because the server does not have them. */
  removed: string[];
  /** The items that were added because only the server had them. */
  added: string[];
  /** The environment variables that the added items need for their secrets. */
  variables: string[];
}

type Left = (change: Change, reason: string, path?: string) => void;

/**
 * Writes the differences in a plan into the documents of the manifest, in memory. Afterwards the documents describe the
 * present state of the server, except for the edits in `unwritten`.
 */
export function pullInto(prepared: PulledFrom): Pulled {
  const pulling = startPulling(prepared);
  const pulled: Pulled = { edited: pulling.edited, written: 0, unwritten: [], removed: [], added: [], variables: [] };
  const leave: Left = (change, reason, path = '') => {
    const message = `${describe(change)}: ${path === '' ? '' : `\`${path}\`: `}${reason}`;
    const place = change.action === 'delete' ? null : change.wanted.place(path);
    pulled.unwritten.push(place?.file ? formatDiagnostic({ ...place, message }) : message);
  };
  for (const change of prepared.plan.changes) {
    if (change.action === 'update') {
      pulled.written += writeEdits(change, pulling, leave);
      continue;
    }
    const reason = pullWhole(change, pulling);
    if (reason !== null) leave(change, reason);
    else {
      pulled.written++;
      (change.action === 'delete' ? pulled.added : pulled.removed).push(describe(change));
    }
  }
  return { ...pulled, variables: pulling.variables.names() };
}

/** Writes the changed fields of an item. Returns the number of fields that it wrote. */
function writeEdits(change: Extract<Change, { action: 'update' }>, pulling: Pulling, leave: Left): number {
  let written = 0;
  for (const field of change.fields) {
    const path = field.at.join('.');
    // The place of the value before the edit, for the message about an edit that cannot be written.
    const { written: item } = change.wanted;
    const own = item && locate(item.tree, path).tree.origin;
    const reason = editItem(change, field, pulling);
    if (reason !== null || !item || !own) leave(change, reason ?? 'the item was not read from a file', plain(path));
    else {
      written++;
      pulling.edited.add(own.via === 'override' ? own.document : item.document);
      pulling.edited.add(item.document);
    }
  }
  if (written > 0) followRename(change, pulling);
  return written;
}

/** Adds or removes a whole item. Returns null, or the reason why that is not possible. */
function pullWhole(change: Exclude<Change, { action: 'update' }>, pulling: Pulling): string | null {
  if (change.action === 'delete') return appendItem(change.kind, change.current, pulling);
  if (change.action === 'replace') return `the server has type ${change.current.type}; change it by hand`;
  const reason = removeItem(change.wanted, pulling);
  if (reason === null) {
    pulling.removed.add(change.wanted);
    pulling.edited.add(change.wanted.written!.document);
  }
  return reason;
}
