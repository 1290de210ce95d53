import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { askTwilio } from './twilio.ts';
import { utc, wordsFor } from './words.ts';

/** A text message by Twilio: https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
export const sms: Channel<'sms'> = {
  send({ phoneNumber }, message, context) {
    const { title, cause, where, link } = wordsFor(message);
    const { kind, event, since, at, ended, limited } = message.notice;
    const parts = [
      `${cut(title, 150)}.`,
      cut(cause, 200),
      ...(where === '' ? [] : [cut(where, 150)]),
      ...(kind === 'test' || kind === 'code' || ended ? [] : [`Since ${utc(event === 'monitor_up' ? at : since)}.`]),
      ...(limited === undefined ? [] : [cut(limited, 200)]),
      // A long link is left out: every 153 characters cost money, and a shortened address would lead nowhere.
      ...(link.length <= 150 ? [link] : []),
    ];
    return askTwilio(context, 'Messages', { To: phoneNumber, Body: parts.join(' ') });
  },
};
