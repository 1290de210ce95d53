import { keyOfName, type ManifestList, numberedKey } from '@uptime/sdk/contract';
import type { Fields } from '../kinds/kind.ts';

/** One item of the new manifest, before it is validated. */
export interface Draft {
  list: ManifestList;
  /** Its name in notes: the one that the other program uses. */
  about: string;
  fields: Fields;
}

/**
 * A remark about the import. `lost`: something cannot be carried over. `changed`: something works in another way.
 * `better`: something that the other program does not have.
 */
export interface Note {
  level: 'lost' | 'changed' | 'better';
  /** The name of the item; null for the whole file. */
  about: string | null;
  text: string;
}

/** The form that all importers produce and the writer reads: drafts, and notes about them. */
export interface Collection {
  readonly drafts: Draft[];
  readonly notes: Note[];
  /** Adds an item with a key of its own, and returns the key. Undefined fields are left out. */
  add: (list: ManifestList, about: string, fields: Fields) => string;
  note: (level: Note['level'], about: string | null, text: string) => void;
}

export function createCollection(): Collection {
  const drafts: Draft[] = [];
  const notes: Note[] = [];
  const taken = new Set<string>();
  const keyFor = (list: ManifestList, name: string): string => {
    const base = keyOfName(name) || list.toLowerCase();
    let key = base;
    for (let count = 2; taken.has(`${list} ${key}`); count++) key = numberedKey(base, count);
    taken.add(`${list} ${key}`);
    return key;
  };
  return {
    drafts,
    notes,
    add(list, about, fields) {
      const key = keyFor(list, about);
      const given = Object.entries({ key, ...fields }).filter(([, value]) => value !== undefined);
      drafts.push({ list, about, fields: Object.fromEntries(given) });
      return key;
    },
    note(level, about, text) {
      const isKnown = notes.some((one) => one.level === level && one.about === about && one.text === text);
      if (!isKnown) notes.push({ level, about, text });
    },
  };
}
