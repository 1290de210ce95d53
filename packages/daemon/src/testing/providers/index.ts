import { existsSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { type ChannelType, channelTypeDefinitions, channelTypes } from '@uptime/sdk/contract';
import * as z from 'zod';
import { type Channel, type ChannelContext, channels, type Message, type Sent } from '../../channels/index.ts';
import { testChannelContext } from '../messages.ts';
import { type HttpTarget, httpTarget, status } from '../targets/index.ts';
import { objection, type Provider } from './provider.ts';

export { canary } from './provider.ts';

/** The channel types whose provider has an HTTP interface: all but mail. */
const httpTypes = channelTypes.filter((type) => channelTypeDefinitions[type].gateway?.kind !== 'mail');

/** Loads the provider of a channel type. For `slack`, that is the export `slack` of slack.ts. */
async function load(type: ChannelType): Promise<Provider> {
  const file = `packages/daemon/src/testing/providers/${type}.ts`;
  if (!existsSync(new URL(`./${type}.ts`, import.meta.url)))
    throw new Error(`${file} is missing: it describes the provider of ${type} channels for the tests.`);
  const module = (await import(/* @vite-ignore */ `./${type}.ts`)) as Record<string, Provider | undefined>;
  const provider = module[type];
  if (!provider) throw new Error(`${file} must export \`${type}\`.`);
  return provider;
}

/** The providers with an HTTP interface. */
export const providers: ReadonlyMap<ChannelType, Provider> = new Map(
  await Promise.all(httpTypes.map(async (type) => [type, await load(type)] as const)),
);

export function providerOf(type: ChannelType): Provider {
  const provider = providers.get(type);
  if (!provider) throw new Error(`A channel of type ${type} has no provider with an HTTP interface.`);
  return provider;
}

/** The channel types whose provider accepts a plain form of messages besides the rich form. */
export const twoForms = [...providers].filter(([, { plain }]) => plain !== undefined).map(([type]) => type);

/**
 * Starts a provider on loopback. It accepts only the requests that the documentation of the real provider allows, and
 * answers all other requests with 400 and the reason. With `takes: 'plain'`, it accepts only the plain form of
 * messages, and answers the rich form with the refusal of the real provider.
 */
export async function startProvider(
  type: ChannelType,
  /** The answer to accepted requests, in place of the usual success. */
  instead?: RequestListener,
  takes: 'rich' | 'plain' = 'rich',
): Promise<HttpTarget & { send: (message: Message, context?: Partial<ChannelContext>) => Promise<Sent> }> {
  const provider = providerOf(type);
  const target = await httpTarget((request, response) => {
    const received = target.requests.at(-1)!;
    if (takes === 'plain' && objection(provider, received, provider.body) === null) {
      const refusal = provider.plain!.refusal;
      return status(refusal.status, refusal.body)(request, response);
    }
    // If a test gives an answer, both forms of messages get that answer.
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
    // The cast is safe, because the config has the type that this channel expects.
    send: (message, more = {}) =>
      (channels[type] as Channel<never>).send(config as never, message, { ...context, ...more }),
  };
}
