import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Context } from '../context.ts';

/** What opens an address, by platform; elsewhere that of freedesktop.org. None of them is a shell. */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Hands a web address to the browser: `BROWSER`, else that of the system. Answers why it could not, or null. */
export async function openBrowser(address: string, { env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<string | null> {
  // The address is the server's word: nothing but the web is opened.
  if (!/^https?:\/\//.test(address)) return 'it is no web address';
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const browser = spawn(program, [...args, address], { env, cwd, stdio: 'ignore', detached: true });
  browser.unref();
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(null));
    browser.once('error', (error: NodeJS.ErrnoException) => resolve(`${program}: ${error.code ?? error.message}`));
  });
}
