import {
  channelSecrets,
  type ChannelType,
  configDigestText,
  incidentInput,
  statusPageInput,
  validate,
  validateAlertRule,
  validateChannel,
  validateMonitor,
} from '@uptime/sdk/contract';
import { createHash } from 'node:crypto';
import { allKinds } from '../kinds/index.ts';
import type { Fields, Kind, KindName, Remote } from '../kinds/kind.ts';
import type { Writer } from '../plan/apply.ts';
import type { Remotes } from '../plan/plan.ts';

/** A server in memory that follows the contract: defaults, merge patches, unique keys, and valid references. */
export interface ModelServer {
  /** Returns the resources of a kind in the form of the API. */
  list: (kind: Kind) => Remote[];
  /** Returns the resources of several kinds, as a plan needs them. */
  remotes: (...kinds: readonly Kind[]) => Remotes;
  writerOf: (kind: Kind) => Writer;
  /** The number of calls so far. */
  calls: number;
}

type Row = Fields & { id: string };

const validators: Record<KindName, (fields: Fields) => ReturnType<typeof validate>> = {
  monitor: validateMonitor,
  channel: validateChannel,
  alertRule: validateAlertRule,
  statusPage: (fields) => validate(statusPageInput, fields),
  maintenanceWindow: ({ name: _name, key: _key, ...fields }) => validate(incidentInput, fields),
};

export function createModelServer(): ModelServer {
  const rows = new Map<Kind, Row[]>(allKinds.map((kind) => [kind, []]));
  const ids = () => new Set([...rows.values()].flatMap((all) => all.map(({ id }) => id)));

  const keep = (kind: Kind, fields: Fields, id: string): Remote => {
    const checked = validators[kind.name](fields);
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    const row: Row = { key: null, ...(checked.value as Fields), id };
    const all = rows.get(kind)!;
    if (all.some((other) => other.id !== id && other['key'] !== null && other['key'] === row['key'])) {
      throw new Error(`The key ${String(row['key'])} is taken.`);
    }
    for (const { ids: field } of Object.values(kind.references)) {
      const unknown = (row[field] as string[]).find((one) => !ids().has(one));
      if (unknown) throw new Error(`There is no ${unknown}.`);
    }
    const at = all.findIndex((other) => other.id === id);
    all.splice(at < 0 ? all.length : at, 1, row);
    return asRemote(kind, row);
  };

  const remove = (kind: Kind, id: string) => {
    rows.set(
      kind,
      rows.get(kind)!.filter((row) => row.id !== id),
    );
    for (const [other, all] of rows) {
      for (const reference of Object.values(other.references).filter((one) => one.kind === kind.name)) {
        for (const row of all) row[reference.ids] = (row[reference.ids] as string[]).filter((one) => one !== id);
      }
    }
  };

  const server: ModelServer = {
    calls: 0,
    list: (kind) => rows.get(kind)!.map((row) => asRemote(kind, row)),
    remotes: (...kinds) => new Map(kinds.map((kind) => [kind, server.list(kind)])),
    writerOf: (kind) => ({
      create: async (input) => keep(kind, input, `${kind.name.slice(0, 3)}_${++server.calls}`),
      update: async (id, patch) => {
        server.calls++;
        const { id: _id, ...current } = rows.get(kind)!.find((row) => row.id === id)!;
        const { type, config } = patch as { type?: string; config?: Fields };
        // If the type of a channel changes, its new config keeps nothing of the old config.
        const base = kind.name === 'channel' && type !== undefined && config ? { ...current, config: {} } : current;
        return keep(kind, merge(base, patch), id);
      },
      delete: async (id) => {
        server.calls++;
        remove(kind, id);
      },
    }),
  };
  return server;
}

/** Returns a stored row in the form of the API, with masked secrets. */
function asRemote(kind: Kind, row: Row): Remote {
  if (kind.name === 'maintenanceWindow') return { ...row, name: String(row['title']), updates: [] } as Remote;
  if (kind.name !== 'channel') return { ...row } as unknown as Remote;
  const config = row['config'] as Fields;
  const configDigest = createHash('sha256').update(configDigestText(row.id, config)).digest('hex');
  const masked = structuredClone(config);
  for (const secret of channelSecrets[row['type'] as ChannelType]) {
    const [field = '', every] = secret.split('.');
    if (every) {
      const entries = Object.entries(asFields(config[field]));
      masked[field] = Object.fromEntries(entries.map(([name, value]) => [name, hide(value)]));
    } else if (masked[secret] !== null) masked[secret] = hide(masked[secret]);
  }
  return { ...row, config: masked, configDigest } as unknown as Remote;
}

const hide = (value: unknown): string => `••••${String(value).slice(-4)}`;

/** Merges a patch by RFC 7396. Null restores the default of a field. */
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
