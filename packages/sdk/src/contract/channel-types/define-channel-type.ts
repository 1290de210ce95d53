import type * as z from 'zod';
import type { Fault } from '../validate.ts';

/**
 * The messages of a channel about an outage that ended before the alarm could be sent. `each`: alarm and recovery, each
 * with its own time. `combined`: one message about both. `omit`: nothing.
 */
export type LateAlarms = 'each' | 'combined' | 'omit';

/** A gateway at the operator's cost: the mail server, or the provider of SMS and calls. */
export type GatewayKind = 'mail' | 'phone';

type FieldOf<C extends z.ZodObject> = keyof C['shape'] & string;

/**
 * Everything about a channel type except how to send. Schemas, flags, prompts, masks, limits and docs derive from it.
 */
export interface ChannelTypeDefinition<C extends z.ZodObject = z.ZodObject> {
  /** The service's name for people. */
  label: string;
  /** The fields of the config. */
  config: C;
  /** The secret fields; the API masks them. `headers.*` stands for every value in `headers`. */
  secrets: readonly (FieldOf<C> | `${FieldOf<C>}.*`)[];
  /**
   * The fields that say where the secrets are sent. A change of one requires the secrets again, so that a stored secret
   * never goes to another place.
   */
  destinations: readonly FieldOf<C>[];
  /** Rules that a schema cannot express, by field. A rule also gets values that the schema refuses. */
  rules: { readonly [F in FieldOf<C>]?: (value: unknown, path: string) => Fault[] };
  /**
   * Set where a message costs the operator, because the operator's gateway sends it to an address that anyone may name.
   * Such messages have limits, and the address may have to be confirmed.
   */
  gateway: { kind: GatewayKind; address: FieldOf<C> } | null;
  /** Whether the service keeps incidents open until they are closed. If so, it gets a message when an alert ends. */
  keepsIncidents: boolean;
  /** The form of a message about an outage that ended before its alarm. */
  lateAlarms: LateAlarms;
  /** Shown in the docs. Secrets are variables of the environment, such as `${SLACK_WEBHOOK_URL}`. */
  example: { name: string; config: z.input<C> };
  /** Markdown for docs/channels.md: the steps before the example, and what to know after it. */
  docs: { setup: string; notes?: string };
}

/** The properties that most types share. */
const usual = {
  secrets: [],
  destinations: [],
  rules: {},
  gateway: null,
  keepsIncidents: false,
  lateAlarms: 'combined',
};

type Usual = keyof typeof usual;

/** Defines a channel type. Properties that are left out have their usual value. */
export const defineChannelType = <C extends z.ZodObject>(
  definition: Omit<ChannelTypeDefinition<C>, Usual> & Partial<Pick<ChannelTypeDefinition<C>, Usual>>,
): ChannelTypeDefinition<C> => ({ ...(usual as Pick<ChannelTypeDefinition<C>, Usual>), ...definition });
