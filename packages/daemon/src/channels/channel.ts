import type { BlockList, LookupFunction } from 'node:net';
import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { GatewayKind } from '../core/message-budget.ts';
import type { LateAlarms } from '../core/message-form.ts';
import type { Clock } from '../deps.ts';
import type { Notice } from './notice.ts';

/** One message to be sent. */
export interface Message {
  /** The delivery's id: the same at every attempt, so that a receiver can tell a repetition. */
  id: string;
  notice: Notice;
  /** Where a person reads more. */
  link: string;
}

/** How an attempt ended. `text` is what the provider said, at most 200 characters, without secrets. */
export type Sent =
  | { ok: true; status: number | null; text: string }
  | {
      ok: false;
      /** False: it would fail in the same way again. */
      retry: boolean;
      /** Milliseconds for which the provider asked to be left alone. */
      retryAfter: number | null;
      status: number | null;
      text: string;
    };

/** Where the operator's gateways and the providers are; see the settings of the same names. */
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

/** What all channels of a process share. */
export interface ChannelContext {
  clock: Clock;
  gateways: Gateways;
  /** Addresses that are never connected to. */
  blockList: BlockList;
  /** Looks names up without the pool that one hung lookup would hold up. */
  lookup: LookupFunction;
  userAgent: string;
  /** Ends an attempt at once: the daemon stops. */
  signal?: AbortSignal;
}

/** A way to reach people. */
export interface Channel<T extends ChannelType> {
  /**
   * Set where a message costs the operator, because it goes through a gateway of theirs to an address that anyone may
   * name. Such messages have limits, and the address may have to be confirmed.
   */
  gateway?: { kind: GatewayKind; addressOf: (config: ChannelConfig<T>) => string };
  /** It keeps an alarm open until it is told that it is over, so that it is told whatever the reason. */
  closes?: true;
  /** What it is sent about an outage that was over before its alarm could be sent. Default: one message that says both. */
  late?: LateAlarms;
  /**
   * Sends a message once; never throws. A provider has 15 s for each form of the message. A mail server has longer, see
   * `limits` in smtp-deadline.ts.
   */
  send(config: ChannelConfig<T>, message: Message, context: ChannelContext): Promise<Sent>;
}
