import type { Uptime } from '@uptime/sdk';
import type { ManifestList, Validated } from '@uptime/sdk/contract';

export type Fields = Record<string, unknown>;

/** A resource in a manifest, with defaults filled in. */
export interface Named extends Fields {
  key: string | null;
  name: string;
}

/** A resource on the server. An older server has no keys. */
export interface Remote {
  id: string;
  name: string;
  key?: string | null;
  /** Absent on a server that does not store it. */
  managedBy?: string | null;
  type?: string;
}

/** The SDK's calls for one kind of resource, such as `client.monitors`. */
export interface Collection {
  iterate(query: { limit: number }, options: { signal: AbortSignal }): AsyncIterable<Remote>;
  create(input: Fields): Promise<Remote>;
  update(id: string, patch: Fields): Promise<Remote>;
  delete(id: string): Promise<unknown>;
}

/** A field of a manifest that refers to resources of another kind, by key or name. */
export interface Reference {
  kind: KindName;
  /** The field of the API that holds the ids of these resources. */
  ids: string;
  /** Whether the order of these resources matters. */
  ordered: boolean;
}

/** A difference within a field: its path there, and both values. */
export interface Difference {
  at: readonly string[];
  from: unknown;
  to: unknown;
}

/** Finds the differences between the server's value of a field and the wanted one. */
export type Compare = (from: unknown, to: unknown, of: { wanted: Named; current: Remote }) => Difference[];

export type KindName = 'channel' | 'monitor' | 'alertRule' | 'statusPage' | 'maintenanceWindow';

/** The phase of a resource that has a start and an end. */
export type Phase = 'ahead' | 'in force' | 'over';

/** A kind of resource in manifests: all that reading, planning and applying need to know about it. */
export interface Kind {
  name: KindName;
  list: ManifestList;
  /** Its name in sentences, singular and plural. */
  one: string;
  many: string;
  collection(client: Uptime): Collection;
  /** Whether this version knows the type of a resource. Default: yes. */
  knowsType?(remote: Remote): boolean;
  /** Returns every fault of an item of its list, or the item with its defaults. */
  validate(given: unknown): Validated<Named>;
  /** Fields whose values must be unique, besides key and name. */
  unique?: readonly string[];
  /** Fields that refer to other kinds. */
  references: Readonly<Record<string, Reference>>;
  /** How to compare fields that are not compared as a whole. */
  compare: Readonly<Record<string, Compare>>;
  /** A field that cannot be changed. If it differs, apply creates a new resource and deletes the old one. */
  fixed?: string;
  /** Returns the text that identifies a resource without a key, if its name is not enough. */
  identity?(fields: Fields): string;
  /**
   * Returns a resource's phase at an instant (epoch milliseconds). Apply never changes resources that are `over`, and
   * prunes only those that are `ahead`.
   */
  phase?(fields: Fields, now: number): Phase;
  /** Whether the value at a dotted path of an item must never be shown. An export writes a variable in its place. */
  isSecret(path: string, item: Fields): boolean;
  /** Converts a resource to its form in a manifest, without defaults. `nameOf` turns an id into a key or name. */
  write(remote: Remote, nameOf: (id: string) => string): Fields;
  /** Returns a note for the user if some values of these resources cannot be compared. */
  blindness?(remotes: readonly Remote[]): string | null;
}

/** Returns the text that identifies a resource without a key. */
export const identityOf = (kind: Kind, fields: Fields): string => kind.identity?.(fields) ?? String(fields['name']);

/** Returns the fields of a resource by their names. */
export const fieldsOf = (remote: Remote): Fields => ({ ...remote });

/** Casts the SDK's calls of one resource to those of any kind. The schema of the kind has validated their input. */
export const collectionOf = (resource: {
  iterate: unknown;
  create: unknown;
  update: unknown;
  delete: unknown;
}): Collection => resource as Collection;
