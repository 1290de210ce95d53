import type {
  AttemptCountTable,
  CertificateFileTable,
  CertificateProofTable,
  KeyFingerprintTable,
  LeaseTable,
} from './shared-tables.ts';
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
  OutageTable,
  ImportedHistoryTable,
  ObservedTable,
  PingTable,
  PresenceTable,
  RecentResultTable,
  ResponseHistogramTable,
  ResultDetailTable,
  ResultFoldTable,
  ResultSlotTable,
  ResultTable,
  StatusChangeTable,
} from './history-tables.ts';
import type {
  DomainRegistrationTable,
  MonitorStateTable,
  MonitorTable,
  ProjectKeyTable,
  ProjectTable,
  PurgeTable,
  RegionTable,
  ScheduleChangeTable,
  ScheduleTable,
} from './monitor-tables.ts';
import type {
  IncidentMonitorTable,
  IncidentTable,
  IncidentUpdateTable,
  StatusPageMonitorTable,
  StatusPageTable,
} from './page-tables.ts';
import type { ProbeFactTable, ProbeResultTable, ProbeTable, ProbeTokenTable } from './probe-tables.ts';

export type * from './account-tables.ts';
export type * from './alert-tables.ts';
export type * from './delivery-tables.ts';
export type * from './history-tables.ts';
export type * from './monitor-tables.ts';
export type * from './page-tables.ts';
export type * from './probe-tables.ts';

/**
 * The tables, the same on SQLite and PostgreSQL. Ids that people see are text, and keys of large tables are integers.
 * Times are epoch milliseconds, booleans are 0 and 1, and JSON is text. The tables of better-auth are in the same
 * database, but not listed here.
 */
export interface Tables {
  upgrade_step: UpgradeStepTable;
  project: ProjectTable;
  project_key: ProjectKeyTable;
  monitor: MonitorTable;
  monitor_state: MonitorStateTable;
  schedule: ScheduleTable;
  schedule_change: ScheduleChangeTable;
  region: RegionTable;
  result: ResultTable;
  recent_result: RecentResultTable;
  result_slot: ResultSlotTable;
  result_fold: ResultFoldTable;
  result_detail: ResultDetailTable;
  check_hour: CheckHourTable;
  response_histogram: ResponseHistogramTable;
  observed_hour: ObservedTable;
  observed_day: ObservedTable;
  imported_history: ImportedHistoryTable;
  status_change: StatusChangeTable;
  outage: OutageTable;
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
  probe_token: ProbeTokenTable;
  probe: ProbeTable;
  probe_result: ProbeResultTable;
  probe_fact: ProbeFactTable;
  database_move: DatabaseMoveTable;
  move_change: MoveChangeTable;
  attempt_count: AttemptCountTable;
  lease: LeaseTable;
  certificate_file: CertificateFileTable;
  certificate_proof: CertificateProofTable;
  key_fingerprint: KeyFingerprintTable;
}

/** The progress of an upgrade step that runs while the daemon serves: see upgrade-step.ts. */
export interface UpgradeStepTable {
  name: string;
  /** The key of the last row that the step has changed. */
  position: number;
  /** 1 if all rows are changed. */
  done: number;
}

/**
 * How far the move from SQLite to PostgreSQL has come. Both databases have this table, each with at most one row: see
 * database-move.ts.
 */
export interface DatabaseMoveTable {
  id: number;
  /** The data folder that is moved. */
  installation: string;
  state: MoveState;
  /**
   * The last sign of life of the command that moves the database, in epoch milliseconds. After 15 seconds without a
   * sign of life, the move has failed.
   */
  renewed_at: number;
  /**
   * The number of the last ping that was copied to PostgreSQL. The next start on PostgreSQL copies the later pings from
   * SQLite.
   */
  last_ping: number | null;
  /** The random id of this run of the command. Null if an older version moved the data. */
  move: string | null;
}

/**
 * Old rows of SQLite that changed during a move to PostgreSQL. An entry stands for all rows of the table `name` that
 * have this monitor (0 stands for all monitors) and this period. Triggers add entries only during a move: see
 * move-to-postgres/old-rows.ts.
 */
export interface MoveChangeTable {
  name: string;
  monitor: number;
  /**
   * The number of the hour since the epoch. For `observed_day`, the number of the day. For `ping` and `status_change`,
   * the `id` of the row divided by 10,000.
   */
  period: number;
}

/**
 * The state of a move:
 * - On SQLite, `watching` means that triggers note changes of old rows for this move. `closing` asks the daemon to
 *   write only pings from then on. The daemon answers with `closed`. `moved` means that PostgreSQL has all data except
 *   later pings.
 * - On PostgreSQL, `filling` means that rows are being copied, and `filled` that all rows are copied. `used` means that
 *   a daemon has also started on this PostgreSQL.
 */
export type MoveState = 'watching' | 'closing' | 'closed' | 'moved' | 'filling' | 'filled' | 'used';
