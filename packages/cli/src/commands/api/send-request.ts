import type { Context } from '../../context.ts';
import { CliError } from '../../exit.ts';
import type { SettingFlags } from '../../settings.ts';
import { duration } from '../../times.ts';

export interface RawRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  timeoutMs: number;
}

export interface RawAnswer {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

/**
 * Sends one request, without retries. It does not follow redirects, because a credential must not reach another host.
 */
export async function sendRequest(
  { method, url, headers, body, timeoutMs }: RawRequest,
  { context, settings }: { context: Context; settings: SettingFlags },
): Promise<RawAnswer> {
  const { fetch = globalThis.fetch, signal, tracer } = context;
  const begunMonoMs = performance.now();
  const tooLate = AbortSignal.timeout(timeoutMs);
  let status: number | null = null;
  let requestId: string | null = null;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, tooLate]),
    });
    status = response.status;
    requestId = response.headers.get('x-request-id');
    return { status, statusText: response.statusText, headers: response.headers, text: await response.text() };
  } catch (error) {
    if (signal.aborted) throw error;
    const { code, message } = ((error as Error).cause ?? error) as { code?: unknown; message: string };
    const why = tooLate.aborted ? `within ${duration(timeoutMs)}` : `(${typeof code === 'string' ? code : message})`;
    throw new CliError(`no answer from ${url.origin} ${why}`, {
      next: tooLate.aborted
        ? 'add --timeout 5m to wait longer'
        : '`uptime whoami` shows which server is in use, and why',
      cause: error,
    });
  } finally {
    const shown = url.pathname.replace(/(?<=\/ping\/)[^/]+/, '<token>');
    tracer(settings)?.({
      method,
      path: shown,
      attempt: 1,
      status,
      duration: performance.now() - begunMonoMs,
      requestId,
    });
  }
}
