import type { ChalkInstance } from 'chalk';
import type { Command } from 'commander';
import type { Uptime } from '@uptime/sdk';
import type { CommandSpec } from '../command.ts';
import type { Connection, Server } from '../connection.ts';
import type { FieldFlag } from '../flags/field-flags.ts';
import type { Shown } from '../flags/output-flags.ts';
import type { RawFlags } from '../flags/raw-flags.ts';
import type { Members } from '../flags/reference-flags.ts';
import type { FieldRules, Given } from '../kinds/field-rules.ts';
import type { ListColumn } from '../list-table.ts';

/**
 * A noun of the command line, such as `monitors`. It contains everything that differs between nouns in commands like
 * `list` and `get`. Every command loads every noun. So a noun imports the contract, the SDK and prompts only inside its
 * functions.
 */
export interface Noun<T extends { id: string }> extends NounWords {
  /** Set if the commands need the session of an account, not the key of a project. */
  account?: true;
  /** The argument that names a resource, and its description in the help. */
  argument: readonly [name: string, about: string];
  /** Returns the resource that a typed word names. Throws a CliError if no resource matches, or several. */
  find: (word: string, server: Server) => Promise<T>;
  /** Prints a resource with all its fields, or only its id. */
  show: (resource: T, shown: Shown, connection: Connection) => Promise<void>;
  /** Declares additional flags for the commands that show a resource. */
  showFlags?: (command: Command) => void;
  /** The methods of the SDK that write these resources. */
  calls?: (client: Uptime) => Calls<T>;
  fields?: Writable;
  list?: Listing<T>;
  get?: Reading<T>;
  create?: Creation<T>;
  update?: Update<T>;
  delete?: Deletion<T>;
}

/** How commands and messages name the resources of a noun. */
export interface NounWords {
  /** The first word of the commands about these resources. */
  word: string;
  /** The name of a resource in sentences, in singular and plural. */
  one: string;
  many: string;
}

/** Methods of the SDK that write. The rules for the fields have already validated the request bodies. */
export interface Calls<T> {
  create(body: object, options: { signal: AbortSignal }): Promise<T>;
  update(id: string, body: object, options: { signal: AbortSignal }): Promise<T>;
  delete(id: string, options: { signal: AbortSignal }): Promise<unknown>;
}

/** The parts of a command's definition that the help shows. */
export type Help = Pick<CommandSpec<unknown>, 'aliases' | 'summary' | 'examples'>;

/** How the commands that create and update a resource read its fields. */
export interface Writable {
  flags: readonly FieldFlag[];
  /**
   * Declares the flags of the fields, and the flags of resources that the fields refer to. `isNew` is true for the
   * command that creates.
   */
  declare: (command: Command, isNew: boolean) => void;
  /** Reads the flags of the resources that the fields refer to. */
  members?: (flags: RawFlags) => Members;
  /** Loads the rules of the contract for the fields. */
  rules: () => Promise<FieldRules>;
}

/** How flags change the rows of a list. */
export interface Choice<T> {
  /** Reads the rows, if the flags change which rows the server returns. */
  read?: (server: Server) => Promise<T[]>;
  /** Returns the rows to show. `terminal` says whether the output is for people on a terminal. */
  rows?: (all: T[], terminal: boolean) => T[];
  /** Returns the message for a list without rows to show. */
  empty?: (all: readonly T[]) => string;
  /** Returns a message about rows that a terminal leaves out; null if it shows all. */
  cut?: (shown: readonly T[], all: readonly T[]) => string | null;
}

/** The values, besides the row itself, that the columns of a list need. */
export interface View {
  paint: ChalkInstance;
  /** The present time, in epoch milliseconds. */
  now: number;
  /** Returns the key or name of another resource for its id. */
  nameOf: (id: string) => string;
  connection: Connection;
}

export interface Listing<T> extends Help {
  /** Returns warnings about the rows that are shown. */
  warnings?: (shown: readonly T[]) => Promise<string[]>;
  /** Declares the flags that choose rows. */
  flags?: (command: Command) => void;
  /** Declares additional flags that choose rows. The help lists these after `--wide`. */
  moreFlags?: (command: Command) => void;
  /** Reads the flags that choose rows. Throws a CliError if a value is wrong. */
  choose?: (flags: RawFlags) => Choice<T>;
  read: (server: Server) => Promise<T[]>;
  /** The message for an empty list. */
  empty?: string;
  /** The lists to read before the columns are rendered, so that `nameOf` can return names for the ids in columns. */
  names?: readonly NamedList[];
  columns: (view: View) => readonly ListColumn<T>[] | Promise<readonly ListColumn<T>[]>;
  /** Loads the function that prepares a row for JSON and YAML, for example by masking its secrets. */
  data?: () => Promise<(row: T) => unknown>;
  /** Renders the list for a terminal. Set only if a row of the rendered list combines several resources. */
  onTerminal?: (rows: readonly T[], wide: boolean, connection: Connection) => Promise<string>;
}

/** The lists of resources to which other resources refer, as the SDK names these lists. */
export type NamedList = 'monitors' | 'channels';

export interface Reading<T> extends Help {
  /** The verb of the command. Default: `get`. */
  verb?: string;
  /** Prints the resource in place of the noun's `show`, for example with more details. */
  show?: (resource: T, shown: Shown, connection: Connection) => Promise<void>;
}

export interface Creation<T> extends Help {
  /** Declares flags that are not fields. */
  flags?: (command: Command) => void;
  /**
   * Called after the fields are validated, and before the request. `typed` contains only fields from the command line,
   * without answers to questions.
   */
  before?: (given: Given, typed: Given, ids: readonly string[], connection: Connection) => Promise<void>;
  /** Called after the new resource was printed. */
  after?: (created: T, options: { shown: Shown; flags: RawFlags }, connection: Connection) => Promise<void>;
}

export interface Update<T> extends Help {
  /** An example of a flag, for the error of an update without flags. */
  such: string;
  /** Set if every field must always be given. Then the command has no `--unset`. */
  withoutUnset?: true;
  /** Called after the changed resource was printed. `changed` contains the fields of the request. */
  after?: (updated: T, options: { shown: Shown; changed: object }, connection: Connection) => Promise<void>;
}

export interface Deletion<T> extends Help {
  /** Returns how messages name the resource. Default: the noun, with the name and id of the resource. */
  subject?: (resource: T) => string;
  /** Returns the text after the name in the question `Delete …?`, such as ` and its history`. */
  loses?: (resource: T) => string;
  /** Returns the fields of the deleted resource that are printed. */
  printed: (resource: T) => object;
  /** Called after the resource was deleted. */
  after?: (resource: T, connection: Connection) => void;
}
