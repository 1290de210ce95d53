import * as z from 'zod';
import { canary, type Provider } from './provider.ts';

/** The id of the operator's account. */
export const account = 'AC00000000000000000000000000000000';
/** The phone number that gets the message, and the phone number that sends it. */
export const ends = { To: z.literal('+15550100'), From: z.literal('+15550199') };
/** The part of the provider that text messages (sms.ts) and calls (phone.ts) share. */
export const twilio = {
  config: () => ({ phoneNumber: '+15550100' }),
  gateways: (url) => ({
    twilioUrl: `${url}/`,
    twilioAccountSid: account,
    twilioAuthToken: canary,
    twilioFrom: '+15550199',
  }),
  method: 'POST',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: `Basic ${btoa(`${account}:${canary}`)}`,
  },
} satisfies Partial<Provider>;
