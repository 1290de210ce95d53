import { stringify } from 'yaml';

/** Data as YAML, no line folded. */
export const yamlText = (data: unknown): string => stringify(data, { lineWidth: 0 });
