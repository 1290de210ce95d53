import { type Collection, createCollection, type Note } from './collection.ts';
import type { Importer, ImportSource } from './importer.ts';
import { settle } from './settle.ts';
import { writeImport } from './write-import.ts';

export interface Imported {
  text: string;
  /** The environment variables that the manifest needs. */
  variables: string[];
  notes: readonly Note[];
  /** Returns the place of the item that a note names; null if the place is unknown. */
  placeOf: Collection['placeOf'];
  /** The number of items in the written manifest. */
  count: number;
}

/** Reads a file with an importer, validates all items by the contract, and returns the text of a manifest. */
export async function runImport(importer: Importer, source: ImportSource, siteUrl: string): Promise<Imported> {
  const collection: Collection = createCollection();
  await importer.read(source, collection);
  const items = settle(collection);
  const { text, variables } = writeImport(items, collection.notes, siteUrl);
  return { text, variables, notes: collection.notes, placeOf: collection.placeOf, count: items.length };
}
