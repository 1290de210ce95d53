import { call, type Call } from './call.ts';
import type { ChannelContext, Sent } from './channel.ts';
import { cut } from './cut.ts';
import { maxExcerptCharacters } from './excerpt.ts';

/** One message in two forms, for a provider that supports more than plain text. */
export interface Forms {
  /** The request with markup, colours and a link. */
  rich: Call;
  /** The request with only plain text, which a provider has no reason to refuse. */
  plain: Call;
}

/** Statuses by which providers refuse the form of a message: invalid (400), too large (413), not processable (422). */
const refusesForm: readonly (number | null)[] = [400, 413, 422];

/**
 * Sends the rich form. If the provider refuses the rich form, this function sends the plain form at once. So no alarm
 * is lost because of a link or markup. Each form is sent at most once.
 */
export async function sendForms(context: ChannelContext, { rich, plain }: Forms): Promise<Sent> {
  const sent = await call(context, rich);
  if (sent.ok || !refusesForm.includes(sent.status)) return sent;
  const again = await call(context, plain);
  // If a provider refuses both forms, markup is not the reason. The answer to the plain form has the real reason.
  return again.ok
    ? {
        ...again,
        text: cut(`Sent as plain text, because the provider refused the rich form: ${sent.text}`, maxExcerptCharacters),
      }
    : again;
}
