import {
  type Budget,
  type BudgetLevel,
  type GatewayKind,
  maxCodesPerDay,
  type MessagePurpose,
  usedOf,
} from '../../core/message-budget.ts';
import { dayMs, hourMs } from '../../core/uptime.ts';

/** How many messages may be sent through the operator's gateways. Null means no limit. The operator sets the limits. */
export interface MessageLimits {
  /** Maximum number of messages through one channel in an hour. */
  channelPerHour: number | null;
  perDay: Record<'project' | 'account' | 'server', Record<GatewayKind, number | null>>;
}

const none = { mail: null, phone: null };
export const noMessageLimits: MessageLimits = {
  channelPerHour: null,
  perDay: { project: none, account: none, server: none },
};

/** The sender of a message: the ids of its channel, project and account. */
export interface Sender {
  channel: string;
  project: string;
  account: string;
}

/** Why something is sent: the purpose of a message, or `code` for a confirmation code. */
export type Purpose = MessagePurpose | 'code';

/** A limit against which a message is counted. `owner` is the key under which the count is stored. */
export interface OwnedLimit extends Omit<Budget, 'fullAt'> {
  owner: string;
}

/**
 * Returns the limits against which a message is counted. The order is always the same, so that two transactions never
 * wait for each other's locks.
 */
export function limitsFor(
  { channelPerHour, perDay }: MessageLimits,
  { kind, purpose, sender }: { kind: GatewayKind; purpose: Purpose; sender: Sender },
): OwnedLimit[] {
  const all: [level: BudgetLevel, owner: string, maxMessages: number | null, periodMs: number][] = [
    ['server', 'server', perDay.server[kind], dayMs],
    ['account', `account ${sender.account}`, perDay.account[kind], dayMs],
    ['project', `project ${sender.project}`, perDay.project[kind], dayMs],
    ['channel', `channel ${sender.channel}`, channelPerHour, hourMs],
    ['codes', `codes ${sender.account}`, purpose === 'code' ? maxCodesPerDay : null, dayMs],
  ];
  return all.flatMap(([level, owner, maxMessages, periodMs]) =>
    maxMessages === null ? [] : [{ level, owner, maxMessages, periodMs }],
  );
}

const messages: Record<GatewayKind, string> = { mail: 'mails', phone: 'SMS and calls' };
const places: Record<Exclude<BudgetLevel, 'codes'>, string> = {
  channel: 'one channel',
  project: 'one project',
  account: 'one account',
  server: 'this server',
};

/** Returns the name of a limit, such as `the limit of 50 SMS and calls a day for one project`. */
export function limitName({ level, maxMessages }: Pick<Budget, 'level' | 'maxMessages'>, kind: GatewayKind): string {
  if (level === 'codes') return `the limit of ${maxMessages} confirmation codes a day for one account`;
  const things = level === 'channel' ? 'messages an hour' : `${messages[kind]} a day`;
  return `the limit of ${maxMessages} ${things} for ${places[level]}`;
}

/** Returns how much of a limit is used at `now` (epoch milliseconds), in messages, rounded up. */
export const usedOfLimit = (by: Budget, now: number): number => Math.min(by.maxMessages, Math.ceil(usedOf(by, now)));

/** Returns a time (epoch milliseconds) as text, rounded up to the minute, such as `2026-01-31 08:00 UTC`. */
export const minuteOf = (until: number): string =>
  `${new Date(Math.ceil(until / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
