import { sql } from 'kysely';
import { type Dialect, type DueMonitor, encodeRows, ofProject } from './dialect.ts';
import { databaseCode } from './failures.ts';

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  exclusive: true,
  columns: {
    serial: sql`integer primary key autoincrement`,
    counter: sql`integer primary key`,
    integer: sql`integer`,
    bigInteger: sql`integer`,
    text: sql`text`,
  },
  tableEnd: (keyed) => (keyed ? sql`strict, without rowid` : sql`strict`),
  // Writers take turns. The driver takes this isolation level to mean "need not wait for the disk".
  transaction: (db, durable) => (durable ? db.transaction() : db.transaction().setIsolationLevel('read uncommitted')),
  async hasTable(db, name) {
    const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${name}`.execute(db);
    return rows.length > 0;
  },
  greatest: (left, right) => sql<number>`max(${sql.ref(left)}, ${sql.ref(right)})`,
  // Writers take turns.
  forUpdate: sql``,
  skipLocked: () => sql``,
  // Only one transaction writes at a time.
  async lockAbsences() {},
  wallClock: null,
  isUniqueViolation: (error) => /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(databaseCode(error)),
  isForeignKeyViolation: (error) => databaseCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY',

  // Writers take turns, so the inner select's rows are unchanged when the update reaches them.
  async claimDue(trx, { region, now, leaseUntil, limit, of, after = -1 }) {
    const { rows } = await sql<DueMonitor>`
      update schedule set lease_until = ${leaseUntil}
      where region = ${region} and monitor in (
        select monitor from schedule
        where region = ${region} and max(next_at, lease_until) > ${after}
          and max(next_at, lease_until) <= ${now} ${ofProject(of)}
        order by max(next_at, lease_until) limit ${limit})
      returning monitor, next_at, project`.execute(trx);
    return rows.toSorted((a, b) => a.next_at - b.next_at);
  },

  async shrink(db) {
    await sql`pragma incremental_vacuum(1000)`.execute(db);
  },

  rows(alias, columns, items) {
    const names = Object.keys(columns);
    const fields = names.map((name, at) =>
      names.length === 1 ? sql`value as ${sql.id(name)}` : sql`value ->> ${sql.lit(at)} as ${sql.id(name)}`,
    );
    const json = Array.isArray(items) ? encodeRows(columns, items) : items;
    // With jsonb each row is parsed once and not once more for each field, which saves a third of an insert's cost.
    return sql`(select ${sql.join(fields)} from jsonb_each(${json}))`.as(alias) as never;
  },
};
