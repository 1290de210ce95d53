import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testChannelContext } from '../testing/messages.ts';
import { type HttpTarget, httpTarget } from '../testing/targets/index.ts';
import { sendForms } from './send-forms.ts';

/** A provider's answer to one form of a message. `cut`: the provider closes the connection without an answer. */
type Answer = 200 | 302 | 400 | 403 | 413 | 422 | 429 | 500 | 'cut';
const answers: Answer[] = [200, 302, 400, 403, 413, 422, 429, 500, 'cut'];

let provider: HttpTarget;
let answer: Record<string, Answer>;
beforeAll(async () => {
  provider = await httpTarget((request, response) => {
    const how = answer[request.url!.slice(1)]!;
    if (how === 'cut') request.socket.destroy();
    else response.writeHead(how).end(`said of ${request.url!.slice(1)}`);
  });
});
afterAll(() => provider[Symbol.asyncDispose]());

/** A simple model: returns the requests that are expected for the two answers, and the result of the attempt. */
function expected({ rich, plain }: { rich: Answer; plain: Answer }) {
  const refusesForm = rich === 400 || rich === 413 || rich === 422;
  const last = refusesForm ? plain : rich;
  const ok = last === 200;
  const refused = last === 400 || last === 403 || last === 413 || last === 422;
  return {
    asked: refusesForm ? ['/rich', '/plain'] : ['/rich'],
    sent: { ok, status: last === 'cut' ? null : last, ...(!ok && { retry: !refused }) },
    saysWhy: ok && refusesForm,
  };
}

test('the plain form is sent only if the provider refused the rich form, and then the answer to the plain form is reported', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...answers), fc.constantFrom(...answers), async (rich, plain) => {
      answer = { rich, plain };
      provider.requests.length = 0;
      const forms = { rich: { url: `${provider.url}/rich` }, plain: { url: `${provider.url}/plain` } };
      const sent = await sendForms(testChannelContext(), forms);
      const { asked, sent: outcome, saysWhy } = expected({ rich, plain });
      expect(provider.requests.map(({ url }) => url)).toEqual(asked);
      expect(sent).toMatchObject(outcome);
      expect(sent.text.includes('Sent as plain text')).toBe(saysWhy);
    }),
    { numRuns: 300 },
  );
});
