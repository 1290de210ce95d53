const unitSeconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** Parses a duration such as `1m30s`, `500ms` or `2h`. Returns seconds; undefined if the value is not a duration. */
export function durationSeconds(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value : '';
  if (!/^(?:\d{1,9}(?:\.\d{1,6})?(?:ms|[smhdw]))+$/.test(text)) return undefined;
  return [...text.matchAll(/([\d.]+)(ms|[smhdw])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit as keyof typeof unitSeconds],
    0,
  );
}
