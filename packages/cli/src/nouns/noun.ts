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
 * A noun of the command line, such as `monitors`: everything that the generic verbs need to know about it. Every
 * command loads every noun. So a noun imports the contract, the SDK and prompts only inside its functions.
 */
export interface Noun<T extends { id: string }> {
  /** The first word of its commands. */
  word: string;
  /** Its name in sentences, singular and plural. */
  one: string;
  many: string;
  /** Whether its commands need the session of an account, not the key of a project. */
  account?: true;
  /** The argument of commands about one resource, and its description. */
  argument: readonly [name: string, about: string];
  /** Finds a resource by a word that was typed. Throws a CliError if none or several match. */
  find: (word: string, server: Server) => Promise<T>;
  /** Prints a resource with all its fields, or only its id. */
  show: (resource: T, shown: Shown, connection: Connection) => Promise<void>;
  /** Declares more flags of the commands that show one resource. */
  showFlags?: (command: Command) => void;
  /** The SDK's calls. */
  calls?: (client: Uptime) => Calls<T>;
  fields?: Writable;
  list?: Listing<T>;
  get?: Reading<T>;
  create?: Creation<T>;
  update?: Update<T>;
  delete?: Deletion<T>;
}

/** Calls of the SDK that write. The rules of the fields have validated their bodies. */
export interface Calls<T> {
  create(body: object, options: { signal: AbortSignal }): Promise<T>;
  update(id: string, body: object, options: { signal: AbortSignal }): Promise<T>;
  delete(id: string, options: { signal: AbortSignal }): Promise<unknown>;
}

/** The words of a command in the help. */
export type Help = Pick<CommandSpec<unknown>, 'aliases' | 'summary' | 'examples'>;

/** The fields that create and update write. */
export interface Writable {
  flags: readonly FieldFlag[];
  /** Declares the flags of the fields, and of the resources that they name. `isNew` is true for the create command. */
  declare: (command: Command, isNew: boolean) => void;
  /** Reads the flags of named resources. */
  members?: (flags: RawFlags) => Members;
  /** Loads the rules of the contract. */
  rules: () => Promise<FieldRules>;
}

/** The rows of a list, chosen by flags. */
export interface Choice<T> {
  /** Reads the rows, if the flags change what is read. */
  read?: (server: Server) => Promise<T[]>;
  /** Returns the rows to show. `terminal` is whether people read them. */
  rows?: (all: T[], terminal: boolean) => T[];
  /** Returns a message if there is nothing to show. */
  empty?: (all: readonly T[]) => string;
  /** Returns a message about rows that a terminal does not show. */
  cut?: (shown: readonly T[], all: readonly T[]) => string | null;
}

/** The values that the columns of a list use besides the row. */
export interface View {
  paint: ChalkInstance;
  /** Epoch milliseconds. */
  now: number;
  /** Turns the id of another resource into its key or name. */
  nameOf: (id: string) => string;
  connection: Connection;
}

export interface Listing<T> extends Help {
  /** Returns warnings about rows that are shown. */
  warnings?: (shown: readonly T[]) => Promise<string[]>;
  /** Declares the flags that choose rows. */
  flags?: (command: Command) => void;
  /** Declares further such flags, which the help lists after `--wide`. */
  moreFlags?: (command: Command) => void;
  /** Reads the flags that choose rows. Throws a CliError for wrong values. */
  choose?: (flags: RawFlags) => Choice<T>;
  read: (server: Server) => Promise<T[]>;
  /** The message about an empty list. */
  empty?: string;
  /** Lists of resources whose ids the columns show as names. */
  names?: readonly NamedList[];
  columns: (view: View) => readonly ListColumn<T>[] | Promise<readonly ListColumn<T>[]>;
  /** Loads the function that prepares a row for programs, such as by masking its secrets. */
  data?: () => Promise<(row: T) => unknown>;
  /** Renders the list for people, if its rows are not the resources. */
  onTerminal?: (rows: readonly T[], wide: boolean, connection: Connection) => Promise<string>;
}

/** Lists of the SDK whose resources others refer to. */
export type NamedList = 'monitors' | 'channels';

export interface Reading<T> extends Help {
  /** The word of the command, if it is not `get`. */
  verb?: string;
  /** Used instead of the noun's `show`, to print more. */
  show?: (resource: T, shown: Shown, connection: Connection) => Promise<void>;
}

export interface Creation<T> extends Help {
  /** Declares flags other than fields. */
  flags?: (command: Command) => void;
  /** Runs after the fields are validated, before the request. `typed` holds only what the command line gave. */
  before?: (given: Given, typed: Given, ids: readonly string[], connection: Connection) => Promise<void>;
  /** Runs after the new resource was printed. */
  after?: (created: T, options: { shown: Shown; flags: RawFlags }, connection: Connection) => Promise<void>;
}

export interface Update<T> extends Help {
  /** A flag that the error of an update without flags suggests. */
  such: string;
  /** Whether every field must be given, so that `--unset` has no use. */
  withoutUnset?: true;
  /** Runs after the changed resource was printed. `changed` has the fields of the request. */
  after?: (updated: T, options: { shown: Shown; changed: object }, connection: Connection) => Promise<void>;
}

export interface Deletion<T> extends Help {
  /** Names the resource in messages. Default: the noun, and the name and id of the resource. */
  subject?: (resource: T) => string;
  /** Words after the subject in the question. They say what is deleted with the resource. */
  loses?: (resource: T) => string;
  /** The fields that are printed. */
  printed: (resource: T) => object;
  /** Runs after the resource was deleted. */
  after?: (resource: T, connection: Connection) => void;
}
