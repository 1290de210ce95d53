import type { Transaction } from 'kysely';
import { type Successor, type KnownAlert, successor } from '../core/alerts.ts';
import { domainFaults } from '../core/expiry.ts';
import { domainOf } from '../core/is-notified.ts';
import type { MonitorRow, Tables } from '../store/tables.ts';
import { domainExpiry, domainThresholdDays } from '../stored-monitors/monitor-fields.ts';
import { eachConfig } from '../stored-monitors/each-config.ts';
import { storedFields } from '../stored-monitors/stored-monitor.ts';
import { watchingRules } from './watching-rules.ts';

/** Number of monitors that one statement reads. */
const maxMonitorsAtOnce = 100;

/**
 * Finds another monitor of the project, to which an alert about a domain can move. That monitor must not be paused. It
 * must have the same fault at the time `at` (epoch milliseconds), and a rule with the same channel.
 */
export async function findSuccessor(
  trx: Transaction<Tables>,
  { seq, project_id }: Pick<MonitorRow, 'seq' | 'project_id'>,
  alert: Pick<KnownAlert, 'id' | 'trigger' | 'subject' | 'channel'>,
  at: number,
): Promise<Successor | null> {
  const name = domainOf(alert.subject);
  const registration = await trx
    .selectFrom('domain_registration')
    .select('expires_at')
    .where('name', '=', name)
    .executeTakeFirst();
  for (let after = 0; ;) {
    const monitors = await monitorsOn(trx, name, project_id, after);
    const sharing: number[] = [];
    await eachConfig(trx, monitors, (monitor) => {
      if (monitor.seq === seq) return;
      const fields = storedFields(monitor);
      const expiresAt = domainExpiry(fields, registration);
      if (expiresAt === null) return;
      const hasFault = domainFaults({ name, expiresAt }, domainThresholdDays(fields), at).some(
        ({ trigger, subject }) => trigger === alert.trigger && subject === alert.subject,
      );
      if (hasFault) sharing.push(monitor.seq);
    });
    for (const monitor of sharing.toSorted((one, other) => one - other)) {
      const rule = successor(alert, await watchingRules(trx, monitor));
      if (rule) return { alert: alert.id, monitor, rule: rule.rule };
    }
    const last = monitors.at(-1);
    if (!last || monitors.length < maxMonitorsAtOnce) return null;
    after = last.seq;
  }
}

const monitorsOn = (trx: Transaction<Tables>, domain: string, project: string, after: number) =>
  trx
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor', 'monitor.seq')
    .select(['seq', 'type', 'key', 'name', 'monitor.bytes'])
    .where('monitor_state.domain', '=', domain)
    .where('monitor_state.status', '!=', 'paused')
    .where('monitor.project_id', '=', project)
    .where('monitor.seq', '>', after)
    .where((row) =>
      row.exists(row.selectFrom('rule_monitor').select('rule').whereRef('rule_monitor.monitor', '=', 'monitor.seq')),
    )
    .orderBy('monitor.seq')
    .limit(maxMonitorsAtOnce)
    .execute();
