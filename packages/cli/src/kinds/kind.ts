import type { Uptime } from '@uptime/sdk';
import type { ManifestList, Validated } from '@uptime/sdk/contract';

export type Fields = Record<string, unknown>;

/** A resource as a manifest says it, defaults filled in. */
export interface Named extends Fields {
  key: string | null;
  name: string;
}

/** A resource as the server has it; a server of an older interface knows no key. */
export interface Remote {
  id: string;
  name: string;
  key?: string | null;
  type?: string;
}

/** The calls of one kind of resource; `client.monitors` is one. */
export interface Collection {
  iterate(query: { limit: number }, options: { signal: AbortSignal }): AsyncIterable<Remote>;
  create(input: Fields): Promise<Remote>;
  update(id: string, patch: Fields): Promise<Remote>;
  delete(id: string): Promise<unknown>;
}

/** A field of a manifest that names resources of another kind, by key or name. */
export interface Reference {
  kind: KindName;
  /** The field that holds their ids on the server. */
  ids: string;
  /** Whether their order means something. */
  ordered: boolean;
}

/** One difference within a field: where in it, and both values. */
export interface Difference {
  at: readonly string[];
  from: unknown;
  to: unknown;
}

/** Finds what differs between a field of the server and the one wanted. */
export type Compare = (from: unknown, to: unknown, of: { wanted: Named; current: Remote }) => Difference[];

export type KindName = 'channel' | 'monitor' | 'alertRule' | 'statusPage' | 'maintenanceWindow';

/** Where something with a start and an end stands. */
export type Phase = 'ahead' | 'in force' | 'over';

/** One kind of resource that a manifest can hold: all that reading, planning and applying need to know of it. */
export interface Kind {
  name: KindName;
  list: ManifestList;
  /** What one is called in a sentence, and many. */
  one: string;
  many: string;
  collection(client: Uptime): Collection;
  /** Every fault of one item of its list, or the item with its defaults. */
  validate(given: unknown): Validated<Named>;
  /** Fields whose value no two items may share, beside key and name. */
  unique?: readonly string[];
  /** Fields that other kinds are named in. */
  references: Readonly<Record<string, Reference>>;
  /** Fields that are not compared as a whole. */
  compare: Readonly<Record<string, Compare>>;
  /** A field that can't be changed: a resource in which it differs is created anew, and the old one deleted. */
  fixed?: string;
  /** What one without a key is found again by, where that is more than its name. */
  identity?(fields: Fields): string;
  /** Where one stands at an instant in epoch milliseconds: what is over is left alone, and what has begun is not pruned. */
  phase?(fields: Fields, now: number): Phase;
  /** Whether what stands at a dotted path of an item must never be shown. */
  isSecret(path: string, item: Fields): boolean;
  /** Whether an export writes a variable in its place. Default: what is secret. */
  isVariable?(path: string, item: Fields): boolean;
  /** A resource as a manifest has it, without what stands at its default. `nameOf` tells what an id goes by there. */
  write(remote: Remote, nameOf: (id: string) => string): Fields;
  /** What cannot be compared with these, in a sentence. */
  blindness?(remotes: readonly Remote[]): string | null;
}

/** What a resource without a key is found again by. */
export const identityOf = (kind: Kind, fields: Fields): string => kind.identity?.(fields) ?? String(fields['name']);

/** The fields of a resource by their names. */
export const fieldsOf = (remote: Remote): Fields => ({ ...remote });

/** The calls of a resource in the SDK as those of any kind: what goes into them was validated by the kind's own schema. */
export const collectionOf = (resource: {
  iterate: unknown;
  create: unknown;
  update: unknown;
  delete: unknown;
}): Collection => resource as Collection;
