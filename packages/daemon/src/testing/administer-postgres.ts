import { Client } from 'pg';

/**
 * Runs a statement in the database `postgres`, which every server has. That name replaces `DATABASE` in the address.
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
