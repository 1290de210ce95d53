import { readFileSync } from 'node:fs';

/** Returns the manifest of the quickstart. The build replaces this function by one that holds the file's text. */
export const quickstartManifest = (): string =>
  readFileSync(new URL('../../examples/quickstart/monitors.yaml', import.meta.url), 'utf8');
