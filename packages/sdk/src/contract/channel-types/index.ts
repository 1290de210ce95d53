import { discord } from './discord.ts';
import { email } from './email.ts';
import { googlechat } from './googlechat.ts';
import { matrix } from './matrix.ts';
import { ntfy } from './ntfy.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { phone } from './phone.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { sms } from './sms.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

/** The definition of each channel type, in the order of help and docs. */
export const channelTypeDefinitions = {
  email,
  slack,
  discord,
  teams,
  pagerduty,
  opsgenie,
  webhook,
  telegram,
  sms,
  phone,
  pushover,
  ntfy,
  googlechat,
  matrix,
};

export type ChannelType = keyof typeof channelTypeDefinitions;
