import * as z from 'zod';
import {
  type MonitorType,
  type MonitorTypeDefinition,
  monitorType,
  type monitorTypeDefinitions,
  monitorTypes,
} from './index.ts';
import { readOnlyFields, stateFields } from './read-only-fields.ts';

type Definitions = typeof monitorTypeDefinitions;
type InputShape<T extends MonitorType> = Definitions[T]['input']['shape'];

/** The fields in a response: every default is filled in, and labels and lists are never null. */
type ReadShape<T extends MonitorType> = {
  [F in keyof InputShape<T>]: InputShape<T>[F] extends z.ZodDefault<infer Inner>
    ? F extends 'regions'
      ? z.ZodArray<z.ZodString>
      : Inner
    : InputShape<T>[F];
} & typeof stateFields &
  Pick<typeof readOnlyFields, Definitions[T]['readOnly'][number]>;

/** The schema of each type's monitors in a response. */
export const monitorReads = Object.fromEntries(monitorTypes.map((type) => [type, readSchemaOf(monitorType(type))])) as {
  [T in MonitorType]: z.ZodObject<ReadShape<T>>;
};

function readSchemaOf({ type, input, readOnly }: MonitorTypeDefinition): z.ZodObject {
  const title = type.charAt(0).toUpperCase() + type.slice(1);
  const own = Object.fromEntries(readOnly.map((field) => [field, readOnlyFields[field]]));
  return z.object({ ...filled(input.shape), ...stateFields, ...own }).meta({ id: `${title}Monitor` });
}

/** Removes the defaults of fields, and keeps their descriptions. */
function filled(fields: z.ZodRawShape): Record<string, z.ZodType> {
  const shape: Record<string, z.ZodType> = {};
  for (const [field, type] of Object.entries(fields)) {
    const bare = type instanceof z.ZodDefault ? (type.unwrap() as z.ZodType) : (type as z.ZodType);
    const value = field === 'regions' ? (bare as z.ZodNullable<z.ZodType>).unwrap() : bare;
    const { description } = type as z.ZodType;
    shape[field] = description === undefined ? value : value.describe(description);
  }
  return shape;
}
