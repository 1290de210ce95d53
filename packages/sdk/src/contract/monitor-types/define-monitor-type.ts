import * as z from 'zod';
import type { Fault } from '../validate.ts';
import { type CommonFields, commonFields } from './common-fields.ts';

/** Fields of a response that only some types have. Each type picks its own. `read-only-fields.ts` has their schemas. */
export type ReadOnlyField = 'secretsError' | 'certificate' | 'domain' | 'pingUrl' | 'lastPingAt';

/** The parts of a monitor type. `Own` are the input fields that the type adds to the common ones, or narrows. */
export interface MonitorTypeParts<
  Type extends string,
  Mode extends 'active' | 'passive',
  Own extends z.ZodRawShape,
  ReadOnly extends ReadOnlyField,
  ErrorCode extends string,
> {
  type: Type;
  /** The condition that a check verifies, as a choice in a list: `a port accepts connections`. */
  label: string;
  /** `active`: the daemon contacts the target. `passive`: the daemon waits for pings. */
  mode: Mode;
  /** The default timeout of a check. */
  timeoutSeconds: number;
  fields: Own;
  readOnly: readonly ReadOnly[];
  /** Whether each own field decides what the check examines. An edit of such a field restarts the count of failures. */
  target: Record<keyof Own, boolean>;
  /** Fields that may hold a secret. `headers.*` stands for every value in `headers`; in `url`, only the credentials. */
  secrets: readonly (keyof Own | `${string & keyof Own}.*`)[];
  /**
   * The codes of failures that only this type has. Each has the number that stands for it in stored results, so a
   * number never changes. `check-results.ts` has the codes of several types.
   */
  errorCodes: Readonly<Record<ErrorCode, number>>;
  /** Rules of single fields that a schema cannot express. They get values that the schema accepts, and never null. */
  rules?: { [F in keyof Own]?: (value: NonNullable<z.output<Own[F]>>, path: string) => Fault[] };
  /** Rules about several fields together. They get only the fields without other faults. */
  rulesTogether?(fields: Partial<FilledFields<Type, Own>>): Fault[];
  /** The address in messages. Callers remove its credentials. Empty for a type without a target. */
  address(fields: FilledFields<Type, Own>): string;
  /** The address in lists, if lists show more than messages. */
  addressInLists?(fields: FilledFields<Type, Own>): string;
  /** The host whose domain is watched, or null. */
  host(fields: FilledFields<Type, Own>): string | null;
  /** How long a passive monitor may be silent. */
  silenceMs?(fields: FilledFields<Type, Own>): number;
  /** The certificate of the target: whether it has one, and how long before its end the alert fires. */
  certificate?: {
    isExpected(fields: FilledFields<Type, Own>): boolean;
    thresholdDays(fields: FilledFields<Type, Own>): number;
  };
  /** The settings about the expiry of the target's domain. A type without them uses the default threshold. */
  domain?: {
    thresholdDays(fields: FilledFields<Type, Own>): number;
    /** The date that the owner sets, or null. It overrides what the registry says. */
    expiresOn(fields: FilledFields<Type, Own>): string | null;
  };
  /** The own fields of a valid input. Tests create this monitor, so its target must be on this machine. */
  sample: z.input<z.ZodObject<Own>>;
  /** Inputs for `examples/all-types`. Together they have every own field. */
  examples: readonly (z.input<z.ZodObject<Own>> & Record<string, unknown>)[];
}

type InputShape<Type extends string, Own extends z.ZodRawShape> = { type: z.ZodLiteral<Type> } & Omit<
  CommonFields,
  keyof Own
> &
  Own;

/** A monitor's fields with their defaults filled in. */
type FilledFields<Type extends string, Own extends z.ZodRawShape> = z.output<
  z.ZodObject<InputShape<Type, Own>, z.core.$strict>
>;

/** Defines a type of monitor. Its schemas, its texts and its tables in the docs derive from the definition. */
export function defineMonitorType<
  const Type extends string,
  const Mode extends 'active' | 'passive',
  Own extends z.ZodRawShape,
  const ReadOnly extends ReadOnlyField,
  const ErrorCode extends string,
>(parts: MonitorTypeParts<Type, Mode, Own, ReadOnly, ErrorCode>) {
  const title = parts.type.charAt(0).toUpperCase() + parts.type.slice(1);
  const shape = { type: z.literal(parts.type), ...commonFields(parts.timeoutSeconds), ...parts.fields } as InputShape<
    Type,
    Own
  >;
  return {
    ...parts,
    /** The schema of the input that creates a monitor. */
    input: z.strictObject(shape).meta({ id: `${title}MonitorInput` }),
  };
}
