import type { Collection } from './collection.ts';

/** A file that is imported. */
export interface ImportFile {
  /** The name of the file in messages. */
  name: string;
  /** The absolute path of the file. */
  path: string;
  /** Reads the file as text. Throws a CliError if the file is too large or is not text. */
  text: () => Promise<string>;
}

/** The file or folder that is imported. */
export interface ImportSource extends ImportFile {
  /** If the source is a folder: its YAML files, in the order of their paths. */
  files?: readonly ImportFile[];
}

/** Converts the configuration of another program to monitors, channels, rules and pages. */
export interface Importer {
  /** Whether the importer also accepts a folder of YAML files. */
  folders?: true;
  /**
   * Reads the source. Adds its items, and notes about them, to the collection. Throws a CliError if the source is
   * another kind of file.
   */
  read: (source: ImportSource, into: Collection) => Promise<void>;
}
