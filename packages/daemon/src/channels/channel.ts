import type { BlockList, LookupFunction } from 'node:net';
import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { GatewayKind } from '../core/message-budget.ts';
import type { LateAlarms } from '../core/message-form.ts';
import type { Clock } from '../deps.ts';
import type { Notice } from './notice.ts';

/** One message to send. */
export interface Message {
  /** The delivery's id. It is the same at every attempt, so that a receiver can recognize a repetition. */
  id: string;
  notice: Notice;
  /** The link to the page with more. */
  link: string;
}

/** How an attempt ended. `text` is the provider's answer without secrets, at most 200 characters. */
export type Sent =
  | { ok: true; status: number | null; text: string }
  | {
      ok: false;
      /** False means that it would fail in the same way again. */
      retry: boolean;
      /** Time that the provider asked to wait. */
      retryAfterMs: number | null;
      status: number | null;
      text: string;
    };

/** Addresses of the operator's gateways and of the providers; see the settings of the same names. */
export interface Gateways {
  smtpUrl: string | null;
  mailFrom: string | null;
  twilioUrl: string;
  twilioAccountSid: string | null;
  twilioAuthToken: string | null;
  twilioFrom: string | null;
  telegramUrl: string;
  pagerdutyUrl: string;
  opsgenieUrl: string | null;
  pushoverUrl: string;
}

/** The context that all channels of a process share. */
export interface ChannelContext {
  clock: Clock;
  gateways: Gateways;
  /** Addresses that are never connected to. */
  blockList: BlockList;
  /** Looks names up without the thread pool, which one hung look-up could block. */
  lookup: LookupFunction;
  userAgent: string;
  /** Ends an attempt at once when the daemon stops. */
  signal?: AbortSignal;
}

/** A way to reach people or programs. */
export interface Channel<T extends ChannelType> {
  /**
   * Set where a message costs the operator, because it goes through a gateway of theirs to an address that anyone may
   * name. Such messages have limits, and the address may have to be confirmed.
   */
  gateway?: { kind: GatewayKind; addressOf: (config: ChannelConfig<T>) => string };
  /** Whether it keeps incidents open until they are closed. Then it gets every end, whatever the reason. */
  closes?: true;
  /** Its messages about an outage that ended before its alarm could be sent. Default: one message that says both. */
  late?: LateAlarms;
  /**
   * Sends a message once. Never throws. A provider has 15 s for each form of the message. A mail server has longer, see
   * `limits` in smtp-deadline.ts.
   */
  send(config: ChannelConfig<T>, message: Message, context: ChannelContext): Promise<Sent>;
}
