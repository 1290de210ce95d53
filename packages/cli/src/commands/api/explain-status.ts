import { CliError, type ExitName } from '../../exit.ts';
import { plain } from '../../output.ts';
import { nearPaths } from './request-target.ts';
import type { RawAnswer } from './send-request.ts';

/** Returns the error for a response that is not a success, with advice such as the right path or how long to wait. */
export function explainStatus(
  { status, statusText, headers, text }: RawAnswer,
  { method, path, exit }: { method: string; path: string; exit: ExitName },
): CliError {
  if (status >= 300 && status < 400) {
    const to = plain(headers.get('location') ?? 'elsewhere');
    return new CliError(`the server redirects to ${to}, which is not followed`, { exit, next: 'check --site-url' });
  }
  const wait = headers.get('retry-after');
  const next =
    (status === 404 || status === 405 ? nearPaths(method, path) : null) ??
    (status === 401 ? 'type `uptime login`, or set UPTIME_API_KEY' : null) ??
    (wait ? `the server asks to wait ${plain(wait)} s` : undefined);
  return new CliError(`HTTP ${status}: ${plain(detailOf(text) ?? (statusText || 'no reason given'))}`, { exit, next });
}

function detailOf(text: string): string | null {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: unknown; title?: unknown };
    const reason = detail ?? title;
    return typeof reason === 'string' ? reason : null;
  } catch {
    // The body is not JSON. It may be the error page of a proxy.
    return null;
  }
}
