import { type Kysely, sql } from 'kysely';
import type { Tables } from '../store/tables.ts';

/** How to undo the schema of the latest migrations. */
const undo = {
  '0047-plain-columns': [
    sql`alter table monitor_state rename column rolled_up_until to accounted_until`,
    sql`alter table alert rename column notified to told`,
  ],
  '0048-delivery-projects': [sql`alter table delivery drop column project`],
  '0049-retired-regions': [sql`alter table region drop column retired_at`],
  '0050-probe-runs': [sql`alter table probe drop column run`],
  '0051-fenced-moves': [sql`alter table database_move drop column move`, sql`drop table move_change`],
  '0052-named-regions': [sql`alter table region drop column naming_count`],
  '0053-region-pages': [sql`drop index if exists schedule_region`],
  '0054-target-generation': [sql`alter table monitor drop column target_generation`],
  '0055-unobserved-times': [sql`alter table monitor_state drop column unobserved`],
  '0056-outages': [
    sql`alter table monitor_state rename column unobserved_since to blind_since`,
    sql`alter table outage rename to episode`,
    sql`drop index outage_monitor`,
    sql`drop index outage_open`,
    sql`create index episode_monitor on episode (monitor, opened_at)`,
    sql`create unique index episode_open on episode (monitor) where closed_at is null`,
  ],
  '0057-noted-absences': [sql`alter table presence drop column absences`],
  '0058-failed-probes': [sql`alter table probe drop column failed_at`],
  '0059-failing-channels': [sql`drop index channel_failing`, sql`drop index channel_held`],
  '0060-intervals-in-seconds': [
    sql`alter table plan rename column check_interval_seconds to check_interval`,
    sql`alter table rule rename column reminder_interval_seconds to reminder_interval`,
  ],
  '0061-answers-in-order': [
    sql`drop table idempotency`,
    sql`create table idempotency (scope text not null, key text not null, owner text not null default '',
      request_hash text not null, status integer not null, body text not null, bytes bigint not null default 0,
      created_at bigint not null, constraint idempotency_key primary key (scope, key))`,
    sql`create index idempotency_created_at on idempotency (created_at)`,
    sql`create index idempotency_owner on idempotency (owner, bytes)`,
  ],
};

/**
 * Undoes this migration and all later migrations, so that a test can fill the tables of an earlier version and upgrade
 * them.
 */
export async function undoMigrations(db: Kysely<Tables>, first: keyof typeof undo): Promise<void> {
  const names = Object.keys(undo) as (keyof typeof undo)[];
  for (const name of names.slice(names.indexOf(first)).toReversed()) {
    for (const statement of undo[name]) await statement.execute(db);
    await sql`delete from uptime_migration where name = ${name}`.execute(db);
  }
}
