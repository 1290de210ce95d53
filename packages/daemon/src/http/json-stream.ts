import { Readable } from 'node:stream';
import type { Logger } from '../deps.ts';
import type { Pages } from '../resources/handler.ts';

export const isPages = (answer: unknown): answer is Pages<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

/**
 * Returns a stream that sends a long list as one JSON array, a page at a time. The stream waits for `nextTurn` between
 * two pages. Rejects if the first page fails. A later error is logged and breaks the stream off, so that the reader
 * cannot mistake half of a list for the whole list.
 */
export async function jsonStream(
  pages: Pages<unknown>,
  { log, nextTurn }: { log: Logger; nextTurn: () => Promise<void> },
): Promise<Readable> {
  const chunks = chunksOf(pages, nextTurn);
  const first = await chunks.next();
  async function* all() {
    try {
      if (!first.done) yield first.value;
      yield* chunks;
    } catch (error) {
      log.error({ err: error }, 'a list broke off while it was being sent');
      throw error;
    }
  }
  return Readable.from(all());
}

async function* chunksOf(pages: Pages<unknown>, nextTurn: () => Promise<void>): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    yield before + JSON.stringify(page).slice(1, -1);
    before = ',';
    await nextTurn();
  }
  yield before === '[' ? '[]' : ']';
}
