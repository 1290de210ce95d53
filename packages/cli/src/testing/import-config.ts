import { parse } from 'yaml';
import type { ImportKind } from '../importers/import-kinds.ts';
import { importers } from '../importers/index.ts';
import { runImport } from '../importers/run-import.ts';
import type { Fields } from '../kinds/kind.ts';

/**
 * Imports the configuration of another program. Returns the items, and the notes about them. The configuration is
 * passed as JSON, which is also valid YAML.
 */
export async function importConfig(kind: ImportKind, config: object) {
  const source = { name: 'file', path: '/file', text: () => Promise.resolve(JSON.stringify(config)) };
  const { text, notes, variables } = await runImport(importers[kind], source, 'https://uptime.example');
  const { monitors = [], alertRules = [], statusPages = [] } = parse(text) as Record<string, Fields[] | undefined>;
  return {
    monitors,
    rules: alertRules,
    pages: statusPages,
    variables,
    notes: notes.filter(({ about }) => about !== null),
  };
}
