import type { Io } from '../../io.ts';
import { escapeControls, plain } from '../../output.ts';
import type { RawAnswer } from './send-request.ts';

/**
 * Prints the body of a response. On a terminal, JSON is indented, and its control characters are escaped. Other text
 * is shown there without control characters. In a pipe or a file, the body stays unchanged.
 */
export async function printAnswer({ text }: Pick<RawAnswer, 'text'>, io: Io): Promise<void> {
  if (text === '') return;
  if (!io.stdout.isTTY) return io.print(text.replace(/\n$/, ''));
  const data = parse(text);
  if (data === undefined) return text.split('\n').forEach((line) => io.print(plain(line)));
  io.print(escapeControls(JSON.stringify(data, null, 2)));
}

/**
 * Reads a list page by page, and prints it as one JSON array while the pages arrive. In a pipe, each item is on its own
 * line. If an answer is not a page of a list, stops and returns that answer, so that the caller prints it.
 */
export async function printPages(
  first: URL,
  send: (url: URL) => Promise<RawAnswer>,
  io: Io,
): Promise<RawAnswer | null> {
  let url: URL | null = new URL(first);
  if (!url.searchParams.has('limit')) url.searchParams.set('limit', '1000');
  let printed = 0;
  while (url) {
    const answer = await send(url);
    const items = parse(answer.text);
    if (answer.status !== 200 || !Array.isArray(items)) {
      // Ends the last output line. The JSON array stays incomplete, and the exit code shows the failure.
      if (printed > 0) io.print('');
      return answer;
    }
    for (const item of items) {
      const text = io.stdout.isTTY ? escapeControls(JSON.stringify(item, null, 2)) : JSON.stringify(item);
      io.stdout.write(`${printed++ === 0 ? '[\n' : ',\n'}${text}`);
    }
    url = nextUrl(answer.headers.get('link'), url);
  }
  io.print(printed === 0 ? '[]' : '\n]');
  return null;
}

/** Returns the address of the next page. Takes only the query from the Link header, so that the host cannot change. */
function nextUrl(link: string | null, current: URL): URL | null {
  const target = link?.match(/<([^>]*)>[^,]*;\s*rel="?next\b/i)?.[1];
  const query = target?.split('#')[0]?.split('?')[1];
  const next = new URL(current);
  next.search = query ?? '';
  return query && next.href !== current.href ? next : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The answer is not JSON, so the caller prints it as text.
    return undefined;
  }
}
