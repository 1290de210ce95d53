import { version } from '../version.ts';

/** Where the JSON Schema of a manifest is found: `schema/monitors.schema.json` of this package. */
export const schemaAddress = `https://unpkg.com/@uptime/cli@${version}/schema/monitors.schema.json`;

/** The first line of a manifest, by which editors know its fields. */
export const modeline = `# yaml-language-server: $schema=${schemaAddress}\n`;
