import type { Channel } from './channel.ts';
import { cut } from './cut.ts';
import { escapeAngles } from '../escape-html.ts';
import { askTwilio } from './twilio.ts';
import { utc, wordsFor } from './words.ts';

/**
 * A call by Twilio, which speaks the text twice:
 * https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource
 */
export const phone: Channel<'phone'> = {
  send({ phoneNumber }, message, context) {
    const { title, cause, where } = wordsFor(message);
    const { kind, event, since, at, code, limited } = message.notice;
    const spoken = [
      // A code is spoken digit by digit, because the voice would otherwise read it as one number.
      `${cut(code === undefined ? title : title.replace(code, code.split('').join(', ')), 120)}.`,
      cut(cause, 120),
      ...(where === '' ? [] : [cut(where, 120)]),
      ...(kind === 'test' || kind === 'code' ? [] : [`Since ${utc(event === 'monitor_up' ? at : since)}.`]),
      ...(limited === undefined ? [] : [cut(limited, 120)]),
    ].join(' ');
    // Twilio accepts 4,000 characters. The text fits twice, even if every character is escaped.
    const say = `<Say>${escapeAngles(spoken.replaceAll(/[\ufffe\uffff]/g, ' '))}</Say>`;
    return askTwilio(context, 'Calls', {
      To: phoneNumber,
      Twiml: `<Response>${say}<Pause length="1"/>${say}</Response>`,
    });
  },
};
