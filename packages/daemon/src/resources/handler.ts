import type { IncomingHttpHeaders } from 'node:http';
import type { allEndpoints, CheckErrorCode } from '@uptime/sdk/contract';
import type { Transaction } from 'kysely';
import type * as z from 'zod';
import type { Role } from '../core/roles.ts';
import type { CustomDomains } from '../custom-domains/custom-domains.ts';
import type { Deps } from '../deps.ts';
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

/** A long list that is read page by page while it is sent. No page is empty. */
export type Pages<Item> = AsyncIterable<readonly Item[]>;
/** The answer of a handler. If the answer is a list, the handler may return pages instead. */
type WholeOrPages<A> = A extends readonly (infer Item)[] ? A | Pages<Item> : A;

/**
 * The project that the request's credential gives access to. Endpoints with the access `project` or `owner` have it.
 */
type ProjectOf<O extends Operation> = Registry[O]['access'] extends 'project' | 'owner' ? OpenedProject : null;
/** The signed-in user. Endpoints with the access `session` or `admin` have it. */
type UserOf<O extends Operation> = Registry[O]['access'] extends 'session' | 'admin' ? User : null;

/** A request as a handler gets it: authenticated and validated. */
export interface Request<O extends Operation, Body = BodyOf<O>> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: Body;
  project: ProjectOf<O>;
  user: UserOf<O>;
  headers: IncomingHttpHeaders;
  /** Sets a header of the answer. */
  setHeader: (name: string, value: string | string[]) => void;
  /** If the request has worked for long, waits for its next turn. Call it between the pieces of long work. */
  rest: () => Promise<void>;
  /** Adds a `Link` header with the address of the next page, which begins at `cursor`. */
  nextPage: (cursor: string) => void;
  /**
   * Runs `work`, which creates something, in one transaction. If the request has an `Idempotency-Key`, that transaction
   * also stores the answer. For a key that was used before, resolves with the stored answer. But if the earlier `input`
   * was different, throws `conflict`.
   */
  create: <T>(input: unknown, work: (trx: Transaction<Tables>) => Promise<T>) => Promise<T>;
}

/** The result of a check that a user asked for. */
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
  /** Returns why the daemon cannot serve; null if it can. Does not query the store. */
  reason(): string | null;
  /** Resolves with warnings about parts of the daemon that do not work. */
  warnings(): Promise<string[]>;
  /** Returns how late the most overdue check is. */
  checkLatenessMs(): number;
  /** Returns by how much the event loop delays work. */
  loopDelayMs(): number;
}

/** Everything that handlers use besides the request. */
export interface Backend {
  store: Store;
  deps: Deps;
  version: string;
  /** The roles of this node. */
  roles: readonly Role[];
  accounts: Accounts;
  /** Returns the public address of the server, without a trailing slash. Do not call it before the server listens. */
  siteUrl(): string;
  /** The host that the CNAME of a custom domain must point at. */
  publicHost(): string;
  /**
   * Checks a monitor (by its `seq`) now, and resolves with the result. Throws `conflict` for a heartbeat and for a
   * paused monitor.
   */
  checkNow(monitor: number): Promise<CheckedNow>;
  /**
   * Returns when a monitor (by its `seq`) was last checked, in epoch milliseconds; null for never. `stored` is the time
   * in the monitor's stored state. The times of later checks may be only in memory.
   */
  lastCheckedAt: (monitor: number, stored: number | null) => number | null;
  /**
   * Returns when a monitor (by its `seq`) is due next, in epoch milliseconds. Null if the monitor has another
   * generation now, or if only the store knows this time.
   */
  nextCheckAt(monitor: number, generation: number): number | null;
  /** Returns the last report of each region of a monitor (by its `seq`). Empty while the daemon starts. */
  regionsOf(monitor: number, state: StoredState, intervalMs: number): RegionReport[];
  /** Resolves when the results of all checks that have ended are stored, so that a read shows them. */
  resultsSettled(): Promise<void>;
  health: HealthReport;
  /** Throws `unavailable` while the data moves to PostgreSQL. Call it before every write except pings. */
  refuseWrites(): void;
  /** Resolves with whether the credential of a request belongs to the operator. */
  isOperator: IsOperator;
  /** Reads the statistics of a monitor (by its `seq`) for the time before `now` (epoch milliseconds). */
  readStats: (monitor: number, now: number) => Promise<AnswerOf<'getStats'>>;
  /** The payment provider; null if this server charges nothing. */
  billing: Billing;
  /** Decides the plan whose limits apply to an account. */
  plans: PlanRules;
  /** Resolves with the number of checks of a project that run now (`inFlight`) and that wait for a slot (`waiting`). */
  checksOf: (project: string) => Promise<{ inFlight: number; waiting: number }>;
  /** Encrypts and decrypts the configs of channels, and sends messages through channels. */
  notifier: Notifier;
  /**
   * How many messages may be sent through the operator's gateways, and whether an address has to be confirmed before it
   * gets messages.
   */
  messageRules: AddressRules;
  /** Returns the digest of a request that has an Idempotency-Key. It is keyed with the server's secret. */
  digestRequest: (text: string) => string;
  /** Encrypts stored answers that contain a key which the API shows only once. */
  seal: Seal;
  /** Records that an API key was used. */
  noteKeyUse: NoteKeyUse;
  /** Encrypts and decrypts the secrets of monitors. */
  vault: MonitorVault;
  /** The part of the daemon that serves status pages on their owners' domains. */
  domains: Pick<CustomDomains, 'pageAt' | 'proofOf' | 'stateOf' | 'look' | 'isOwn' | 'proofsOf'>;
  /** Aborted when the daemon stops, so that waits for other servers end. */
  stopping: AbortSignal;
}

export type Handler<O extends Operation, Body = BodyOf<O>> = (
  request: Request<O, Body>,
  backend: Backend,
) => Promise<WholeOrPages<AnswerOf<O>>>;

/** A handler that validates the request's body itself, because the schema cannot express all rules. */
export interface OwnValidation<O extends Operation> {
  validatesBody: true;
  handle: Handler<O, unknown>;
}

/** The operations that have a handler here. Operations with `ownRoute` have a route in the folder http instead. */
type Handled = { [O in Operation]: Registry[O] extends { ownRoute: true } ? never : O }[Operation];

/** One handler for each operation in `Handled`. The compiler reports a missing handler. */
export type AllHandlers = { [O in Handled]: Handler<O> | OwnValidation<O> };

/** The handlers of some operations, such as those of one resource. */
export type Handlers = { [O in Operation]?: Handler<O> | OwnValidation<O> };
