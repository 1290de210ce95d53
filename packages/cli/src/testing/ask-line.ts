import { commands } from '../commands/index.ts';
import { run } from '../run.ts';
import { cannedAnswers } from './canned-answers.ts';
import { recordedContext } from './recorded-context.ts';

/** Returns the answer of a server to a request for a path. */
export type Answer = (path: string) => Response;

/**
 * Runs a command line against a server with these answers. `columns` is the width of the terminal; without it, the
 * output is a pipe.
 */
export async function askLine(line: string, answer: Answer, columns?: number) {
  const fetch: typeof globalThis.fetch = async (input, init) => answer(new URL(new Request(input, init).url).pathname);
  const env = {
    UPTIME_API_KEY: `uptime_${'0'.repeat(32)}`,
    UPTIME_SITE_URL: 'http://uptime.test',
    UPTIME_CONFIG_DIR: '/nonexistent',
    NO_COLOR: '1',
  };
  const { context, output } = recordedContext({ env, fetch, ...(columns !== undefined && { columns }) });
  // Only the needed commands are built, because building the whole tree would take longer than the command itself.
  const own = commands.filter(({ path, aliases = [] }) =>
    [path, ...aliases].some((words) => `${line} `.startsWith(`${words} `)),
  );
  const exit = await run(line.split(' '), context, own);
  return { exit, ...output };
}

/** Returns the response for a path: the given body, or the body in {@link cannedAnswers}, or a 404. */
export const found = (path: string, body = cannedAnswers[path]) =>
  body === undefined
    ? Response.json({ status: 404, code: 'not_found', detail: 'There is none.' }, { status: 404 })
    : Response.json(body);
