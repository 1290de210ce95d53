import { Client } from 'pg';

/**
 * Runs a statement in the database `postgres`, which exists on every PostgreSQL server. In `address`, the word
 * `DATABASE` stands for the name of the database.
 */
export async function administerPostgres(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address.replace('DATABASE', 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
