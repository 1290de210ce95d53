/**
 * Returns the first line of a manifest, which tells editors where its schema is. The server offers the schema of its
 * own version.
 */
export const modeline = (siteUrl: string): string =>
  `# yaml-language-server: $schema=${siteUrl}/schema/monitors.schema.json\n`;
