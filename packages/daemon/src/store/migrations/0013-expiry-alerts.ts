import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Adds a column for rules that also report certificates and domains (see alert-tables.ts), and an index for the alerts
 * about a domain.
 */
export const expiryAlerts =
  ({ columns: type }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('rule')
      .addColumn('expiry_alerts', type.integer, (column) => column.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createIndex('alert_domain')
      .on('alert')
      .columns(['project_id', 'subject'])
      .where(sql.ref('type'), 'in', [sql.lit('domain_expiring'), sql.lit('domain_expired')])
      .execute();
  };
