/** Reads `name=value` as an entry of a ping's metrics, a number where it is one; null where it is none. */
export function readMetric(text: string): [name: string, value: number | string] | null {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) return null;
  const number = /^-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(value) ? Number(value) : Number.NaN;
  return [name, Number.isFinite(number) ? number : value];
}
