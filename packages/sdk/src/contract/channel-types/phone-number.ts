import * as z from 'zod';

const config = z
  .strictObject({
    phoneNumber: z
      .string()
      .regex(/^\+[1-9][0-9]{1,14}$/, { error: 'a number in E.164 form, such as +15550100' })
      .describe('Number in E.164 form: a plus sign and up to 15 digits, such as +15550100.'),
  })
  .meta({ id: 'PhoneNumberConfig' });

/** The config of channels that reach a phone through the operator's provider. */
export const phoneNumber = { config, gateway: { kind: 'phone', address: 'phoneNumber' } } as const;
