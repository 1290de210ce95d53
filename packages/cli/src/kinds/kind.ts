import type { Uptime } from '@uptime/sdk';
import type { ManifestList, Validated } from '@uptime/sdk/contract';

export type Fields = Record<string, unknown>;

/** A resource in a manifest, after defaults were filled in. */
export interface Named extends Fields {
  key: string | null;
  name: string;
}

/** A resource on the server. A resource of an older server has no key. */
export interface Remote {
  id: string;
  name: string;
  key?: string | null;
  /** The name of the manifest that manages the resource; absent if the server does not store it. */
  managedBy?: string | null;
  type?: string;
}

/** The methods of the SDK for one kind of resource, such as those of `client.monitors`. */
export interface Collection {
  iterate(query: { limit: number }, options: { signal: AbortSignal }): AsyncIterable<Remote>;
  create(input: Fields): Promise<Remote>;
  update(id: string, patch: Fields): Promise<Remote>;
  delete(id: string): Promise<unknown>;
}

/** A field of a manifest that refers to resources of another kind, by their keys or names. */
export interface Reference {
  kind: KindName;
  /** The field of the API that contains the ids of these resources. */
  ids: string;
  /** Whether the order of these resources matters. */
  ordered: boolean;
}

/** A difference within a field: the path inside the field, the server's value and the wanted value. */
export interface Difference {
  at: readonly string[];
  from: unknown;
  to: unknown;
}

/** Returns the differences between the server's value of a field and the wanted value. */
export type Compare = (from: unknown, to: unknown, of: { wanted: Named; current: Remote }) => Difference[];

export type KindName = 'channel' | 'monitor' | 'alertRule' | 'statusPage' | 'maintenanceWindow';

/** The phase of a resource with a start and an end. `ahead` means before the start, and `over` means after the end. */
export type Phase = 'ahead' | 'in force' | 'over';

/**
 * A kind of resource in manifests: everything that differs between kinds when manifests are read, planned and applied.
 */
export interface Kind {
  name: KindName;
  list: ManifestList;
  /** The name of the kind in sentences, in singular and plural. */
  one: string;
  many: string;
  collection(client: Uptime): Collection;
  /** Whether this version knows the type of a resource. A kind without this method has no unknown types. */
  knowsType?(remote: Remote): boolean;
  /** Validates an item of the list. Returns every fault, or the item with its defaults. */
  validate(given: unknown): Validated<Named>;
  /** The fields whose values must be unique, in addition to key and name. */
  unique?: readonly string[];
  /** The fields that refer to resources of other kinds. */
  references: Readonly<Record<string, Reference>>;
  /** For each field that is not compared as a whole: how to compare it. The keys are the names of the fields. */
  compare: Readonly<Record<string, Compare>>;
  /** The field that cannot be changed. If it differs, apply creates a new resource and deletes the old one. */
  fixed?: string;
  /**
   * Returns the text that identifies a resource without a key. A kind has this method only if the name does not
   * identify its resources.
   */
  identity?(fields: Fields): string;
  /**
   * Returns the phase of a resource at a time (epoch milliseconds). Apply never changes resources that are `over`. It
   * prunes only resources that are `ahead`.
   */
  phase?(fields: Fields, now: number): Phase;
  /**
   * Whether the value at a dotted path of an item is secret. Output never shows it, and an export writes a variable in
   * its place.
   */
  isSecret(path: string, item: Fields): boolean;
  /**
   * Whether the value at a path is an address, whose credentials are hidden in all output. Absent if this kind of
   * resource has no addresses.
   */
  isAddress?(path: string): boolean;
  /** Returns a resource in the form of a manifest, without defaults. `nameOf` returns the key or name for an id. */
  write(remote: Remote, nameOf: (id: string) => string): Fields;
  /** Returns a note for the user if some values of these resources cannot be compared; otherwise null. */
  cannotCompare?(remotes: readonly Remote[]): string | null;
}

/** Returns the text that identifies a resource without a key. */
export const identityOf = (kind: Kind, fields: Fields): string => kind.identity?.(fields) ?? String(fields['name']);

/** Returns the fields of a resource as a map from names to values. */
export const fieldsOf = (remote: Remote): Fields => ({ ...remote });

/**
 * Returns the SDK's methods for one kind of resource as a `Collection`, a type that fits every kind. The schema of the
 * kind has already validated the input of these methods.
 */
export const collectionOf = (resource: {
  iterate: unknown;
  create: unknown;
  update: unknown;
  delete: unknown;
}): Collection => resource as Collection;
