import type { Config } from './config.ts';

/** Returns the settings' limits on mails, SMS and calls; null stands for no limit. */
export const messageLimitsOf = (config: Config) => ({
  channelPerHour: config.channelMessagesPerHour,
  perDay: {
    project: { mail: config.projectMailsPerDay, phone: config.projectCallsPerDay },
    account: { mail: config.accountMailsPerDay, phone: config.accountCallsPerDay },
    server: { mail: config.serverMailsPerDay, phone: config.serverCallsPerDay },
  },
});
