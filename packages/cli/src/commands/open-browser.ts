import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import type { Context } from '../context.ts';

/**
 * For some platforms, the program that opens an address. All other platforms use `xdg-open`. The program starts without
 * a shell, so the address needs no quotes.
 */
const openers: Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens a web address with the program in `BROWSER`, or else with the system's browser. Returns null, or the reason why
 * that failed.
 */
export async function openBrowser(address: string, { env, cwd }: Pick<Context, 'env' | 'cwd'>): Promise<string | null> {
  // The address comes from the server. Addresses that are not web addresses, such as those of files, could do harm.
  if (!/^https?:\/\//.test(address)) return 'it is not a web address';
  const [program, ...args] = env['BROWSER'] ? [env['BROWSER']] : (openers[platform()] ?? ['xdg-open']);
  const browser = spawn(program, [...args, address], { env, cwd, stdio: 'ignore', detached: true });
  browser.unref();
  return new Promise((resolve) => {
    browser.once('spawn', () => resolve(null));
    browser.once('error', (error: NodeJS.ErrnoException) => resolve(`${program}: ${error.code ?? error.message}`));
  });
}
