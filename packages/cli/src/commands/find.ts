import { CliError } from '../exit.ts';
import { plain } from '../output.ts';

/** Where resources of one kind are found. */
export interface Findable<T> {
  one: string;
  many: string;
  /** What they go by in a message; `id, key or name` where this is left out. */
  by?: string;
  /** One more word that names exactly one, such as a slug. */
  alias?: (one: T) => string;
  /** What their ids begin with. */
  prefix: string;
  /** Those that a filter lets through; a server that does not know the filter answers with all. */
  list: (query: { key?: string; name?: string }) => Promise<T[]>;
  /** Reads one by its id, or answers null, where the server can. */
  get?: (id: string) => Promise<T | null>;
  /** The command that shows them all. */
  listing: string;
}

/** The resource that goes by an id, a key or a name. Throws a CliError when none or several do. */
export async function find<T extends { id: string; key?: string | null; name: string }>(
  word: string,
  { one, many, by = 'id, key or name', alias, prefix, list, get, listing }: Findable<T>,
): Promise<T> {
  if (word.startsWith(prefix)) {
    const byId = get ? await get(word) : (await list({})).find(({ id }) => id === word);
    if (byId) return byId;
  }
  if (/^[a-z0-9._-]{1,63}$/.test(word)) {
    const byKey = (await list({ key: word })).find(({ key }) => key === word);
    if (byKey) return byKey;
  }
  if (alias) {
    const byAlias = (await list({})).find((each) => alias(each) === word);
    if (byAlias) return byAlias;
  }
  const named = (await list({ name: word })).filter(({ name }) => name === word);
  if (named.length > 1) {
    throw new CliError(`${named.length} ${many} are named ${JSON.stringify(plain(word))}`, {
      next: `take an id instead: ${named.map(({ id }) => id).join(', ')}`,
    });
  }
  if (named[0]) return named[0];
  const { nearest } = await import('@uptime/sdk/contract');
  const names = (await list({})).flatMap((each) =>
    [each.key, alias?.(each), each.name].filter((known) => known != null),
  );
  const meant = nearest(word, names);
  throw new CliError(`no ${one} has the ${by} ${JSON.stringify(plain(word))}`, {
    next: meant ? `did you mean ${JSON.stringify(plain(meant))}?` : `\`uptime ${listing}\` shows what there is`,
  });
}
