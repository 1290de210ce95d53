import { stringify } from 'yaml';

/**
 * Data as YAML, no line folded. In a file of its own, to be imported dynamically: `yaml` is CommonJS, and a dynamic
 * import of it has no named exports in the bundle; a static one has, but every start would load it.
 */
export const yamlText = (data: unknown): string => stringify(data, { lineWidth: 0 });
