import { form, type Provider, text } from './provider.ts';
import { account, ends, twilio } from './twilio.ts';

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const sms: Provider = {
  ...twilio,
  path: new RegExp(`^/2010-04-01/Accounts/${account}/Messages\\.json$`),
  body: form({ ...ends, Body: text(1600) }),
  answer: { status: 201, body: '{"sid":"SM1","status":"queued"}' },
};
