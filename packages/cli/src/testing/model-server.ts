import type { Monitor } from '@uptime/sdk';
import { validateMonitor } from '@uptime/sdk/contract';
import type { MonitorWriter } from '../plan/apply.ts';

type Fields = Record<string, unknown>;

/** A server's monitors as a list in memory, changed by the contract's rules: defaults, merge patches, unique keys. */
export function createModelServer(): MonitorWriter & { monitors: Monitor[]; calls: number } {
  const state = { monitors: [] as Monitor[], calls: 0 };
  const normal = (fields: Fields, id: string): Monitor => {
    const checked = validateMonitor(fields);
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    return { ...checked.value, id, status: 'pending' } as unknown as Monitor;
  };
  const keep = (monitor: Monitor) => {
    const taken = state.monitors.some(({ id, key }) => id !== monitor.id && key !== null && key === monitor.key);
    if (taken) throw new Error(`The key ${monitor.key} is taken.`);
    const at = state.monitors.findIndex(({ id }) => id === monitor.id);
    state.monitors.splice(at < 0 ? state.monitors.length : at, 1, monitor);
    return Promise.resolve(monitor);
  };
  return Object.assign(state, {
    create: async (input: unknown) => keep(normal(input as Fields, `mon_${++state.calls}`)),
    update: async (id: string, patch: unknown) => {
      state.calls++;
      const current = state.monitors.find((monitor) => monitor.id === id) as unknown as Fields;
      const { id: _id, status: _status, ...fields } = merge(current, patch as Fields);
      return keep(normal(fields, id));
    },
    delete: async (id: string) => {
      state.calls++;
      state.monitors = state.monitors.filter((monitor) => monitor.id !== id);
    },
  });
}

/** RFC 7396, where null on a field brings its default back. */
function merge(current: Fields, patch: Fields): Fields {
  const merged = { ...current };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else if (typeof value === 'object' && !Array.isArray(value))
      merged[field] = merge(asFields(merged[field]), value as Fields);
    else merged[field] = value;
  }
  return merged;
}

const asFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
