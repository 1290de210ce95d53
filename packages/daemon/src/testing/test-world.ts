import { databases, type TestDatabaseKind } from './databases.ts';

/** The database of a test daemon, and the number of nodes that share the database. */
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

/**
 * Returns the database and the number of nodes that UPTIME_TEST_WORLD names, for tests that name no database. Default:
 * one node on SQLite.
 */
export function defaultWorld(named = process.env['UPTIME_TEST_WORLD'] ?? 'sqlite'): TestWorld {
  const found = Object.entries(testWorlds).find(([name]) => name === named);
  if (!found) throw new Error(`UPTIME_TEST_WORLD is ${named}; set one of ${Object.keys(testWorlds).join(', ')}.`);
  return found[1];
}
