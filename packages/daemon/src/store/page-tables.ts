import type { Generated, Selectable } from 'kysely';
import type { IncidentStatus } from '@uptime/sdk/contract';

/** Incidents. A row whose `maintenance` is 1 is a maintenance window. */
export interface IncidentTable {
  seq: Generated<number>;
  id: string;
  /**
   * The last part of the incident's public address, which `publicId` makes from the id. Null until the upgrade has
   * stored it.
   */
  public_id: Generated<string | null>;
  project_id: string;
  /** The name of the manifest that manages this row. */
  managed_by: Generated<string | null>;
  title: string;
  status: IncidentStatus;
  maintenance: number;
  /** 1 if the incident is about certain monitors, even if they have been deleted. 0 if it is about all monitors. */
  named: Generated<number>;
  /** Start of a maintenance window. */
  scheduled_start: number | null;
  /** End of a maintenance window, unless someone resolved the window earlier. */
  scheduled_end: number | null;
  started_at: number;
  resolved_at: number | null;
  /** The size of the incident, with its updates and its list of monitors, in bytes: see core/stored-size.ts. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

export interface IncidentUpdateTable {
  seq: Generated<number>;
  id: string;
  incident: number;
  status: IncidentStatus;
  message: string;
  created_at: number;
}

export interface IncidentMonitorTable {
  incident: number;
  monitor: number;
  position: number;
}

/** A public page. */
export interface StatusPageTable {
  seq: Generated<number>;
  id: string;
  project_id: string;
  key: string | null;
  /** The name of the manifest that manages this row. */
  managed_by: Generated<string | null>;
  name: string;
  slug: string;
  /** In lower case and punycode. */
  custom_domain: string | null;
  domain_status: 'pending' | 'active' | 'error' | null;
  domain_error: string | null;
  /** When the domain is checked again; null without a domain. */
  domain_check_at: number | null;
  /**
   * When a check last found that the domain points to this server, with the necessary proof. Before the first such
   * check, this is when the domain was entered. Null without a domain.
   */
  domain_pointed_at: number | null;
  description: string | null;
  home_url: string | null;
  icon_url: string | null;
  /** `#rrggbb`. */
  accent_color: string | null;
  /** The name of a label. Monitors with the same value of this label form a group on the page. */
  group_by: string | null;
  /** The size of the page, with its list of monitors, in bytes: see core/stored-size.ts. */
  bytes: Generated<number>;
  created_at: number;
  updated_at: number;
}

/** The monitors of a page. `position` is their order. */
export interface StatusPageMonitorTable {
  page: number;
  monitor: number;
  position: number;
}

export type StatusPageRow = Selectable<StatusPageTable>;
