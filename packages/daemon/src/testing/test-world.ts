import { databases, type TestDatabaseKind } from './databases.ts';

/** Where a test daemon runs: its database, and how many nodes share it. */
export interface TestWorld {
  database?: TestDatabaseKind | undefined;
  nodes: number;
}

const postgres = databases.find(({ name }) => name === 'postgres')!;

/** The combinations of database and nodes on which the black-box tests of the API must pass. */
export const testWorlds = {
  sqlite: { nodes: 1 },
  postgres: { database: postgres, nodes: 1 },
  'two-nodes': { database: postgres, nodes: 2 },
} satisfies Record<string, TestWorld>;

/** The database and nodes of tests that do not name a database, from UPTIME_TEST_WORLD. Default: SQLite. */
export function defaultWorld(named = process.env['UPTIME_TEST_WORLD'] ?? 'sqlite'): TestWorld {
  const found = Object.entries(testWorlds).find(([name]) => name === named);
  if (!found) throw new Error(`UPTIME_TEST_WORLD is ${named}; set one of ${Object.keys(testWorlds).join(', ')}.`);
  return found[1];
}
