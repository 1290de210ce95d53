import { defineChannelType } from './define-channel-type.ts';
import { phoneNumber } from './phone-number.ts';

export const sms = defineChannelType({
  ...phoneNumber,
  label: 'SMS',
  example: { name: 'Duty phone (text)', config: { phoneNumber: '+15550100' } },
  docs: {
    setup: `
[Twilio](https://www.twilio.com) sends text messages. The operator of the server sets \`UPTIME_TWILIO_ACCOUNT_SID\`,
\`UPTIME_TWILIO_AUTH_TOKEN\` and \`UPTIME_TWILIO_FROM\`, a number of the account. Write numbers in E.164 form.`,
    notes: `
The daemon cuts a text message to a few hundred characters, because Twilio bills by length. The recovery is sent in the same way, unless
the rule says \`notifyOnRecovery: false\`. \`UPTIME_TWILIO_URL\` sets a gateway with the same API.`,
  },
});
