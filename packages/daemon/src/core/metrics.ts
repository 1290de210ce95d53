import { type Fault, maxMetricsBytes, faultAt } from '@uptime/sdk/contract';

/** The result of reading the body of a ping. */
export type PingBody =
  | { ok: true; metrics: Record<string, number | string> | null }
  | { ok: false; reason: 'too_large' }
  | { ok: false; reason: 'invalid'; faults: Fault[] };

/**
 * Reads the metrics in the body of a ping:
 * - A JSON object is read as metrics, whatever its content type is, because curl sends the content type of a form by
 *   default.
 * - An array is refused, because its sender surely meant to send metrics.
 * - A body whose content type is JSON, but which does not contain a JSON object, is refused too.
 * - An empty body, or any other text such as a log, is accepted as a ping without metrics.
 * - Only metrics have a size limit.
 *
 * `bytes` is the size as received. `text` is null if the body is not UTF-8. `claimsJson` is whether the content type is
 * JSON.
 */
export function readMetrics(text: string | null, bytes: number, claimsJson: boolean): PingBody {
  const parsed = text === null ? undefined : parse(text);
  const meansMetrics = claimsJson || (typeof parsed === 'object' && parsed !== null);
  if (bytes > maxMetricsBytes && meansMetrics) return { ok: false, reason: 'too_large' };
  if (parsed === undefined) {
    const blank = text?.trim() === '';
    if (blank || !claimsJson) return { ok: true, metrics: null };
    return { ok: false, reason: 'invalid', faults: [faultAt('', 'not_json')] };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    if (!claimsJson && !Array.isArray(parsed)) return { ok: true, metrics: null };
    return { ok: false, reason: 'invalid', faults: [faultAt('', 'not_flat')] };
  }
  const faults = Object.entries(parsed).flatMap(([path, value]) => {
    if (!path.isWellFormed() || (typeof value === 'string' && !value.isWellFormed()))
      return [faultAt(path.toWellFormed(), 'half_character')];
    const good = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
    return good ? [] : [faultAt(path, 'wrong_type', { expected: ['number', 'string'], format: null })];
  });
  if (faults.length > 0) return { ok: false, reason: 'invalid', faults };
  return { ok: true, metrics: parsed as Record<string, number | string> };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
