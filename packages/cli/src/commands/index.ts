import type { CliCommand } from './command.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { applyMonitors } from './monitors/apply.ts';
import { diffMonitors } from './monitors/diff.ts';
import { exportMonitors } from './monitors/export.ts';
import { getMonitor } from './monitors/get.ts';
import { listMonitors } from './monitors/list.ts';
import { testMonitors } from './monitors/test.ts';
import { validateMonitors } from './monitors/validate.ts';
import { ping } from './ping.ts';
import { whoami } from './whoami.ts';

/** Every command, in the order of the help. */
export const commands: readonly CliCommand[] = [
  login,
  logout,
  whoami,
  applyMonitors,
  diffMonitors,
  validateMonitors,
  testMonitors,
  exportMonitors,
  listMonitors,
  getMonitor,
  ping,
];
