import { existsSync } from 'node:fs';

/** Where systems keep a library that Chromium needs and a bare server does not have. */
const systemLibraries = ['/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib64/libnss3.so', '/usr/lib/libnss3.so'];

/** The Chromium that npm brings, on Linux x64; null elsewhere. */
export async function unpackBrowser(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  // The package has those libraries too, and unpacks them where it believes to be in a bare cloud function. It looks at
  // the environment when it is loaded.
  if (!systemLibraries.some((path) => existsSync(path))) process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
  const { default: sparticuz } = await import('@sparticuz/chromium');
  return sparticuz.executablePath();
}

/** Vitest's global set-up: unpacked once for a run, so that no two test files do it at the same time. */
export async function setup(): Promise<void> {
  await unpackBrowser();
}
