import type { RequestListener } from 'node:http';
import type { ChannelType } from '@uptime/sdk/contract';
import { z } from 'zod';
import { type Channel, type ChannelContext, channels, type Message, type Sent } from '../../channels/index.ts';
import { testChannelContext } from '../messages.ts';
import { type HttpTarget, httpTarget, status } from '../targets/index.ts';
import { discord } from './discord.ts';
import { googlechat } from './googlechat.ts';
import { matrix } from './matrix.ts';
import { ntfy } from './ntfy.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { objection, type Provider } from './provider.ts';
import { pushover } from './pushover.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { phone, sms } from './twilio.ts';
import { webhook } from './webhook.ts';

export { canary } from './provider.ts';

/** The providers with an HTTP interface. */
export const providers = {
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
} satisfies Record<Exclude<ChannelType, 'email'>, Provider>;
export type ProviderType = keyof typeof providers;

/** The providers that have a plain form besides the rich one. */
export const twoForms = (Object.keys(providers) as ProviderType[]).filter((type) => 'plain' in providers[type]);

/**
 * A provider on loopback that accepts what its documentation allows. It answers everything else with 400 and the
 * reason. One that accepts only the plain form refuses the rich one in its own words.
 */
export async function startProvider(
  type: ProviderType,
  /** Its answer instead of its usual success. */
  instead?: RequestListener,
  takes: 'rich' | 'plain' = 'rich',
): Promise<HttpTarget & { send: (message: Message, context?: Partial<ChannelContext>) => Promise<Sent> }> {
  const provider: Provider = providers[type];
  const target = await httpTarget((request, response) => {
    const received = target.requests.at(-1)!;
    if (takes === 'plain' && objection(provider, received, provider.body) === null) {
      const refusal = provider.plain!.refusal;
      return status(refusal.status, refusal.body)(request, response);
    }
    // A test with its own answer gives it to both forms.
    const forms = [provider.body, ...(provider.plain ? [provider.plain.body] : [])];
    const like = instead ? z.union(forms) : takes === 'plain' ? provider.plain!.body : provider.body;
    const against = objection(provider, received, like);
    if (against !== null) return status(400, against)(request, response);
    (instead ?? status(provider.answer.status, provider.answer.body))(request, response);
  });
  const config = provider.config(target.url);
  const context = testChannelContext({ gateways: provider.gateways?.(target.url) ?? {} });
  return {
    ...target,
    // The sample has the channel's type.
    send: (message, more = {}) =>
      (channels[type] as Channel<never>).send(config as never, message, { ...context, ...more }),
  };
}
