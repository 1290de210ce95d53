import { type Collection, createCollection, type Note } from './collection.ts';
import type { Importer, ImportSource } from './importer.ts';
import { settle } from './settle.ts';
import { writeImport } from './write-import.ts';

export interface Imported {
  text: string;
  /** Variables that the manifest needs. */
  variables: string[];
  notes: readonly Note[];
  /** Returns where the item of a note stands; null if it is unknown. */
  placeOf: Collection['placeOf'];
  /** The number of items that were written. */
  count: number;
}

/** Reads a file with an importer, validates all of it by the contract, and writes it as a manifest. */
export async function runImport(importer: Importer, source: ImportSource, siteUrl: string): Promise<Imported> {
  const collection: Collection = createCollection();
  await importer.read(source, collection);
  const items = settle(collection);
  const { text, variables } = writeImport(items, collection.notes, siteUrl);
  return { text, variables, notes: collection.notes, placeOf: collection.placeOf, count: items.length };
}
