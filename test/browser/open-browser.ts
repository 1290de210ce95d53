import { type Browser, chromium } from 'playwright-core';
import { unpackBrowser } from './unpack-browser.ts';

/** Starts a browser: on Linux x64 the Chromium of an npm package, and elsewhere the installed Chrome. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  // Tests also run in containers, as root, where Chromium's own sandbox does not work.
  const args = ['--no-sandbox'];
  return chromium.launch(executablePath === null ? { channel: 'chrome', args } : { executablePath, args });
}
