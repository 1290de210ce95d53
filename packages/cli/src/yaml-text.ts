import { stringify } from 'yaml';

/**
 * Writes data as YAML without folded lines. Import this file dynamically, so that only commands that need `yaml` load
 * it. A dynamic import of `yaml` itself has no named exports in the bundle, because it is CommonJS.
 */
export const yamlText = (data: unknown): string => stringify(data, { lineWidth: 0 });
