import type * as z from 'zod';
import type { Fault } from '../validate.ts';

/**
 * The messages of a channel about an outage that ended before the alarm could be sent. `each`: alarm and recovery, each
 * with its own time. `combined`: one message about both. `omit`: nothing.
 */
export type LateAlarms = 'each' | 'combined' | 'omit';

/** A gateway whose messages the operator pays for: the mail server, or the provider of SMS and calls. */
export type GatewayKind = 'mail' | 'phone';

type FieldOf<C extends z.ZodObject> = keyof C['shape'] & string;

/**
 * Everything about a channel type except how to send. Schemas, flags, prompts, masks, limits and docs derive from it.
 */
export interface ChannelTypeDefinition<C extends z.ZodObject = z.ZodObject> {
  /** The name of the service, as people write it. */
  label: string;
  /** The fields of the config. */
  config: C;
  /** The secret fields; the API masks them. `headers.*` stands for every value in `headers`. */
  secrets: readonly (FieldOf<C> | `${FieldOf<C>}.*`)[];
  /**
   * The fields that say where the secrets are sent. A change of such a field requires the secrets again, so that a
   * stored secret never goes to another place.
   */
  destinations: readonly FieldOf<C>[];
  /** Rules that a schema cannot express, by field. A rule also gets values that the schema refuses. */
  rules: { readonly [F in FieldOf<C>]?: (value: unknown, path: string) => Fault[] };
  /**
   * Not null if the operator's gateway sends the messages. Users may enter any address, and each message costs the
   * operator money. So the number of messages is limited, and the address may have to be confirmed.
   */
  gateway: { kind: GatewayKind; address: FieldOf<C> } | null;
  /**
   * Whether the service keeps incidents open until they are closed. Such a service gets a message when an alert ends.
   */
  keepsIncidents: boolean;
  /** Which messages are sent about an outage that ended before its alarm could be sent. */
  lateAlarms: LateAlarms;
  /** Shown in the docs. Secrets are variables of the environment, such as `${SLACK_WEBHOOK_URL}`. */
  example: { name: string; config: z.input<C> };
  /** Markdown for docs/channels.md: the steps before the example, and what to know after it. */
  docs: { setup: string; notes?: string };
}

/** The values that most types have for these properties. */
const usual = {
  secrets: [],
  destinations: [],
  rules: {},
  gateway: null,
  keepsIncidents: false,
  lateAlarms: 'combined',
};

type Usual = keyof typeof usual;

/** Returns the definition of a channel type. Properties that are left out get their value from {@link usual}. */
export const defineChannelType = <C extends z.ZodObject>(
  definition: Omit<ChannelTypeDefinition<C>, Usual> & Partial<Pick<ChannelTypeDefinition<C>, Usual>>,
): ChannelTypeDefinition<C> => ({ ...(usual as Pick<ChannelTypeDefinition<C>, Usual>), ...definition });
