import type { BlockList, LookupFunction } from 'node:net';
import type { ChannelConfig, ChannelType } from '@uptime/sdk/contract';
import type { Clock } from '../deps.ts';
import type { Notice } from './notice.ts';

/** One message to send. */
export interface Message {
  /** The delivery's id. It is the same at every attempt, so that a receiver can recognize a repetition. */
  id: string;
  notice: Notice;
  /** The address of the alert's page, or of the site. */
  link: string;
}

/**
 * How an attempt ended. `text` is the provider's answer, or the reason of a failure. It contains no secrets, and has at
 * most 200 characters.
 */
export type Sent =
  | { ok: true; status: number | null; text: string }
  | {
      ok: false;
      /** Whether another attempt may succeed. */
      retry: boolean;
      /** How long the provider asked to wait; null if it did not. */
      retryAfterMs: number | null;
      status: number | null;
      text: string;
      /** Set if the message may have arrived, although no answer confirms this. The limits then count the message. */
      mayHaveArrived?: true;
    };

/** Whether a failed message certainly did not arrive. If so, the limits do not count it. */
export const surelyNotSent = (sent: Sent): boolean => !sent.ok && sent.mayHaveArrived !== true;

/** Addresses and credentials of gateways and providers. Each field has the name of its setting. */
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
  /** Addresses that channels never connect to. */
  blockList: BlockList;
  /** Looks up names without the thread pool, because one hung look-up could block that pool. */
  lookup: LookupFunction;
  userAgent: string;
  /** Ends an attempt at once when the daemon stops. */
  signal?: AbortSignal;
}

/** Sends messages to channels of one type. The contract defines the other properties of the type. */
export interface Channel<T extends ChannelType> {
  /**
   * Sends a message once. Never throws. A provider has 15 s to answer the rich form of the message. If it refuses this
   * form, it has 15 s more to answer the plain form. A mail server has longer: see `limits` in smtp-deadline.ts.
   */
  send(config: ChannelConfig<T>, message: Message, context: ChannelContext): Promise<Sent>;
}
