import { call, type Call } from './call.ts';
import type { ChannelContext, Sent } from './channel.ts';
import { cut } from './cut.ts';
import { textAtMost } from './said.ts';

/** One message in two forms, for a provider that has more than plain text. */
export interface Forms {
  /** With markup, colours and a link: what the provider shows best. */
  rich: Call;
  /** Words alone. Nothing in it is left for the provider to find fault with. */
  plain: Call;
}

/** Statuses by which providers refuse the form of a message: invalid (400), too large (413), not processable (422). */
const refusesForm: readonly (number | null)[] = [400, 413, 422];

/**
 * Sends the rich form. If the provider refuses that form, the plain form is sent at once, so that a link or markup that
 * a provider dislikes never loses an alarm. Each form is sent at most once.
 */
export async function sendForms(context: ChannelContext, { rich, plain }: Forms): Promise<Sent> {
  const sent = await call(context, rich);
  if (sent.ok || !refusesForm.includes(sent.status)) return sent;
  const again = await call(context, plain);
  // A provider that refuses both has something else to object to, and says so of the plain form.
  return again.ok
    ? { ...again, text: cut(`Sent as plain text, since the rich form was refused: ${sent.text}`, textAtMost) }
    : again;
}
