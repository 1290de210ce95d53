import { defineChannelType } from './define-channel-type.ts';
import { phoneNumber } from './phone-number.ts';

export const phone = defineChannelType({
  ...phoneNumber,
  label: 'Phone call',
  lateAlarms: 'omit',
  example: { name: 'Duty phone (call)', config: { phoneNumber: '+15550100' } },
  docs: {
    setup: `
Twilio also makes calls, with the same settings as for [SMS](#sms).`,
    notes: `
A call reads the message twice. The recovery is a call too, unless the rule says \`notifyOnRecovery: false\`.`,
  },
});
