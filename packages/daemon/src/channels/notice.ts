import type { CheckError, Trigger } from '@uptime/sdk/contract';
import type { ResolveReason } from '../core/alerts.ts';

/** The event that a message reports. A webhook's body has the same names in its field `event`. */
export type NoticeEvent = Trigger | 'monitor_up' | 'test';

/**
 * The content of a message. The outbox stores it at the time of the event, so that the message can be sent even if the
 * monitor and the rule are deleted meanwhile. If the monitor and the rule still exist, they are read again when the
 * message is sent.
 */
export interface Notice {
  /**
   * `close` closes an incident at a paging service if no recovery is sent. For example, the monitor was paused, or the
   * rule sends no recoveries. Other channels get no message then. `code` asks the owner of an address to confirm it.
   */
  kind: 'alarm' | 'reminder' | 'recovery' | 'close' | 'test' | 'code';
  event: NoticeEvent;
  /** The alert's id. A recovery has the same id as its alarm. */
  alert: string;
  /** The rule's name. */
  rule: string;
  monitor: {
    id: string;
    name: string;
    /** The address: a URL, or the host, with its port if it has one; empty for a heartbeat. */
    url: string;
  };
  /** When the event happened. */
  at: number;
  /** When the fault began. */
  since: number;
  /**
   * Set in an alarm that could not be sent before its outage ended. The message then reports the outage and how it
   * ended.
   */
  ended?: { at: number; reason: ResolveReason };
  /**
   * A sentence which tells the receiver that a limit holds back further messages for now. Set only in the last message
   * that the limit allows.
   */
  limited?: string;
  /** The six digits of a notice of the kind `code`. */
  code?: string;
  /** The reason in plain words; null for a recovery and for `close`. */
  error: CheckError | { code: Trigger; message: string } | null;
  /** The names of the regions by verdict, if several regions check the monitor. `unknown` has silent regions. */
  regions?: { failed: string[]; passed: string[]; unknown: string[] };
  /** Details of the check; zeros if the target did not respond. `responseTime` is in milliseconds. */
  details: { statusCode: number; responseTime: number; region: string };
}

/** The details if there is no recent check. */
export const nothingSeen: Notice['details'] = { statusCode: 0, responseTime: 0, region: '' };
