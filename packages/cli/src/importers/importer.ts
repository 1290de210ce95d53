import type { Collection } from './collection.ts';

/** The file of an import. */
export interface ImportFile {
  /** Its name in messages. */
  name: string;
  /** Its absolute path. */
  path: string;
  /** Reads it as text. Throws a CliError for a file that is too large or not text. */
  text: () => Promise<string>;
}

/** The file or folder of an import. */
export interface ImportSource extends ImportFile {
  /** The YAML files, in the order of their paths, if the source is a folder. */
  files?: readonly ImportFile[];
}

/** Reads the configuration of another program into monitors, channels, rules and pages. */
export interface Importer {
  /** Whether it also reads a folder of YAML files. */
  folders?: true;
  /** Puts everything that it understands into a collection. Throws a CliError for another kind of file. */
  read: (source: ImportSource, into: Collection) => Promise<void>;
}
