/**
 * Parses `name=value` as a metric. A numeric value becomes a number. Returns null if the text does not begin with a
 * name and an equals sign.
 */
export function readMetric(text: string): [name: string, value: number | string] | null {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) return null;
  const number = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  return [name, Number.isFinite(number) ? number : value];
}
