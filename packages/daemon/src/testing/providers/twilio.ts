import { z } from 'zod';
import { canary, form, type Provider, text } from './provider.ts';

const account = 'AC00000000000000000000000000000000';
const ends = { To: z.literal('+15550100'), From: z.literal('+15550199') };
const twilio = {
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

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const sms: Provider = {
  ...twilio,
  path: new RegExp(`^/2010-04-01/Accounts/${account}/Messages\\.json$`),
  body: form({ ...ends, Body: text(1600) }),
  answer: { status: 201, body: '{"sid":"SM1","status":"queued"}' },
};

/** https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
export const phone: Provider = {
  ...twilio,
  path: new RegExp(`^/2010-04-01/Accounts/${account}/Calls\\.json$`),
  body: form({
    ...ends,
    // Well-formed, and the same text twice.
    Twiml: text(4000).regex(
      /^<Response>(<Say>(?:[^&<>\ufffe\uffff]|&(?:amp|lt|gt);)+<\/Say>)<Pause length="1"\/>\1<\/Response>$/,
    ),
  }),
  answer: { status: 201, body: '{"sid":"CA1","status":"queued"}' },
};
