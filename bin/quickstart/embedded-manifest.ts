import { readFileSync } from 'node:fs';

/** The manifest that the quickstart applies. The build puts the file's text in this function's place. */
export const quickstartManifest = (): string =>
  readFileSync(new URL('../../examples/quickstart/monitors.yaml', import.meta.url), 'utf8');
