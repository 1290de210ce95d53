import { ApiError, ForbiddenError, UnauthenticatedError } from '@uptime/sdk';
import type { Context } from '../context.ts';
import type { Kind } from '../kinds/kind.ts';
import { formatDiagnostic } from '../manifest/diagnostic.ts';
import { plain } from '../output.ts';
import { explain } from '../report.ts';
import { type Failure, HalfReplaced, mayBeMade } from './apply.ts';
import { describe } from './render-text.ts';

/**
 * Prints each failure on standard error. If the server names a field, the place of this field in the manifest comes
 * first. Returns the messages, and whether the server refused the credential.
 */
export async function printFailures(
  failed: readonly Failure[],
  context: Context,
): Promise<{ messages: string[]; unauthorised: boolean }> {
  const { io } = context;
  const messages: string[] = [];
  for (const failure of failed) messages.push(...(await failureLines(failure)));
  for (const message of messages) io.say(`${io.err.red('error:')} ${message}`);
  return {
    messages,
    unauthorised: failed.some(({ error }) => error instanceof UnauthenticatedError || error instanceof ForbiddenError),
  };
}

async function failureLines({ change, error: failed }: Failure): Promise<string[]> {
  const isHalf = failed instanceof HalfReplaced;
  const error = isHalf ? failed.cause : failed;
  const what = `${change.action} ${describe(change)}${isHalf ? `: ${failed.message}` : ''}`;
  const after = [
    mayBeMade(error) && !isHalf && 'it is not known whether the change was made',
    change.action === 'replace' &&
      !isHalf &&
      'the old monitor is kept: apply deletes it only after it has created the new one',
  ];
  const end = after
    .filter(Boolean)
    .map((sentence) => `; ${sentence}`)
    .join('');
  // `end` continues the message of the server, so the full stop of the message is removed.
  const withEnd = (text: string) => (end === '' ? text : text.replace(/\.$/, '')) + end;
  const at = (path: string, message: string): string => {
    const place = change.action === 'delete' ? null : change.wanted.place(inManifest(path, change.kind));
    return place?.file ? formatDiagnostic({ ...place, message }) : message;
  };
  if (error instanceof ApiError && error.errors.length > 0) {
    return error.errors.map(({ path, message }) =>
      at(path, withEnd(`${what}: the server refused it: ${plain(path ? `\`${path}\` ${message}` : message)}`)),
    );
  }
  const { message } = await explain(error, { signal: new AbortController().signal });
  return [at('', withEnd(`${what}: ${message}`))];
}

/** Converts a path in the API to a path in the manifest, such as `monitorIds.0` to `monitors.0`. */
function inManifest(path: string, { references }: Kind): string {
  const [head, ...rest] = path.split('.');
  const field = Object.keys(references).find((name) => references[name]!.ids === head) ?? head;
  return [field, ...rest].join('.');
}
