import { ApiError, ForbiddenError, ServerError, UnauthenticatedError, UptimeError } from '@uptime/sdk';
import type { Context } from '../context.ts';
import type { Kind } from '../kinds/kind.ts';
import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { plain } from '../output.ts';
import { explain } from '../report.ts';
import type { Applied } from './apply.ts';
import type { Change } from './change.ts';
import { describe } from './render-text.ts';

/** Tells each failure on standard error, at its place in the manifest where the server says what it is about. */
export async function tellFailures(
  failed: Applied['failed'],
  context: Context,
): Promise<{ messages: string[]; unauthorised: boolean }> {
  const { io } = context;
  const messages: string[] = [];
  for (const { change, error } of failed) messages.push(...(await failureLines(change, error)));
  for (const message of messages) io.say(`${io.err.red('error:')} ${message}`);
  return {
    messages,
    unauthorised: failed.some(({ error }) => error instanceof UnauthenticatedError || error instanceof ForbiddenError),
  };
}

async function failureLines(change: Change, error: unknown): Promise<string[]> {
  const what = `${change.action} ${describe(change)}`;
  const at = (path: string, message: string): string => {
    const place = change.action === 'delete' ? null : change.wanted.place(inManifest(path, change.kind));
    return place?.file ? formatDiagnostic({ ...place, message }) : message;
  };
  if (error instanceof ApiError && error.errors.length > 0) {
    return error.errors.map(({ path, message }) =>
      at(path, `${what}: the server refused it: ${plain(path ? `\`${path}\` ${message}` : message)}`),
    );
  }
  const { message } = await explain(error, { signal: new AbortController().signal });
  const unknown = error instanceof ServerError || (error instanceof UptimeError && !(error instanceof ApiError));
  return [at('', `${what}: ${message}${unknown ? '; whether it was made is not known' : ''}`)];
}

/** A path of the interface as the manifest has it: `monitorIds.0` is `monitors.0` there. */
function inManifest(path: string, { references }: Kind): string {
  const [head, ...rest] = path.split('.');
  const field = Object.keys(references).find((name) => references[name]!.ids === head) ?? head;
  return [field, ...rest].join('.');
}
