import * as z from 'zod';
import { address, addressRule } from './config-fields.ts';

const config = z
  .strictObject({ webhookUrl: address('Address that the provider gave you. Masked when read.') })
  .meta({ id: 'WebhookUrlConfig' });

/** The config of services that give out a secret address for each room. */
export const incomingWebhook = { config, secrets: ['webhookUrl'], rules: { webhookUrl: addressRule } } as const;
