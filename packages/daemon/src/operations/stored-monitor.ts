import type { NormalMonitor } from '@uptime/sdk/contract';
import type { MonitorRow } from '../store/tables.ts';

/** A monitor's own fields as stored: key and name in columns, the rest in `config`. */
export function storedFields(row: Pick<MonitorRow, 'type' | 'key' | 'name' | 'config'>): NormalMonitor {
  const config = JSON.parse(row.config) as Omit<NormalMonitor, 'type' | 'key' | 'name'>;
  return { key: row.key, name: row.name, ...config, type: row.type } as NormalMonitor;
}

/** The columns that hold a monitor's own fields. */
export function fieldColumns(fields: NormalMonitor): Pick<MonitorRow, 'type' | 'key' | 'name' | 'config'> {
  const { key, name, ...config } = fields;
  return { type: fields.type, key, name, config: JSON.stringify(config) };
}
