import * as z from 'zod';
import type { Fault } from '../validate.ts';
import { type CommonFields, commonFields } from './common-fields.ts';

/** The read-only fields that only some types have. Each type selects some of them. Schemas: `read-only-fields.ts`. */
export type ReadOnlyField = 'secretsError' | 'certificate' | 'domain' | 'pingUrl' | 'lastPingAt';

/**
 * The part of a field that is secret. `whole`: the whole value. `values`: every value of a map, but not its names.
 * `credentials`: only the credentials in an address, and the tokens in its query.
 */
export type SecretPart = 'whole' | 'values' | 'credentials';

/**
 * The parts of a monitor type. `Own` are the input fields that this type has in addition to the common fields, and the
 * common fields for which it has other limits.
 */
export interface MonitorTypeParts<
  Type extends string,
  Mode extends 'active' | 'passive',
  Own extends z.ZodRawShape,
  ReadOnly extends ReadOnlyField,
  ErrorCode extends string,
> {
  type: Type;
  /** The condition that a check verifies, in words for a list of choices: `a port accepts connections`. */
  label: string;
  /** `active`: the daemon contacts the target. `passive`: the daemon waits for pings. */
  mode: Mode;
  /** The default timeout of a check. */
  timeoutSeconds: number;
  fields: Own;
  readOnly: readonly ReadOnly[];
  /**
   * For each own field: true if the field decides what a check examines. An edit of a field with `true` restarts the
   * count of failures.
   */
  target: Record<keyof Own, boolean>;
  /** The own fields that may hold a secret. For each of them: the part that is secret. */
  secrets: Readonly<Partial<Record<keyof Own, SecretPart>>>;
  /**
   * The codes of failures that only this type has, each with its number in stored results. A number never changes.
   * The codes that several types share are in `check-results.ts`.
   */
  errorCodes: Readonly<Record<ErrorCode, number>>;
  /**
   * Rules of single fields that a schema cannot express. A rule gets only values that the schema accepts, never null.
   */
  rules?: { [F in keyof Own]?: (value: NonNullable<z.output<Own[F]>>, path: string) => Fault[] };
  /** Finds faults that concern several fields together. Gets only the fields in which no other fault was found. */
  rulesTogether?(fields: Partial<FilledFields<Type, Own>>): Fault[];
  /** The address that messages show. Callers remove credentials from it. Empty for a type without a target. */
  address(fields: FilledFields<Type, Own>): string;
  /** The address that lists show, if it has more details than the address in messages. */
  addressInLists?(fields: FilledFields<Type, Own>): string;
  /** The host of the target, or null. The daemon watches the expiry date of this host's domain. */
  host(fields: FilledFields<Type, Own>): string | null;
  /** How long a passive monitor may be silent. */
  silenceMs?(fields: FilledFields<Type, Own>): number;
  /** Whether the target has a certificate. The alert opens `thresholdDays` days before the certificate expires. */
  certificate?: {
    isExpected(fields: FilledFields<Type, Own>): boolean;
    thresholdDays(fields: FilledFields<Type, Own>): number;
  };
  /** The settings about the expiry of the target's domain. A type without these settings uses the default threshold. */
  domain?: {
    thresholdDays(fields: FilledFields<Type, Own>): number;
    /** The expiry date that the owner of the monitor set, or null. It overrides the date of the registry. */
    expiresOn(fields: FilledFields<Type, Own>): string | null;
  };
  /** The own fields of a valid input. Tests create a monitor with them, so its target must be on this machine. */
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
