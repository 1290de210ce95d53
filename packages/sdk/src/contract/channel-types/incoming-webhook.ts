import * as z from 'zod';
import { addressRule, secretAddress } from './config-fields.ts';

const config = z
  .strictObject({ webhookUrl: secretAddress('Address that the provider gave you.') })
  .meta({ id: 'WebhookUrlConfig' });

/** The config of services that give out a secret address for each room. */
export const incomingWebhook = { config, secrets: ['webhookUrl'], rules: { webhookUrl: addressRule } } as const;
