import { keyOfName, type ManifestList, numberedKey } from '@uptime/sdk/contract';
import type { Fields } from '../kinds/kind.ts';
import type { Place, Places } from './read-map.ts';

/** An item of the new manifest, before it is validated. */
export interface Draft {
  list: ManifestList;
  /** The name of the item in notes. It comes from the other program. */
  about: string;
  fields: Fields;
}

/**
 * A remark about the import. `lost`: a setting was not imported. `changed`: something works in a different way here.
 * `better`: an advantage that the other program does not have.
 */
export interface Note {
  level: 'lost' | 'changed' | 'better';
  /** The name of the item in the note; null if the note is about the whole file. */
  about: string | null;
  text: string;
}

/** The result of every importer: drafts of items, and notes about them. `runImport` makes the manifest from it. */
export interface Collection {
  readonly drafts: Draft[];
  readonly notes: Note[];
  /** Where each map begins in its file. */
  readonly places: Places;
  /**
   * Begins an item, and returns its name for notes. If an earlier item has this name, returns the name with a number,
   * such as `Shop (2)`.
   */
  begin: (name: string, of: object) => string;
  /** Returns the place of an item in its file; null if the place is unknown. */
  placeOf: (about: string) => Place | null;
  /** Adds a note about each field of `of` whose name is not in `known`. */
  noteRest: (of: Readonly<Record<string, unknown>>, known: ReadonlySet<string>, about: string, prefix?: string) => void;
  /**
   * Adds an item, and returns its key, which is made from `name` and unique in the list. Undefined fields are left out.
   */
  add: (list: ManifestList, about: string, fields: Fields, name?: string) => string;
  note: (level: Note['level'], about: string | null, text: string) => void;
}

export function createCollection(): Collection {
  const drafts: Draft[] = [];
  const notes: Note[] = [];
  const taken = new Set<string>();
  const places: Places = new WeakMap();
  const begun = new Map<string, object>();
  const keyFor = (list: ManifestList, name: string): string => {
    const base = keyOfName(name) || list.toLowerCase();
    let key = base;
    for (let count = 2; taken.has(`${list} ${key}`); count++) key = numberedKey(base, count);
    taken.add(`${list} ${key}`);
    return key;
  };
  const note: Collection['note'] = (level, about, text) => {
    const isKnown = notes.some((one) => one.level === level && one.about === about && one.text === text);
    if (!isKnown) notes.push({ level, about, text });
  };
  return {
    drafts,
    notes,
    places,
    begin(name, of) {
      let about = name;
      for (let count = 2; begun.has(about); count++) about = `${name} (${count})`;
      begun.set(about, of);
      return about;
    },
    placeOf(about) {
      const of = begun.get(about);
      return (of && places.get(of)) ?? null;
    },
    noteRest(of, known, about, prefix = '') {
      for (const field of Object.keys(of).filter((one) => !known.has(one)))
        note('lost', about, `\`${prefix}${field}\`: there is no such setting here`);
    },
    add(list, about, fields, name = about) {
      const key = keyFor(list, name);
      const given = Object.entries({ key, ...fields }).filter(([, value]) => value !== undefined);
      drafts.push({ list, about, fields: Object.fromEntries(given) });
      return key;
    },
    note,
  };
}
