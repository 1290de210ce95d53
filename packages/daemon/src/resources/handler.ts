import type { IncomingHttpHeaders } from 'node:http';
import type { allEndpoints, CheckErrorCode } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type * as z from 'zod';
import type { Role } from '../core/roles.ts';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Deps } from '../deps.ts';
import type { ServiceError } from '../errors.ts';
import type { Billing } from '../billing/index.ts';
import type { PlanRules } from '../plans/account-plan.ts';
import type { Notifier } from '../alerting/notifier.ts';
import type { AddressRules } from '../alerting/message-rules.ts';
import type { MonitorVault } from '../stored-monitors/monitor-vault.ts';
import type { RegionReport } from '../core/region-reports.ts';
import type { StoredState } from '../store/monitor-state-row.ts';
import type { Store } from '../store/store.ts';
import type { Seal } from '../store/seal.ts';
import type { Tables } from '../store/tables.ts';
import type { Accounts, User } from './accounts.ts';
import type { IsOperator } from './operator.ts';
import type { NoteKeyUse } from './project-keys/note-key-use.ts';
import type { OpenedProject } from './project-keys/opened-project.ts';

type Registry = typeof allEndpoints;

/** The operation ids of the contract. */
export type Operation = keyof Registry;

type Field<O extends Operation, F extends string, Else> = Registry[O] extends { [K in F]: infer V } ? V : Else;
type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type ParamName<P> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

export type ParamsOf<O extends Operation> = Record<ParamName<Registry[O]['path']>, string>;
export type QueryOf<O extends Operation> = Parsed<Field<O, 'query', undefined>>;
export type BodyOf<O extends Operation> = Parsed<Field<O, 'body', undefined>>;
export type AnswerOf<O extends Operation> = Registry[O]['response'] extends z.ZodType
  ? z.output<Registry[O]['response']>
  : void;

/** A long list that is read while it is sent. It has no empty pages. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;
/** A handler of a list may return it in pages. */
type WholeOrPages<A> = A extends readonly (infer Item)[] ? A | Pages<Item> : A;

/** The project that the credential opens; present for the accesses `project` and `owner`. */
type ProjectOf<O extends Operation> = Registry[O]['access'] extends 'project' | 'owner' ? OpenedProject : null;
/** The signed-in user; present for the accesses `session` and `admin`. */
type UserOf<O extends Operation> = Registry[O]['access'] extends 'session' | 'admin' ? User : null;

/** A request as a handler sees it: authenticated and validated. */
export interface Request<O extends Operation, Body = BodyOf<O>> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: Body;
  project: ProjectOf<O>;
  user: UserOf<O>;
  headers: IncomingHttpHeaders;
  /** Sets a header of the answer. */
  setHeader: (name: string, value: string | string[]) => void;
  /** Sets the start of the next page, in a `Link` header. */
  nextPage: (cursor: string) => void;
  /**
   * Runs the creating work in one transaction. With an `Idempotency-Key`, that transaction also stores the answer. A
   * repeated key gets the stored answer if its `input` is the same, and otherwise throws `conflict`.
   */
  create: <T>(input: unknown, work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;
}

/** The result of a check on request. Times are epoch milliseconds. */
export interface CheckedNow {
  status: 'up' | 'down' | 'internal';
  checkedAt: number;
  region: string;
  responseTime: number | null;
  statusCode: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  timings: Record<'dns' | 'connect' | 'tls' | 'firstByte' | 'download', number | null> | null;
  trace: { at: number; event: string }[];
}

export interface HealthReport {
  /** Why the daemon cannot serve; null if it can. It never queries the store. */
  reason(): string | null;
  /** Warnings about what works only in part. */
  warnings(): Promise<string[]>;
  /** How late the most overdue check is. */
  checkLatenessMs(): number;
  /** How long the event loop keeps work waiting. */
  loopDelayMs(): number;
}

/** The dependencies of the handlers. */
export interface Backend {
  store: Store;
  deps: Deps;
  version: string;
  /** The roles of this node. */
  roles: readonly Role[];
  accounts: Accounts;
  /** `{site_url}`, without a trailing slash. Known once the server listens. */
  siteUrl(): string;
  /** The host that the CNAME of a custom domain must point at. */
  publicHost(): string;
  /** Checks a monitor (by its `seq`) now. Throws `conflict` for a heartbeat and for a paused monitor. */
  checkNow(monitor: number): Promise<CheckedNow>;
  /** When a monitor (by its `seq`) was last checked, in epoch milliseconds, given the time `stored` in its state. */
  lastCheckedAt: (monitor: number, stored: number | null) => number | null;
  /** When this version of a monitor (by its `seq`) is due next, in epoch milliseconds; null if only the store knows. */
  nextCheckAt(monitor: number, generation: number): number | null;
  /** The last report of each region of a monitor (by its `seq`). Empty while the daemon starts. */
  regionsOf(monitor: number, state: StoredState, intervalMs: number): RegionReport[];
  /** Stores the results of checks that have ended, so that a read shows them. */
  resultsSettled(): Promise<void>;
  health: HealthReport;
  /** Why only pings may be written now, or null. */
  refusalOfWrites(): ServiceError | null;
  /** Whether a request carries a credential of the operator. */
  isOperator: IsOperator;
  /** Reads the statistics of a monitor (by its `seq`) as of `now`, in epoch milliseconds. */
  readStats: (monitor: number, now: number) => Promise<AnswerOf<'getStats'>>;
  /** The payment provider; null if nothing is charged or limited. */
  billing: Billing;
  /** Which plans limit accounts. */
  plans: PlanRules;
  /** The checks of a project that run or wait in this process now. */
  checksOf: (project: string) => Promise<{ inFlight: number; waiting: number }>;
  /** Keeps channels' configs secret, and sends through them. */
  notifier: Notifier;
  /** How many messages may be sent through the operator's gateways, and whether addresses are confirmed first. */
  messageRules: AddressRules;
  /** Makes a digest of a request with an Idempotency-Key, with the server's secret as the key. */
  digestRequest: (text: string) => string;
  /** Encrypts what an answer shows only once. */
  seal: Seal;
  /** Records the use of a key. */
  noteKeyUse: NoteKeyUse;
  /** Encrypts and decrypts the secrets of monitors. */
  vault: MonitorVault;
  /** Status pages on their owners' domains. */
  domains: Pick<CustomDomains, 'pageAt' | 'proofOf' | 'stateOf' | 'look' | 'isOwn' | 'proofsOf'>;
  /** Aborted when the daemon stops, so that waits for the outside world end. */
  stopping: AbortSignal;
}

export type Handler<O extends Operation, Body = BodyOf<O>> = (
  request: Request<O, Body>,
  backend: Backend,
) => Promise<WholeOrPages<AnswerOf<O>>>;

/** A handler that validates its body itself, because its rules go beyond the schema. */
export interface OwnValidation<O extends Operation> {
  validatesBody: true;
  handle: Handler<O, unknown>;
}

/** The operations that have a handler: all without a route of their own. */
type Handled = { [O in Operation]: Registry[O] extends { ownRoute: true } ? never : O }[Operation];

/** One handler for each of these operations. The compiler reports a missing one. */
export type AllHandlers = { [O in Handled]: Handler<O> | OwnValidation<O> };

/** One handler for each operation that is implemented. */
export type Handlers = { [O in Operation]?: Handler<O> | OwnValidation<O> };
