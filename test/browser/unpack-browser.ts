import { existsSync } from 'node:fs';

/** Where systems keep a library that Chromium needs. A minimal server does not have this library. */
const systemLibraries = ['/lib/x86_64-linux-gnu/libnss3.so', '/usr/lib64/libnss3.so', '/usr/lib/libnss3.so'];

/** Returns the path of the Chromium of an npm package on Linux x64; null elsewhere. */
export async function unpackBrowser(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  // The package also contains the library, but unpacks it only in a cloud function. The package recognizes a cloud
  // function by this variable, which is read when the package is loaded.
  if (!systemLibraries.some((path) => existsSync(path))) process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x';
  const { default: sparticuz } = await import('@sparticuz/chromium');
  return sparticuz.executablePath();
}

/** Vitest's global set-up: unpacks Chromium once for a run, so that no two test files do it at the same time. */
export async function setup(): Promise<void> {
  await unpackBrowser();
}
