import { stringify } from 'yaml';

/**
 * Returns data as YAML without folded lines. Import this file dynamically, so that only commands that need `yaml` load
 * it. In the bundle, a dynamic import of `yaml` itself would have no named exports, because `yaml` is CommonJS.
 */
export const yamlText = (data: unknown): string => stringify(data, { lineWidth: 0 });
