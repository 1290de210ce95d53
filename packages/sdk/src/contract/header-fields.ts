import type * as z from 'zod';
import { channelConfigs } from './channels.ts';
import { isHeaders } from './fields.ts';
import { monitorInputs } from './monitor-fields.ts';

/** The fields of monitors and channels that hold request headers. Names that differ only in case are the same header. */
export const headerFields: ReadonlySet<string> = new Set(
  [...Object.values<z.ZodObject>(monitorInputs), ...Object.values<z.ZodObject>(channelConfigs)].flatMap(({ shape }) =>
    Object.keys(shape).filter((field) => isHeaders(shape[field] as z.ZodType)),
  ),
);
