import { NotFoundError } from '@uptime/sdk';
import { CliError } from '../exit.ts';
import { plain } from '../output.ts';
import type { NounWords } from './noun.ts';

/** How to find the resources of a noun. */
export interface Findable<T> {
  /** The kinds of words that identify these resources, for messages. Default: `id, key or name`. */
  by?: string;
  /** Returns another unique name of a resource, such as a slug. */
  alias?: (one: T) => string;
  /** The prefix of the ids of these resources. */
  prefix: string;
  /** Set if these resources have no keys. */
  keyless?: true;
  /** Lists the resources that match a filter. An old server ignores filters and returns all. */
  list: (query: { key?: string; name?: string }) => Promise<T[]>;
  /** Reads the resource with this id, if the API has such an endpoint. Throws `NotFoundError` for an unknown id. */
  get?: (id: string) => Promise<T | null>;
  /** Chooses among resources that have the same name. Default: does not choose, so several matches are an error. */
  prefer?: (named: T[]) => T[];
  /** The command that lists all resources. Default: `list` of the noun. */
  listing?: string;
}

/** Returns the resource with this id, key or name. Throws a CliError if no resource matches, or several. */
export async function find<T extends { id: string; key?: string | null; name: string }>(
  word: string,
  noun: NounWords,
  { by = 'id, key or name', alias, prefix, keyless, list, get, prefer, listing = `${noun.word} list` }: Findable<T>,
): Promise<T> {
  if (word.startsWith(prefix)) {
    const byId = get ? await orNull(get(word)) : (await list({})).find(({ id }) => id === word);
    if (byId) return byId;
  }
  if (!keyless && /^[a-z0-9._-]{1,63}$/.test(word)) {
    const byKey = (await list({ key: word })).find(({ key }) => key === word);
    if (byKey) return byKey;
  }
  if (alias) {
    const byAlias = (await list({})).find((each) => alias(each) === word);
    if (byAlias) return byAlias;
  }
  const same = (await list({ name: word })).filter(({ name }) => name === word);
  const named = prefer?.(same) ?? same;
  if (named.length > 1) {
    throw new CliError(`${named.length} ${noun.many} are named ${JSON.stringify(plain(word))}`, {
      next: `use an id instead: ${named.map(({ id }) => id).join(', ')}`,
    });
  }
  if (named[0]) return named[0];
  const { nearest } = await import('@uptime/sdk/contract');
  const names = (await list({})).flatMap((each) =>
    [each.key, alias?.(each), each.name].filter((known) => known != null),
  );
  const meant = nearest(word, names);
  throw new CliError(`no ${noun.one} has the ${by} ${JSON.stringify(plain(word))}`, {
    next: meant ? `did you mean ${JSON.stringify(plain(meant))}?` : `\`uptime ${listing}\` lists all ${noun.many}`,
  });
}

async function orNull<T>(read: Promise<T | null>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
