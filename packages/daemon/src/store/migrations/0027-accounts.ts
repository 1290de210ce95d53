import { type ColumnDataType, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';

/**
 * Creates the tables of better-auth, as the library itself would. So a start need not load the library to check that
 * its tables exist. http/account-library.test.ts checks that the library needs no other tables. In an older database,
 * the library has already created its tables.
 */
export const accounts =
  ({ name }: Dialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const sqlite = name === 'sqlite';
    const flag: ColumnDataType = sqlite ? 'integer' : 'boolean';
    const time: ColumnDataType = sqlite ? 'date' : 'timestamptz';
    const table = (called: string) =>
      db.schema
        .createTable(called)
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey().notNull());
    const now: RawBuilder<unknown> = sql`CURRENT_TIMESTAMP`;
    const preset = <C extends { notNull(): C; defaultTo(value: unknown): C }>(column: C): C =>
      sqlite ? column.notNull() : column.defaultTo(now).notNull();

    await table('user')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('emailVerified', flag, (column) => column.notNull())
      .addColumn('image', 'text')
      .addColumn('createdAt', time, preset)
      .addColumn('updatedAt', time, preset)
      .addColumn('role', 'text', (column) => column.notNull())
      .execute();
    await table('session')
      .addColumn('expiresAt', time, (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('createdAt', time, preset)
      .addColumn('updatedAt', time, (column) => column.notNull())
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .execute();
    await table('account')
      .addColumn('accountId', 'text', (column) => column.notNull())
      .addColumn('providerId', 'text', (column) => column.notNull())
      .addColumn('userId', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', time)
      .addColumn('refreshTokenExpiresAt', time)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', time, preset)
      .addColumn('updatedAt', time, (column) => column.notNull())
      .execute();
    await table('verification')
      .addColumn('identifier', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('expiresAt', time, (column) => column.notNull())
      .addColumn('createdAt', time, preset)
      .addColumn('updatedAt', time, preset)
      .execute();
    for (const [on, column] of [
      ['session', 'userId'],
      ['account', 'userId'],
      ['verification', 'identifier'],
    ] as const)
      await db.schema.createIndex(`${on}_${column}_idx`).ifNotExists().on(on).column(column).execute();
  };
