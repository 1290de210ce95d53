#!/usr/bin/env node
import { requireNode } from '@uptime/daemon/node-version';
import { askedHelp } from './stored-help/asked-help.ts';
import { programName } from './program-name.ts';
import { version } from './version.ts';

// Checks the version of Node before any other file of the program loads, because an older Node cannot parse those
// files.
requireNode('uptime', process);

/** Runs the command line. This is a function, because a single executable cannot use `await` at the top level. */
async function start(): Promise<void> {
  // Scripts often ask for the version, so it is printed before anything else is loaded.
  const { argv } = process;
  if (argv.length === 3 && /^(?:--version|-V|version)$/.test(argv[2]!) && printAtOnce(`${version}\n`)) return;
  if (await printStoredHelp()) return;
  // A plain ping loads only one small file. Any other ping, and a ping that fails, runs the full command.
  let recorded = false;
  let pingAfterMs = 0;
  if (process.argv[2] === 'ping') {
    const { quickPing } = await import('./commands/ping/quick.ts');
    ({ recorded, pingAfterMs } = await quickPing(process.argv.slice(3), process.env, (name) =>
      process.getBuiltinModule(name),
    ));
  }
  if (recorded) return;
  const { main } = await import('./main.ts');
  await main(pingAfterMs);
}

/** Prints help that the build stored, without loading the commands. Returns false if it printed nothing. */
async function printStoredHelp(): Promise<boolean> {
  const helpName = askedHelp(process.argv.slice(2));
  // The stored help is right only if the output is not a terminal and the program was started as `uptime`. Otherwise
  // the full program renders the help.
  if (helpName === null || programName(process.argv[1]) !== 'uptime' || mayBeTerminal()) return false;
  const { storedHelp } = await import('./stored-help/stored-help.ts');
  return Object.hasOwn(storedHelp, helpName) && printAtOnce(storedHelp[helpName]!);
}

/** Whether standard output may be a terminal. Does not read `isTTY`, which would load streams. */
function mayBeTerminal(): boolean {
  const { fstatSync, statSync } = process.getBuiltinModule('node:fs');
  try {
    const output = fstatSync(1);
    return output.isCharacterDevice() && output.rdev !== statSync('/dev/null').rdev;
  } catch {
    // The kind of the output is unknown. Returns true, so that the full program prints the help.
    return true;
  }
}

/** Prints a text without streams, which take milliseconds to load. Returns false if it printed nothing. */
function printAtOnce(text: string): boolean {
  const bytes = Buffer.from(text);
  let written: number;
  try {
    written = process.getBuiltinModule('node:fs').writeSync(1, bytes);
  } catch {
    // This write failed. The full program tries again through a stream, and reports an error if that fails too.
    return false;
  }
  // If the pipe was full, a stream writes the remaining bytes as soon as the pipe has room.
  if (written < bytes.length) process.stdout.write(bytes.subarray(written));
  return true;
}

void start();
