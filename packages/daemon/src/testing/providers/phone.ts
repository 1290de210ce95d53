import { form, type Provider, text } from './provider.ts';
import { account, ends, twilio } from './twilio.ts';

/** https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
export const phone: Provider = {
  ...twilio,
  readsOut: true,
  path: new RegExp(`^/2010-04-01/Accounts/${account}/Calls\\.json$`),
  body: form({
    ...ends,
    // Well-formed XML that says the same text twice.
    Twiml: text(4000).regex(
      /^<Response>(<Say>(?:[^&<>\ufffe\uffff]|&(?:amp|lt|gt);)+<\/Say>)<Pause length="1"\/>\1<\/Response>$/,
    ),
  }),
  answer: { status: 201, body: '{"sid":"CA1","status":"queued"}' },
};
