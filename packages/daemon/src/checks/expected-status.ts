import type { MonitorFields } from '@uptime/sdk/contract';

export type ExpectedStatus = MonitorFields<'http'>['expectedStatus'];
/** Codes from `low` to `high`, both included. */
export type StatusRange = readonly [low: number, high: number];

/** Returns the ranges for `200`, `"2xx"`, `"200-299"`, a comma list or an array of these. */
export function parseExpectedStatus(expected: ExpectedStatus): StatusRange[] {
  if (expected === '200-299') return [[200, 299]];
  return [expected].flat().flatMap((part) => String(part).split(',').map(rangeOf));
}

function rangeOf(text: string): StatusRange {
  const word = text.trim();
  if (/^[1-5]xx$/i.test(word)) {
    const low = Number(word[0]) * 100;
    return [low, low + 99];
  }
  const [low, high = low] = word.split('-').map(Number);
  return [low ?? Number.NaN, high ?? Number.NaN];
}

export const statusMatches = (ranges: readonly StatusRange[], status: number): boolean =>
  ranges.some(([low, high]) => status >= low && status <= high);

/** Whether an expected status is a redirect status (3xx). If so, the check follows no redirect. */
export const namesRedirect = (ranges: readonly StatusRange[]): boolean =>
  ranges.some(([low, high]) => low <= 399 && high >= 300);

/** Returns the expected status as text, for messages. */
export const describeExpected = (expected: ExpectedStatus): string => [expected].flat().join(', ');
