import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A row of a table of rooms. */
export interface RoomRow {
  /** The name of the room, or of the group of rooms. Rows that may import it list this name. */
  name: string;
  /** The rooms of the row: a folder, a file, or each member of a group. */
  rooms: string[];
  mayImport: string[];
}

const page = readFileSync(resolve(import.meta.dirname, '../docs/architecture.md'), 'utf8');

/** Reads a table of docs/architecture.md below a heading. `head` is the first line of the table. */
function readTable(heading: string, head: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [, table = ''] = section.split(`\n${head}\n`);
  const rows = table.split('\n\n')[0]!.split('\n').slice(1);
  if (rows.length === 0) throw new Error(`docs/architecture.md has no table "${head}" below "${heading}".`);
  return rows.map((row) => row.split('|').map((cell) => cell.trim()));
}

/** Returns the texts in backticks. */
const namesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/**
 * Reads a table of rooms. "the basics: `exit`, `io`" in the first column makes a group with the name `basics`, whose
 * rooms may import each other.
 */
export const readRooms = (heading: string): RoomRow[] =>
  readTable(heading, '| room | content | may import |').flatMap(([, first = '', , last = '']) => {
    const rooms = [...new Set(namesIn(first).map((name) => name.replace(/\.ts$|\/$/, '')))];
    const mayImport = last === 'nothing' ? [] : last.split(', ');
    const [, group] = /^the (\w+):/.exec(first) ?? [];
    if (group !== undefined) return [{ name: group, rooms, mayImport }];
    return rooms.map((name) => ({ name, rooms: [name], mayImport }));
  });

/** Reads the table of packages: the imports that each package may have from the others. */
export const readPackages = (): Map<string, string[]> =>
  new Map(
    readTable('The packages', '| package | may import from the others |').map(([, name = '', last = '']) => [
      name,
      namesIn(last),
    ]),
  );

/** Returns the rooms that use neither the system's clock nor random numbers. */
export function readClocklessRooms(): string[] {
  const [, list] = /- These rooms use neither the system's clock[^:]*:([^.]*)\./.exec(page) ?? [];
  if (list === undefined) throw new Error('docs/architecture.md lists no rooms without the clock of the system.');
  return namesIn(list);
}

/** Returns the files that ask which database they use. */
export const readDialectQuestions = (): string[] => [
  ...new Set(readTable('The store', '| difference | files that ask |').flatMap(([, , files = '']) => namesIn(files))),
];
