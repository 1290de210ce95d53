import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** A Chromium: unpacked once into the folder for temporary files on Linux x64, the Chrome that is installed elsewhere. */
export async function openBrowser(): Promise<Browser> {
  const unpacks = process.platform === 'linux' && process.arch === 'x64';
  // Tests run in containers too, as root, where Chromium's own sandbox cannot.
  const args = ['--no-sandbox'];
  return chromium.launch(
    unpacks ? { executablePath: await sparticuz.executablePath(), args } : { channel: 'chrome', args },
  );
}
