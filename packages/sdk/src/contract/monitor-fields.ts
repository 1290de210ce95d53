import * as z from 'zod';
import { knownOnly, patchOf } from './fields.ts';
import { commonFields } from './monitor-types/common-fields.ts';
import type { SecretPart } from './monitor-types/define-monitor-type.ts';
import { type MonitorType, monitorTypeDefinitions, monitorTypes } from './monitor-types/index.ts';

type Definitions = typeof monitorTypeDefinitions;
type Inputs = { [T in MonitorType]: Definitions[T]['input'] };
type Shape = Inputs[MonitorType]['shape'];
type FieldOf<S> = S extends unknown ? keyof S : never;
/** Every field that any type has. */
type AnyFields = { [F in FieldOf<Shape>]: Extract<Shape, Record<F, unknown>>[F] };

const definitions = Object.values(monitorTypeDefinitions);

/** The create schema of each type. */
export const monitorInputs = Object.fromEntries(definitions.map(({ type, input }) => [type, input])) as Inputs;

export const monitorInput = z
  .discriminatedUnion('type', Object.values(monitorInputs) as [Inputs[MonitorType], ...Inputs[MonitorType][]])
  .meta({ id: 'MonitorInput', description: 'Input that creates a monitor. The type decides which fields it has.' });

/**
 * Each field of any type, once. If a type has its own definition of a common field, that definition is used, because it
 * has wider limits.
 */
const anyFields = Object.assign(
  {},
  ...definitions.map(({ input }) => input.shape).toReversed(),
  ...definitions.map(({ fields }) => fields).toReversed(),
) as AnyFields;

/** The common fields with their widest limits. */
const widestCommonFields = Object.fromEntries(
  Object.keys(commonFields(0)).map((field) => [field, anyFields[field as keyof AnyFields]]),
);

/**
 * The schema of an input whose type is missing or unknown. For a field that all types share, it has the widest limits
 * of any type. It accepts any value in the fields that only some types have.
 */
export const untypedMonitorInput = z.strictObject({
  ...knownOnly(anyFields),
  ...widestCommonFields,
  type: z.enum(monitorTypes),
});

/**
 * The fields of each type that may hold a secret, each with the part that is secret. The API returns the whole fields to
 * the project. Logs and messages never contain the secrets.
 */
export const monitorSecrets = Object.fromEntries(definitions.map(({ type, secrets }) => [type, secrets])) as {
  [T in MonitorType]: Readonly<Record<string, SecretPart>>;
};

/** The fields that hold a map of names to values. */
type MapField = { [F in keyof AnyFields]: AnyFields[F] extends z.ZodDefault<z.ZodRecord> ? F : never }[keyof AnyFields];
type MapPatches = { [F in MapField]: AnyFields[F] extends z.ZodDefault<infer Map> ? MapPatch<Map> : never };
type MapPatch<Map> =
  Map extends z.ZodRecord<infer Name, infer Value>
    ? z.ZodOptional<z.ZodNullable<z.ZodRecord<Name, z.ZodNullable<Value>>>>
    : never;

/**
 * The merge patch of each map. A patch sets the given entries. Null for an entry removes it, and null for the map
 * removes all entries.
 */
const mapPatches = Object.fromEntries(
  Object.entries(anyFields).flatMap(([name, field]) => {
    const map = field instanceof z.ZodDefault ? field.unwrap() : null;
    if (!(map instanceof z.ZodRecord)) return [];
    const patch = z.record(map.keyType, map.valueType.nullable()).nullable().optional();
    const about = field.description ?? map.description;
    return [[name, patch.describe(`${about} The patch sets the given entries; null removes an entry.`)]];
  }),
) as MapPatches;

/** The fields that hold a map of names to values. Their entries are compared and changed one by one. */
export const monitorMaps = Object.keys(mapPatches);

/** A change of any fields of any type. The server also checks the fields against the type of the stored monitor. */
export const monitorPatch = patchOf(
  z.strictObject({
    ...anyFields,
    type: z.enum(monitorTypes).describe('The type cannot be changed; only its current value is accepted.'),
  }),
)
  .extend(mapPatches)
  .meta({
    id: 'MonitorPatch',
    description: 'A JSON merge patch (RFC 7396): absent fields stay unchanged, null restores the default.',
  });
