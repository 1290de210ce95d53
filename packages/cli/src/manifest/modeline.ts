/** The first line of a manifest, which tells editors its schema. The server has the schema of its own version. */
export const modeline = (siteUrl: string): string =>
  `# yaml-language-server: $schema=${siteUrl}/schema/monitors.schema.json\n`;
