import type { CheckError, MonitorType, Trigger } from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';

/** What happened, as the webhook's `event` names it. */
export type NoticeEvent = Trigger | 'monitor_up' | 'test';

/**
 * What a channel is asked to say. The outbox keeps it as of the event, so that it can be said also when monitor and rule
 * were deleted meanwhile; what is still there is read anew when the message is sent. Times are epoch milliseconds.
 */
export interface Notice {
  /**
   * `close` ends an alarm at a paging service without a recovery: the monitor was paused, deleted, or is no longer watched.
   * `code` asks whoever has the address to confirm it.
   */
  kind: 'alarm' | 'reminder' | 'recovery' | 'close' | 'test' | 'code';
  event: NoticeEvent;
  /** The alert's id: what a recovery has in common with its alarm. */
  alert: string;
  /** The rule's name. */
  rule: string;
  monitor: {
    id: string;
    name: string;
    type: MonitorType;
    /** The address; host, with port where it has one; empty for a heartbeat. */
    url: string;
  };
  /** When it happened. */
  at: number;
  /** When the fault began. */
  since: number;
  /** Set in an alarm that could not be sent before its outage was over: the message says both. */
  ended?: { at: number; reason: ResolveReason };
  /** Set in the last message that a limit lets pass for now: says so. */
  limited?: string;
  /** Of the kind `code`: the six digits. */
  code?: string;
  /** Why, in plain words; null for a recovery. */
  error: CheckError | { code: Trigger; message: string } | null;
  /** What the check saw; zeros where there was no response. */
  details: { statusCode: number; responseTime: number; region: string };
}

/** The details where no check has just been made. */
export const nothingSeen: Notice['details'] = { statusCode: 0, responseTime: 0, region: '' };
