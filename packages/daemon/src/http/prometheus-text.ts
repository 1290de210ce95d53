import type { ServerMetric } from '../resources/server-metrics.ts';

/** Returns metrics in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export const prometheusText = (metrics: readonly ServerMetric[]): string => metrics.map(textOf).join('');

function textOf({ name, help, type, samples }: ServerMetric): string {
  if (samples.length === 0) return '';
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Returns the value of a label with its backslashes, quotes and line breaks escaped. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
