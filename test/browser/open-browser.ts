import { type Browser, chromium } from 'playwright-core';
import { unpackBrowser } from './unpack-browser.ts';

/** A Chromium: the one that npm brings on Linux x64, the Chrome that is installed elsewhere. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  // Tests run in containers too, as root, where Chromium's own sandbox cannot.
  const args = ['--no-sandbox'];
  return chromium.launch(executablePath === null ? { channel: 'chrome', args } : { executablePath, args });
}
