import type { Monitor } from '@uptime/sdk';
import { type Command, Option } from 'commander';
import { listFlag, type RawFlags, repeated } from '../../flags/raw-flags.ts';
import { whole } from '../../flags/whole.ts';
import { monitorFlags } from '../../flags/fields/monitors.ts';
import { byStatus, statuses } from './count-statuses.ts';
import type { Choice } from '../noun.ts';

/** Advice for a project without monitors. */
export const firstMonitors = '`uptime init` writes a first manifest, `uptime apply` applies it';

interface Filter {
  status: string | undefined;
  type: string | undefined;
  /** Labels, each written `name` or `name=value`. */
  labels: string[];
}

const types = monitorFlags.find(({ field }) => field === 'type')?.choices ?? [];

/** Declares the flags that choose the monitors of a list. */
export function monitorFilters(command: Command): void {
  command
    .addOption(new Option('--status <status>', 'only monitors in this status').choices(statuses))
    .addOption(new Option('--type <type>', 'only monitors of this type').choices(types))
    .option(
      '--label <name=value>',
      'only monitors with this label, or with any value of `name`; may be repeated',
      repeated,
    )
    .option('--limit <n>', 'list at most this many', whole(1, 1_000_000));
}

/** Reads the flags of {@link monitorFilters}. */
export function chooseMonitors(flags: RawFlags): Choice<Monitor> {
  const filter: Filter = {
    status: statuses.find((status) => status === flags['status']),
    type: types.find((type) => type === flags['type']),
    labels: listFlag(flags, 'label'),
  };
  const limit = flags['limit'] as number | undefined;
  const fitting = (all: readonly Monitor[]) => all.filter((monitor) => fits(monitor, filter));
  return {
    rows(all, terminal) {
      const found = fitting(all);
      return (terminal ? byStatus(found) : found).slice(0, limit);
    },
    empty: (all) =>
      all.length === 0 ? `No monitors yet. ${firstMonitors}.` : `None of ${all.length} monitors matches.`,
    cut(shown, all) {
      const count = fitting(all).length;
      return shown.length < count
        ? `${shown.length} of ${count} monitors are shown; --limit ${count} shows all.`
        : null;
    },
  };
}

function fits(monitor: Monitor, { status, type, labels }: Filter): boolean {
  if (status !== undefined && monitor.status !== status) return false;
  if (type !== undefined && monitor.type !== type) return false;
  return labels.every((label) => {
    const [, name = label, value] = /^([^=]*)=(.*)$/s.exec(label) ?? [];
    const own = Object.hasOwn(monitor.labels, name) ? monitor.labels[name] : undefined;
    return own !== undefined && (value === undefined || own === value);
  });
}
