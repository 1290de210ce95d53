import { version } from '../version.ts';

/** Address of the JSON Schema of manifests, `schema/monitors.schema.json` in this package. */
export const schemaAddress = `https://unpkg.com/@uptime/cli@${version}/schema/monitors.schema.json`;

/** The first line of a manifest, which tells editors its schema. */
export const modeline = `# yaml-language-server: $schema=${schemaAddress}\n`;
