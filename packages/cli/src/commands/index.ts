import { callApi } from './api/api.ts';
import { listDeliveries } from './alerts/deliveries.ts';
import { redeliver } from './alerts/redeliver.ts';
import { checkout } from './billing/checkout.ts';
import { listPlans } from './billing/plans.ts';
import { showSubscription } from './billing/subscription.ts';
import { confirmChannel } from './channels/confirm.ts';
import { testChannel } from './channels/test.ts';
import type { CliCommand } from '../command.ts';
import { alerts } from '../nouns/alerts.ts';
import { channels } from '../nouns/channels.ts';
import { incidents } from '../nouns/incidents.ts';
import { keys } from '../nouns/keys.ts';
import { maintenance } from '../nouns/maintenance.ts';
import { monitors } from '../nouns/monitors.ts';
import { pages } from '../nouns/pages.ts';
import { probes } from '../nouns/probes.ts';
import { projects } from '../nouns/projects.ts';
import { regions } from '../nouns/regions.ts';
import { rules } from '../nouns/rules.ts';
import { sessions } from '../nouns/sessions.ts';
import { create } from '../verbs/create.ts';
import { remove } from '../verbs/delete.ts';
import { get } from '../verbs/get.ts';
import { list } from '../verbs/list.ts';
import { update } from '../verbs/update.ts';
import { completion } from './completion.ts';
import { doctor } from './doctor/doctor.ts';
import { exec } from './exec/exec.ts';
import { importMonitors } from './import/import.ts';
import { resolveIncident } from './incidents/resolve.ts';
import { init } from './init/init.ts';
import { createKey } from './keys/create.ts';
import { login } from './login/login.ts';
import { signup } from './login/signup.ts';
import { logout } from './logout.ts';
import { endMaintenance } from './maintenance/end.ts';
import { runInMaintenance } from './maintenance/run.ts';
import { scheduleMaintenance } from './maintenance/schedule.ts';
import { startMaintenance } from './maintenance/start.ts';
import { serveMcp } from './mcp/mcp.ts';
import { applyMonitors } from './monitors/apply.ts';
import { checkMonitor } from './monitors/check.ts';
import { diffMonitors } from './monitors/diff.ts';
import { exportMonitors } from './monitors/export.ts';
import { pullMonitors } from './monitors/pull.ts';
import { monitorHistory } from './monitors/history.ts';
import { pauseMonitor, resumeMonitor } from './monitors/set-paused.ts';
import { monitorStats } from './monitors/stats.ts';
import { testMonitors } from './monitors/test.ts';
import { validateMonitors } from './monitors/validate.ts';
import { openPage } from './pages/open.ts';
import { verifyDomain } from './pages/verify-domain.ts';
import { ping } from './ping/ping.ts';
import { addProbe } from './probes/add.ts';
import { revokeProbe } from './probes/revoke.ts';
import { regenerateKey } from './projects/regenerate-key.ts';
import { useProjectCommand } from './projects/use.ts';
import { revokeSession } from './sessions/revoke.ts';
import { showStatus } from './status/status.ts';
import { showUsage } from './usage.ts';
import { showVersion } from './version.ts';
import { waitForMonitors } from './wait/wait.ts';
import { watchMonitors } from './watch/watch.ts';
import { whoami } from './whoami.ts';

/** Every command. The help lists them in this order. */
export const commands: readonly CliCommand[] = [
  signup,
  login,
  logout,
  whoami,
  list(sessions),
  revokeSession,
  init,
  doctor,
  list(projects),
  get(projects),
  create(projects),
  update(projects),
  remove(projects),
  useProjectCommand,
  regenerateKey,
  list(keys),
  createKey,
  remove(keys),
  applyMonitors,
  diffMonitors,
  validateMonitors,
  testMonitors,
  exportMonitors,
  pullMonitors,
  importMonitors,
  showStatus,
  list(monitors),
  get(monitors),
  create(monitors),
  update(monitors),
  remove(monitors),
  pauseMonitor,
  resumeMonitor,
  checkMonitor,
  monitorStats,
  monitorHistory,
  waitForMonitors,
  watchMonitors,
  list(channels),
  get(channels),
  create(channels),
  update(channels),
  remove(channels),
  testChannel,
  confirmChannel,
  list(rules),
  get(rules),
  create(rules),
  update(rules),
  remove(rules),
  list(alerts),
  get(alerts),
  listDeliveries,
  redeliver,
  list(incidents),
  get(incidents),
  create(incidents),
  update(incidents),
  resolveIncident,
  remove(incidents),
  list(maintenance),
  startMaintenance,
  scheduleMaintenance,
  endMaintenance,
  runInMaintenance,
  list(pages),
  get(pages),
  create(pages),
  update(pages),
  remove(pages),
  openPage,
  verifyDomain,
  list(regions),
  list(probes),
  addProbe,
  revokeProbe,
  showUsage,
  listPlans,
  showSubscription,
  checkout,
  ping,
  exec,
  callApi,
  serveMcp,
  completion,
  showVersion,
];
