import * as z from 'zod';
import { fieldFacts, webAddress } from '../fields.ts';
import { addressFaults, headerFaults } from '../request-rules.ts';
import type { Fault } from '../validate.ts';

/** An http or https address. Use it together with {@link addressRule}. */
export const address = (what: string) => webAddress.describe(what);

/** An address that is secret as a whole. Use it together with {@link addressRule}. */
export const secretAddress = (what: string) => masked(webAddress, what);

/** A key or token. It goes into headers and addresses unchanged. */
export const token = (what: string) =>
  masked(
    z.string().regex(/^[\x21-\x7e]{1,2000}$/, { error: '1 to 2000 visible ASCII characters without spaces' }),
    what,
  );

/** Describes a field that the API masks. A prompt for the field shows only `what`, without the note about the mask. */
const masked = <S extends z.ZodType>(schema: S, what: string): S => {
  const described = schema.describe(`${what} Masked when read.`);
  fieldFacts.add(described, { question: what });
  return described;
};

/** The rule of an {@link address}. */
export const addressRule = (value: unknown, path: string): Fault[] =>
  typeof value === 'string' ? addressFaults(path, value) : [];

/** The rule of request headers. */
export const headersRule = (value: unknown, path: string): Fault[] =>
  typeof value === 'object' && value !== null ? headerFaults(path, { ...value }) : [];
