import type { Insertable } from 'kysely';
import type { MonitorTable, ProjectTable } from '../store/tables.ts';

/** A complete project row; a test sets only what it needs. */
export const projectRow = (id: string, more: Partial<ProjectTable> = {}): ProjectTable => ({
  id,
  user_id: 'user',
  name: id,
  api_key: `key of ${id}`,
  created_at: 0,
  updated_at: 0,
  ...more,
});

/** A complete monitor row; a test sets only what it needs. */
export const monitorRow = (
  id: string,
  project: string,
  more: Partial<Insertable<MonitorTable>> = {},
): Insertable<MonitorTable> => ({
  id,
  project_id: project,
  key: null,
  name: id,
  type: 'http',
  config: '{}',
  generation: 1,
  token: null,
  created_at: 0,
  updated_at: 0,
  ...more,
});
