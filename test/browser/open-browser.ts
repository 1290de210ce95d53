import { type Browser, chromium } from 'playwright-core';
import { unpackBrowser } from './unpack-browser.ts';

/** A Chromium: npm's on Linux x64, the installed Chrome elsewhere. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await unpackBrowser();
  // Tests also run in containers, as root, where Chromium's own sandbox does not work.
  const args = ['--no-sandbox'];
  return chromium.launch(executablePath === null ? { channel: 'chrome', args } : { executablePath, args });
}
