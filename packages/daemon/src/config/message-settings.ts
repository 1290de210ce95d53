import { setting } from './setting.ts';
import { limit, oneOf } from './values.ts';

/** Settings for mails, SMS and calls, for which the operator pays. */
export const messageSettings = {
  confirmAddresses: setting({
    env: 'UPTIME_CONFIRM_ADDRESSES',
    default: 'off',
    publicDefault: 'on',
    notInPublic: ['off'],
    docs: 'Whether a mail address or phone number must be confirmed by a code before it gets other messages: on or off.',
    parse: oneOf('on', 'off'),
  }),
  channelMessagesPerHour: setting({
    env: 'UPTIME_CHANNEL_MESSAGES_PER_HOUR',
    default: '1000',
    publicDefault: '100',
    docs: 'Budget for the messages through one mail, SMS or phone channel. All of it may be used in one burst. It then refills evenly within an hour. `off`: no limit.',
    parse: limit,
  }),
  projectMailsPerDay: setting({
    env: 'UPTIME_PROJECT_MAILS_PER_DAY',
    default: '10000',
    publicDefault: '500',
    docs: 'Budget for the mails of one project. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
  projectCallsPerDay: setting({
    env: 'UPTIME_PROJECT_CALLS_PER_DAY',
    default: '1000',
    publicDefault: '50',
    docs: 'Budget for the SMS and calls of one project. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
  accountMailsPerDay: setting({
    env: 'UPTIME_ACCOUNT_MAILS_PER_DAY',
    default: '20000',
    publicDefault: '1000',
    docs: 'Budget for the mails of all projects of one account. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
  accountCallsPerDay: setting({
    env: 'UPTIME_ACCOUNT_CALLS_PER_DAY',
    default: '2000',
    publicDefault: '100',
    docs: 'Budget for the SMS and calls of all projects of one account. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
  serverMailsPerDay: setting({
    env: 'UPTIME_SERVER_MAILS_PER_DAY',
    default: 'off',
    publicDefault: '20000',
    docs: 'Budget for the mails of all accounts together. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
  serverCallsPerDay: setting({
    env: 'UPTIME_SERVER_CALLS_PER_DAY',
    default: 'off',
    publicDefault: '1000',
    docs: 'Budget for the SMS and calls of all accounts together. All of it may be used in one burst. It then refills evenly within a day. `off`: no limit.',
    parse: limit,
  }),
};
