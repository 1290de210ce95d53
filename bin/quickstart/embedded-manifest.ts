import { readFileSync } from 'node:fs';

/** Returns the text of the quickstart's manifest. The build replaces this function by one that contains the text. */
export const quickstartManifest = (): string =>
  readFileSync(new URL('../../examples/quickstart/monitors.yaml', import.meta.url), 'utf8');
