import { statSync } from 'node:fs';
import { platform } from 'node:os';
import type { Context } from '../../context.ts';
import type { SettingFlags } from '../../settings.ts';
import type { Finding } from './finding.ts';

/** Reports each setting and its source, and whether other users can read the settings file. */
export function examineSettings(flags: SettingFlags, context: Context): Finding[] {
  const { path, profile, siteUrl } = context.settings(flags);
  return [
    examineFile(path),
    { what: 'profile', state: 'ok', says: `${profile.value} (${profile.from})` },
    { what: 'site', state: 'ok', says: `${siteUrl.value} (${siteUrl.from})` },
  ];
}

function examineFile(path: string): Finding {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { what: 'file', state: 'ok', says: `${path} does not exist yet: log in to create it` };
  const mode = found.mode & 0o777;
  // Windows has no file modes that keep out other users.
  if (mode & 0o077 && platform() !== 'win32') {
    const says = `${path} may be read by others (mode ${mode.toString(8)})`;
    return { what: 'file', state: 'warning', says, next: `chmod 600 ${path}` };
  }
  return { what: 'file', state: 'ok', says: path };
}
