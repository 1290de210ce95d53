import type { Server } from '../connection.ts';
import type { NamedList } from './noun.ts';

/** Reads all resources of some lists. Returns a function that returns the key, or else the name, for an id. */
export async function readNamesById(
  lists: readonly NamedList[],
  { client, signal }: Server,
): Promise<(id: string) => string> {
  const all = await Promise.all(lists.map((list) => client[list].list({}, { signal })));
  const names = new Map(all.flat().map(({ id, key, name }) => [id, key ?? name]));
  return (id) => names.get(id) ?? id;
}
