import type { Tables } from '../store/tables.ts';

/**
 * How the rows of a table move:
 *
 * - `whole`: every comparison reads all rows of the table.
 * - `history`: old rows of the table seldom change, so the last comparison reads only the latest rows, and the old rows
 *   that have changed (old-rows.ts). Each row has a column `monitor`. `unitMs` is the unit of the time column.
 * - `numbered`: like `history`, but the key is a number `id` that grows with each row. So the latest rows are those
 *   with the highest numbers. No index on a time is needed to find them.
 * - `stays`: the table does not move, because its rows are valid only in one database.
 */
export type HowTableMoves =
  { how: 'whole' } | { how: 'history'; time: string; unitMs: number } | { how: 'numbered' } | { how: 'stays' };

const whole: HowTableMoves = { how: 'whole' };
const numbered: HowTableMoves = { how: 'numbered' };
const history = (time: string, unitMs = 1): HowTableMoves => ({ how: 'history', time, unitMs });
const hourMs = 3_600_000;

/**
 * Every table has an entry, so that a new table cannot be forgotten. The only exceptions are the account tables: see
 * `moveOf` in move-tables.ts.
 */
export const howTablesMove: Record<keyof Tables, HowTableMoves> = {
  upgrade_step: whole,
  project: whole,
  project_key: whole,
  monitor: whole,
  monitor_state: whole,
  schedule: whole,
  schedule_change: { how: 'stays' },
  region: whole,
  result: history('at'),
  recent_result: whole,
  result_slot: whole,
  result_fold: whole,
  result_detail: history('at'),
  check_hour: history('hour', hourMs),
  response_histogram: history('hour', hourMs),
  observed_hour: history('period', hourMs),
  observed_day: history('period', 24 * hourMs),
  imported_history: whole,
  status_change: numbered,
  outage: whole,
  ping: numbered,
  idempotency: whole,
  presence: whole,
  purge: whole,
  channel: whole,
  rule: whole,
  rule_monitor: whole,
  rule_channel: whole,
  alert: whole,
  delivery: whole,
  delivery_attempt: whole,
  paging_incident: whole,
  domain_registration: whole,
  incident: whole,
  incident_update: whole,
  incident_monitor: whole,
  status_page: whole,
  status_page_monitor: whole,
  plan: whole,
  account_lock: whole,
  subscription: whole,
  billing_event: whole,
  invitation: whole,
  sign_up_closed: whole,
  disabled_account: whole,
  message_budget: whole,
  address_codes: whole,
  probe_token: { how: 'whole' },
  probe: { how: 'whole' },
  // Only the database of a probe has rows in these two tables.
  probe_result: { how: 'whole' },
  probe_fact: { how: 'whole' },
  attempt_count: { how: 'stays' },
  lease: { how: 'stays' },
  certificate_file: { how: 'stays' },
  certificate_proof: { how: 'stays' },
  key_fingerprint: { how: 'stays' },
  database_move: { how: 'stays' },
  move_change: { how: 'stays' },
};
