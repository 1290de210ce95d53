export type { GatewayKind } from '@uptime/sdk/contract';

/** Why a message is sent. `requested`: a user asked for the message, for example for a test or a code. */
export type MessagePurpose = 'alarm' | 'recovery' | 'reminder' | 'requested';

/**
 * The messages that a limit counts: those of a channel, a project, an account, or the whole server. `codes`: only the
 * confirmation codes of an account.
 */
export type BudgetLevel = 'channel' | 'project' | 'account' | 'server' | 'codes';

/** A limit on messages, and how much of it is used. It is a token bucket: it refills gradually, and not at midnight. */
export interface Budget {
  level: BudgetLevel;
  /** The size of the budget: this many messages may be sent at once, and as many become free again in each period. */
  maxMessages: number;
  periodMs: number;
  /** When the budget will be full again; in the past for a full budget. */
  fullAt: number;
}

export type BudgetCount =
  | {
      ok: true;
      /** `fullAt` of each budget after this message, in the order of the budgets. */
      fullAt: number[];
      /** How many more alarms may be sent now. */
      left: number;
    }
  | { ok: false; by: Budget; until: number };

/** The share of a budget that messages for each purpose may use. The remaining share is kept for alarms. */
const shares: Record<MessagePurpose, number> = { alarm: 1, recovery: 0.75, reminder: 0.5, requested: 0.5 };

/** Maximum number of confirmation codes of one account in a day, by mail and phone together. */
export const maxCodesPerDay = 30;

/** Returns how long a budget takes to get room for one more message. */
export const unitMs = ({ maxMessages, periodMs }: Pick<Budget, 'maxMessages' | 'periodMs'>): number =>
  periodMs / maxMessages;

/** Returns how much of a budget is used now, as a number of messages. The number falls as the budget refills. */
export const usedOf = (budget: Budget, now: number): number => missingMs(budget, now) / unitMs(budget);

/** Returns the time until a budget is full again. It is at most one period, even if a wrong clock has set `fullAt`. */
const missingMs = ({ fullAt, periodMs }: Budget, now: number): number => Math.min(periodMs, Math.max(0, fullAt - now));

/**
 * Counts one message in every budget. If a budget has no room, counts nothing, and returns that budget and the time
 * when it has room again (epoch milliseconds). If several budgets have no room, returns the budget with the longest
 * wait. An alarm may use all of a budget; less urgent messages leave a part of it.
 */
export function countInBudgets(budgets: readonly Budget[], purpose: MessagePurpose, now: number): BudgetCount {
  const account = budgets.find(({ level }) => level === 'account');
  const waits = budgets.flatMap((by) => {
    const waitMs = Math.max(ownWaitMs(by, purpose, now), by.level === 'server' ? fairWaitMs(by, account, now) : 0);
    return waitMs > 0 ? [{ by, until: now + Math.ceil(waitMs) }] : [];
  });
  const [first, ...others] = waits;
  if (first) return { ok: false, ...others.reduce((one, other) => (other.until > one.until ? other : one), first) };
  // `unitMs` is rounded down. If it were rounded up, the last message of a small budget would find no room.
  const fullAt = budgets.map((one) => now + missingMs(one, now) + Math.floor(unitMs(one)));
  const left = budgets.map((one, at) => Math.floor(one.maxMessages - usedOf({ ...one, fullAt: fullAt[at]! }, now)));
  return { ok: true, fullAt, left: Math.min(...left, Infinity) };
}

function ownWaitMs(budget: Budget, purpose: MessagePurpose, now: number): number {
  // The budget `codes` counts only confirmation codes, so it keeps no room for alarms.
  const share = budget.level === 'codes' ? 1 : shares[purpose];
  const room = Math.max(1, Math.floor(budget.maxMessages * share));
  return (usedOf(budget, now) + 1 - room) * unitMs(budget);
}

/**
 * Returns how long an account has to wait for the budget that all accounts share. The account may send if its
 * recent messages, with this one, are at most as many as that budget still allows. So an account that has sent little
 * may still send, even if other accounts have used most of the budget.
 */
function fairWaitMs(server: Budget, account: Budget | undefined, now: number): number {
  if (!account) return 0;
  const missing = usedOf(account, now) + 1 - (server.maxMessages - usedOf(server, now));
  // While the message waits, the budget of the server refills, and so does the budget of the account.
  return missing / (1 / unitMs(server) + 1 / unitMs(account));
}
