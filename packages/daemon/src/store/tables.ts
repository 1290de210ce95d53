import type {
  AccountLockTable,
  BillingEventTable,
  DisabledAccountTable,
  IdempotencyTable,
  InvitationTable,
  PlanTable,
  SignUpClosedTable,
  SubscriptionTable,
} from './account-tables.ts';
import type { AlertTable, ChannelTable, RuleChannelTable, RuleMonitorTable, RuleTable } from './alert-tables.ts';
import type {
  AddressCodesTable,
  DeliveryAttemptTable,
  DeliveryTable,
  MessageBudgetTable,
  PagingIncidentTable,
} from './delivery-tables.ts';
import type {
  CheckHourTable,
  EpisodeTable,
  ObservedTable,
  PingTable,
  PresenceTable,
  ResponseHistogramTable,
  ResultDetailTable,
  ResultTable,
  StatusChangeTable,
} from './history-tables.ts';
import type {
  DomainRegistrationTable,
  MonitorStateTable,
  MonitorTable,
  ProjectTable,
  PurgeTable,
  RegionTable,
  ScheduleTable,
} from './monitor-tables.ts';
import type {
  IncidentMonitorTable,
  IncidentTable,
  IncidentUpdateTable,
  StatusPageMonitorTable,
  StatusPageTable,
} from './page-tables.ts';

export type * from './account-tables.ts';
export type * from './alert-tables.ts';
export type * from './delivery-tables.ts';
export type * from './history-tables.ts';
export type * from './monitor-tables.ts';
export type * from './page-tables.ts';

/**
 * The tables, the same on SQLite and PostgreSQL. Ids that people see are text, keys of large tables are integers. Times
 * are epoch milliseconds, booleans 0 and 1, JSON is text. better-auth keeps its own tables beside these.
 */
export interface Tables {
  upgrade_step: UpgradeStepTable;
  project: ProjectTable;
  monitor: MonitorTable;
  monitor_state: MonitorStateTable;
  schedule: ScheduleTable;
  region: RegionTable;
  result: ResultTable;
  result_detail: ResultDetailTable;
  check_hour: CheckHourTable;
  response_histogram: ResponseHistogramTable;
  observed_hour: ObservedTable;
  observed_day: ObservedTable;
  status_change: StatusChangeTable;
  episode: EpisodeTable;
  ping: PingTable;
  idempotency: IdempotencyTable;
  presence: PresenceTable;
  purge: PurgeTable;
  channel: ChannelTable;
  rule: RuleTable;
  rule_monitor: RuleMonitorTable;
  rule_channel: RuleChannelTable;
  alert: AlertTable;
  delivery: DeliveryTable;
  delivery_attempt: DeliveryAttemptTable;
  paging_incident: PagingIncidentTable;
  domain_registration: DomainRegistrationTable;
  incident: IncidentTable;
  incident_update: IncidentUpdateTable;
  incident_monitor: IncidentMonitorTable;
  status_page: StatusPageTable;
  status_page_monitor: StatusPageMonitorTable;
  plan: PlanTable;
  account_lock: AccountLockTable;
  subscription: SubscriptionTable;
  billing_event: BillingEventTable;
  invitation: InvitationTable;
  sign_up_closed: SignUpClosedTable;
  disabled_account: DisabledAccountTable;
  message_budget: MessageBudgetTable;
  address_codes: AddressCodesTable;
}

/** How far a step of an upgrade has come that runs beside the service: see upgrade-step.ts. */
export interface UpgradeStepTable {
  name: string;
  /** The last row that it has changed, by the order of its table. */
  position: number;
  /** 1 once all rows are changed. */
  done: number;
}
