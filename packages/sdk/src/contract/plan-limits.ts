/** A limit with this value does not limit anything. */
export const noLimit = 1_000_000;

/** How much one megabyte is, in bytes. */
export const megabyte = 1_048_576;

/** A plan's limit on the number or size of the things in an account or project. */
export interface PlanLimit {
  /** The things that the limit counts, as messages name them. */
  things: string;
  /** Whether a limit counts the things of all projects of an account together, or the things of each project. */
  scope: 'account' | 'project';
  unit: 'count' | 'megabytes';
  /** The limit in a plan that does not set it; null if every plan must set it. */
  default: number | null;
  /** The limit for accounts without a plan, on a server in public mode. */
  publicDefault: number;
  /** The description for the docs. */
  docs: string;
}

const limit = <D extends number | null>(of: PlanLimit & { default: D }) => of;

/**
 * Every limit of a plan. The schemas, docs/limits.md, `GET /api/usage` and the code that enforces the limits read this
 * table.
 */
export const planLimits = {
  projects: limit({
    things: 'projects',
    scope: 'account',
    unit: 'count',
    default: 20,
    publicDefault: 10,
    docs: 'Maximum number of projects of an account.',
  }),
  monitors: limit({
    things: 'monitors',
    scope: 'account',
    unit: 'count',
    default: null,
    publicDefault: 1000,
    docs: 'Maximum number of monitors in all projects of an account.',
  }),
  channels: limit({
    things: 'channels',
    scope: 'project',
    unit: 'count',
    default: 100,
    publicDefault: 50,
    docs: 'Maximum number of notification channels of a project.',
  }),
  alertRules: limit({
    things: 'alert rules',
    scope: 'project',
    unit: 'count',
    default: 500,
    publicDefault: 200,
    docs: 'Maximum number of alert rules of a project.',
  }),
  statusPages: limit({
    things: 'status pages',
    scope: 'project',
    unit: 'count',
    default: 50,
    publicDefault: 20,
    docs: 'Maximum number of status pages of a project.',
  }),
  customDomains: limit({
    things: 'custom domains',
    scope: 'project',
    unit: 'count',
    default: 20,
    publicDefault: 5,
    docs: 'Maximum number of custom domains of a project. Each status page can have one.',
  }),
  incidents: limit({
    things: 'incidents',
    scope: 'project',
    unit: 'count',
    default: 10_000,
    publicDefault: 2000,
    docs: 'Maximum number of incidents of a project, including resolved ones. Maintenance windows do not count.',
  }),
  openIncidents: limit({
    things: 'open incidents',
    scope: 'project',
    unit: 'count',
    default: 500,
    publicDefault: 100,
    docs: 'Maximum number of unresolved incidents of a project.',
  }),
  maintenanceWindows: limit({
    things: 'maintenance windows',
    scope: 'project',
    unit: 'count',
    default: 5000,
    publicDefault: 1000,
    docs: 'Maximum number of maintenance windows of a project, including past ones.',
  }),
  keys: limit({
    things: 'keys',
    scope: 'project',
    unit: 'count',
    default: 100,
    publicDefault: 20,
    docs: 'Maximum number of keys for machines in a project, including expired keys.',
  }),
  storageMegabytes: limit({
    things: 'megabytes of storage',
    scope: 'project',
    unit: 'megabytes',
    default: 100,
    publicDefault: 16,
    docs: 'Maximum storage of a project, in megabytes. It counts monitors, channels, alert rules, status pages, incidents with their updates, and answers kept for an Idempotency-Key.',
  }),
};

export type PlanLimitName = keyof typeof planLimits;

/** The names of all limits, in the order of the table. */
export const planLimitNames = Object.keys(planLimits) as PlanLimitName[];
