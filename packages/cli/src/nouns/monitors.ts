import type { Monitor, RequestOptions } from '@uptime/sdk';
import type { Connection, Server } from '../connection.ts';
import type { Shown } from '../flags/output-flags.ts';
import { fieldFlags } from '../flags/field-flags.ts';
import { plain } from '../output.ts';
import { chooseMonitors, monitorFilters } from './monitors/filter-monitors.ts';
import { monitorFlags } from '../flags/fields/monitors.ts';
import type { Noun } from './noun.ts';
import type { DownTime } from './monitors/read-down-time.ts';

export const monitors = {
  word: 'monitors',
  one: 'monitor',
  many: 'monitors',
  argument: ['monitor', 'its id, key or name'],

  async find(word, { client, signal }): Promise<Monitor> {
    const { find } = await import('./find.ts');
    return find<Monitor>(word, monitors, {
      prefix: 'mon_',
      list: (query) => client.monitors.list(query, { signal }),
      get: (id) => client.monitors.get(id, { signal }),
    });
  },
  show: (monitor, shown, connection) => show(monitor, shown, connection),
  calls: ({ monitors }) => monitors,
  fields: {
    flags: monitorFlags,
    declare: (command, isNew) => fieldFlags(command, monitorFlags, isNew),
    rules: async () => (await import('../kinds/monitor.ts')).monitorRules,
  },

  list: {
    aliases: ['ls'],
    summary: 'list the monitors; on a terminal, those that are down come first',
    examples: ['monitors list --status down', 'ls --label team=ops -o json'],
    flags: monitorFilters,
    choose: chooseMonitors,
    read: (server) => allMonitors(server),
    columns: async (view) => (await import('./monitors/monitor-columns.ts')).monitorColumns(view),
    data: async () => (await import('../secrets.ts')).withoutSecrets,
    warnings: async (shown) => (await import('./monitors/warn-of-unreadable.ts')).warnOfUnreadable(shown),
  },
  get: {
    summary: 'show one monitor with all its fields; if it is down, also since when and why',
    examples: ['monitors get nightly-backup', 'monitors get nightly-backup -o yaml'],
    async show(found, shown, connection) {
      const { isPassive } = await import('@uptime/sdk/contract');
      // A monitor that was found by its name comes from the list. The list does not contain the results of each region.
      const isWhole = shown.quiet || isPassive(found) || found.regionResults !== undefined;
      const monitor = isWhole ? found : await connection.client.monitors.get(found.id, { signal: connection.signal });
      const isDown = monitor.status === 'down' && shown.format === 'table' && !shown.quiet;
      if (!isDown) return show(monitor, shown, connection);
      const { client, signal } = connection;
      const { readDownTime } = await import('./monitors/read-down-time.ts');
      const down =
        (await readDownTime(client, monitor.id, { signal })) ??
        (await readDownTime(client, monitor.id, { from: monitor.createdAt.slice(0, 10), signal }));
      return show(monitor, shown, connection, down);
    },
  },
  create: {
    summary: 'create a monitor; it is checked within two seconds',
    examples: [
      'monitors create --name Shop --type http --url https://shop.example.com --interval 60',
      'monitors create --name backup --type heartbeat --interval 86400 --label team=ops --quiet',
    ],
    async after(monitor, { shown }, connection) {
      if (shown.quiet || monitor.paused) return;
      const { sayNewGaps } = await import('../gaps/say-new-gaps.ts');
      await sayNewGaps(monitor, connection);
    },
  },
  update: {
    summary: 'change fields of a monitor; other fields stay unchanged',
    examples: [
      'monitors update nightly-backup --grace-period 3600 --label team=ops',
      'monitors update nightly-backup --unset description --unset labels.team',
    ],
    such: '--interval 60',
    async after(monitor, { shown, changed }, connection) {
      if (shown.quiet || !('regions' in changed)) return;
      const { sayUnservedRegions } = await import('../gaps/say-new-gaps.ts');
      await sayUnservedRegions(monitor, connection);
    },
  },
  delete: {
    summary: 'delete a monitor and its history',
    examples: ['monitors delete nightly-backup --yes', 'monitors delete nightly-backup --yes --profile default'],
    subject: ({ id, name, type }) => `${type} ${JSON.stringify(plain(name))} (${id})`,
    loses: () => ' and its history',
    printed: ({ id, name, type }) => ({ id, name, type }),
  },
} as const satisfies Noun<Monitor>;

/** Reads every monitor of the project. If it cannot read all of them, it throws and never returns a part. */
export async function allMonitors({ client, signal }: Server, options: RequestOptions = {}): Promise<Monitor[]> {
  const monitors: Monitor[] = [];
  for await (const monitor of client.monitors.iterate({ limit: 1000 }, { signal, ...options })) monitors.push(monitor);
  return monitors;
}

const show = async (monitor: Monitor, shown: Shown, { io }: Connection, down: DownTime | null = null): Promise<void> =>
  (await import('./monitors/show-monitor.ts')).showMonitor(io, monitor, shown, down);
