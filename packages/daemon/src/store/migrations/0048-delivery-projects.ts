import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds a column for the project of each delivery, and indexes. With them, a list reads a page of deliveries by an
 * index, however many deliveries exist.
 */
export const deliveryProjects =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('delivery')
      .addColumn('project', type.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update delivery set project = (select project_id from alert where alert.seq = delivery.alert)`.execute(
      db,
    );
    const index = (name: string) => db.schema.createIndex(`delivery_${name}`).on('delivery');
    await index('project').columns(['project', 'seq']).execute();
    await index('project_status').columns(['project', 'status', 'seq']).execute();
  };
