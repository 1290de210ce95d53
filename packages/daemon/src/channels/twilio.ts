import { call } from './call.ts';
import type { ChannelContext, Sent } from './channel.ts';
import { unset } from './unset.ts';

/**
 * Asks Twilio to send a text message or to call, with the operator's account:
 * https://www.twilio.com/docs/usage/requests-to-twilio
 */
export async function askTwilio(
  context: ChannelContext,
  resource: 'Messages' | 'Calls',
  form: Record<string, string>,
): Promise<Sent> {
  const { twilioUrl, twilioAccountSid: account, twilioAuthToken: token, twilioFrom: from } = context.gateways;
  if (account === null || token === null || from === null) {
    return unset({
      UPTIME_TWILIO_ACCOUNT_SID: account,
      UPTIME_TWILIO_AUTH_TOKEN: token,
      UPTIME_TWILIO_FROM: from,
    });
  }
  const basic = Buffer.from(`${account}:${token}`).toString('base64');
  return call(context, {
    url: `${twilioUrl.replace(/\/+$/, '')}/2010-04-01/Accounts/${encodeURIComponent(account)}/${resource}.json`,
    headers: { authorization: `Basic ${basic}` },
    form: { From: from, ...form },
    secrets: [token, basic],
  });
}
