import * as z from 'zod';
import { webAddress } from '../fields.ts';
import { addressFaults, headerFaults } from '../request-rules.ts';
import type { Fault } from '../validate.ts';

/** An http or https address. Use it together with {@link addressRule}. */
export const address = (what: string) => webAddress.describe(what);

/** A key or token. It goes into headers and addresses unchanged. */
export const token = (what: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{1,2000}$/, { error: 'must be 1 to 2000 visible ASCII characters without spaces' })
    .describe(`${what} Masked when read.`);

/** The rule of an {@link address}. */
export const addressRule = (value: unknown, path: string): Fault[] =>
  typeof value === 'string' ? addressFaults(path, value) : [];

/** The rule of request headers. */
export const headersRule = (value: unknown, path: string): Fault[] =>
  typeof value === 'object' && value !== null ? headerFaults(path, { ...value }) : [];
