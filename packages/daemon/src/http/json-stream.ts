import { Readable } from 'node:stream';
import { setImmediate as breath } from 'node:timers/promises';
import type { Logger } from '../deps.ts';
import type { Pages } from '../resources/handler.ts';

export const isPages = (answer: unknown): answer is Pages<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

/**
 * A long list as the text of one JSON array, a page at a time. Rejects with what the first page fails with; a later
 * failure is logged and ends the stream with an error, so that nobody takes half a list for a whole one.
 */
export async function jsonStream(pages: Pages<unknown>, log: Logger): Promise<Readable> {
  const chunks = chunksOf(pages);
  const first = await chunks.next();
  async function* all() {
    try {
      if (!first.done) yield first.value;
      yield* chunks;
    } catch (error) {
      log.error({ err: error }, 'a list broke off while it was sent');
      throw error;
    }
  }
  return Readable.from(all());
}

async function* chunksOf(pages: Pages<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    yield before + JSON.stringify(page).slice(1, -1);
    before = ',';
    await breath();
  }
  yield before === '[' ? '[]' : ']';
}
