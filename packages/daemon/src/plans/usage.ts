import { megabyte, type PlanLimitName, planLimitNames } from '@uptime/sdk/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Store } from '../store/store.ts';
import type { Project } from '../store/tables.ts';

/** How much of each limit of a plan is used up. Storage is in megabytes. */
export type Usage = Record<PlanLimitName, number>;

/**
 * Returns how much of each limit a project and its account use. One statement counts everything. In large tables, it
 * reads only indexes.
 */
export const usageOf = (db: Store['db'], { id, user_id: user }: Pick<Project, 'id' | 'user_id'>): Promise<Usage> =>
  read(db, {
    ...countedByAccount(user),
    channels: sql`select count(*) from channel where project_id = ${id}`,
    alertRules: sql`select count(*) from rule where project_id = ${id}`,
    statusPages: sql`select count(*) from status_page where project_id = ${id}`,
    customDomains: sql`select count(*) from status_page where project_id = ${id} and custom_domain is not null`,
    incidents: sql`select count(*) from incident where project_id = ${id} and maintenance = 0`,
    openIncidents: sql`select count(*) from incident
      where project_id = ${id} and maintenance = 0 and resolved_at is null`,
    maintenanceWindows: sql`select count(*) from incident where project_id = ${id} and maintenance = 1`,
    keys: sql`select count(*) from project_key where project_id = ${id}`,
    storageMegabytes: sql`select sum(bytes) from (
      select coalesce(sum(bytes), 0) as bytes from monitor where project_id = ${id}
      union all select coalesce(sum(bytes), 0) from channel where project_id = ${id}
      union all select coalesce(sum(bytes), 0) from rule where project_id = ${id}
      union all select coalesce(sum(bytes), 0) from status_page where project_id = ${id}
      union all select coalesce(sum(bytes), 0) from incident where project_id = ${id}
      union all ${keptAnswers(id)}) as parts`,
  });

/**
 * Returns the usage of an account. The storage includes only the answers that are kept for repeated requests, and not
 * the account's projects.
 */
export const accountUsageOf = (db: Store['db'], user: string): Promise<Usage> =>
  read(db, { ...countedByAccount(user), storageMegabytes: keptAnswers(user) });

const countedByAccount = (user: string) => ({
  projects: sql`select count(*) from project where user_id = ${user}`,
  monitors: sql`select count(*) from monitor join project on project.id = monitor.project_id
    where project.user_id = ${user}`,
});

const keptAnswers = (owner: string) => sql`select coalesce(sum(bytes), 0) from idempotency where owner = ${owner}`;

async function read(db: Store['db'], counts: Partial<Record<PlanLimitName, RawBuilder<unknown>>>): Promise<Usage> {
  const columns = Object.entries(counts).map(([name, count]) => sql`(${count}) as ${sql.ref(name)}`);
  const { rows } = await sql<Partial<Record<PlanLimitName, number | string>>>`select ${sql.join(columns)}`.execute(db);
  const found = (name: PlanLimitName) => Number(rows[0]?.[name] ?? 0);
  const usage = Object.fromEntries(planLimitNames.map((name) => [name, found(name)])) as Usage;
  return { ...usage, storageMegabytes: usage.storageMegabytes / megabyte };
}
