import { readFileSync } from 'node:fs';

/**
 * The lowest accepted limit of open files. An idle process has about 40 files open, and each running check opens two.
 */
const minOpenFiles = 128;

/** Explains why this limit of open files is too low; null if it is high enough. macOS reports `unlimited`. */
export function fileLimitFault(limit: number | 'unlimited' | undefined): string | null {
  if (typeof limit !== 'number' || limit >= minOpenFiles) return null;
  return (
    `uptimed needs at least ${minOpenFiles} open files, but this process may have only ${limit}. Raise the limit: ` +
    '`ulimit -n 65536` in the shell, `LimitNOFILE=65536` in a systemd unit, `--ulimit nofile=65536:65536` with Docker.'
  );
}

/**
 * How many files this process may open. Outside Linux, only Node's diagnostic report has this limit, and making the
 * report takes 2 ms.
 */
export function openFilesLimit({ report }: Pick<NodeJS.Process, 'report'>): number | 'unlimited' | undefined {
  const limits = limitsOfLinux();
  if (limits !== null) return limits;
  // Without this setting, the report would look up the host names of all connected peers.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: number | 'unlimited' } } };
  return userLimits?.open_files?.soft;
}

/** The limit in Linux's `/proc/self/limits`; null on a system without this file, such as macOS. */
function limitsOfLinux(): number | 'unlimited' | null {
  let text: string;
  try {
    text = readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return null;
  }
  const soft = /^Max open files +(\d+|unlimited) /m.exec(text)?.[1];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? soft : Number(soft);
}
