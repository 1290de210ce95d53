import * as z from 'zod';
import { canary, dottedUrl, type Provider, text } from './provider.ts';

/** Text without mentions, in which a backslash precedes every character of Discord's markup. */
const escaped = (maxCharacters: number) =>
  text(maxCharacters)
    .regex(/^(?:[^\\*_~`|[\]<>#]|\\[\\*_~`|[\]<>#/])*$/)
    .regex(/^(?!.*@(?:everyone|here))/);

const embed = z
  .strictObject({
    title: escaped(256),
    // Discord refuses a host without a dot: https://github.com/grafana/grafana/issues/65270
    url: dottedUrl.max(2048).optional(),
    description: escaped(4096),
    color: z.int().min(0).max(0xff_ff_ff),
    fields: z.array(z.strictObject({ name: escaped(256), value: escaped(1024), inline: z.boolean() })).max(25),
    timestamp: z.iso.datetime(),
  })
  .refine(
    ({ title, description, fields }) =>
      [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('').length <= 6000,
    'must be at most 6,000 characters in all',
  );

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
export const discord: Provider = {
  config: (url) => ({ webhookUrl: `${url}/api/webhooks/223704706495545344/${canary}?thread_id=7` }),
  method: 'POST',
  path: /^\/api\/webhooks\/\d+\/CANARY-5e8c0c1d2f\?thread_id=7&wait=true$/,
  body: z.strictObject({
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
    embeds: z.array(embed).min(1).max(10),
  }),
  plain: {
    body: z.strictObject({
      allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
      content: text(2000).regex(/^(?!.*@(?:everyone|here))/s),
    }),
    refusal: { status: 400, body: '{"embeds": ["0"]}' },
  },
  answer: { status: 200, body: '{"id":"1"}' },
};
