import type { Config } from './config.ts';

/** The limits of messages through the operator's gateways, as the settings say; null for no limit. */
export const messageLimitsOf = (config: Config) => ({
  channelPerHour: config.channelMessagesPerHour,
  perDay: {
    project: { mail: config.projectMailsPerDay, phone: config.projectCallsPerDay },
    account: { mail: config.accountMailsPerDay, phone: config.accountCallsPerDay },
    server: { mail: config.serverMailsPerDay, phone: config.serverCallsPerDay },
  },
});
