import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The resources that a measured program has used. */
export interface Usage {
  /** Processor time since the start, in microseconds. */
  cpuMicros: number;
  /** The longest turn of the event loop since the last `reset`, in milliseconds. */
  longestTurnMs: number;
  rssBytes: number;
  heapUsedBytes: number;
  externalBytes: number;
}

/** A program in its own process that reports its use of processor and memory. */
export interface WatchedProcess {
  pid: number;
  /** Waits for a message that has this key, and returns its value. */
  message<T>(key: string): Promise<T>;
  send(message: string | object): void;
  usage(): Promise<Usage>;
  /** Waits until a line of the program's error output contains `part`, and returns the line. */
  says(part: string): Promise<string>;
  end(signal: NodeJS.Signals): Promise<void>;
}

const watcher = new URL('./watch-process.mjs', import.meta.url).href;

/**
 * Starts Node, or another program, with these arguments. The program does not get the UPTIME_* variables of this
 * process. Without `isWatched`, watch-process.mjs is not loaded into the program, so the program does not answer the
 * message `usage`.
 */
export function startWatched(
  args: readonly string[],
  env: Record<string, string> = {},
  { isWatched = true, program = process.execPath }: { isWatched?: boolean; program?: string } = {},
): WatchedProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UPTIME_'));
  const child: ChildProcess = spawn(program, [...(isWatched ? [`--import=${watcher}`] : []), ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    if (/"level":"(warn|error)"/.test(text)) process.stderr.write(text);
  });
  const ended = once(child, 'exit');
  const unlessEnded = async <T>(wanted: Promise<T>): Promise<T> => {
    const early = ended.then(([code, signal]) => {
      throw new Error(`A measured program ended too early (${code ?? signal}).\n${log}`);
    });
    return Promise.race([wanted, early]);
  };
  const messageWith = (key: string) =>
    new Promise<unknown>((resolve) => {
      const look = (message: object) => {
        if (!(key in message)) return;
        child.off('message', look);
        resolve((message as Record<string, unknown>)[key]);
      };
      child.on('message', look);
    });
  const message = async <T>(key: string) => (await unlessEnded(messageWith(key))) as T;
  return {
    pid: child.pid!,
    message,
    send: (what) => void child.send(what),
    usage() {
      const reported = message<Usage>('usage');
      child.send('usage');
      return reported;
    },
    says: (part) =>
      unlessEnded(
        new Promise((resolve) => {
          const look = () => {
            const line = log.split('\n').find((one) => one.includes(part) && one.endsWith('}'));
            if (line === undefined) return;
            child.stderr!.off('data', look);
            resolve(line);
          };
          child.stderr!.on('data', look);
          look();
        }),
      ),
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
