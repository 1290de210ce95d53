import { listDeliveries } from './alerts/deliveries.ts';
import { listAlerts } from './alerts/list.ts';
import { redeliver } from './alerts/redeliver.ts';
import { showAlert } from './alerts/show.ts';
import { checkout } from './billing/checkout.ts';
import { listPlans } from './billing/plans.ts';
import { showSubscription } from './billing/subscription.ts';
import { confirmChannel } from './channels/confirm.ts';
import { createChannel } from './channels/create.ts';
import { deleteChannel } from './channels/delete.ts';
import { getChannel } from './channels/get.ts';
import { listChannels } from './channels/list.ts';
import { testChannel } from './channels/test.ts';
import { updateChannel } from './channels/update.ts';
import type { CliCommand } from '../command.ts';
import { doctor } from './doctor/doctor.ts';
import { exec } from './exec/exec.ts';
import { createIncident } from './incidents/create.ts';
import { deleteIncident } from './incidents/delete.ts';
import { getIncident } from './incidents/get.ts';
import { listIncidents } from './incidents/list.ts';
import { resolveIncident } from './incidents/resolve.ts';
import { updateIncident } from './incidents/update.ts';
import { init } from './init/init.ts';
import { login } from './login/login.ts';
import { signup } from './login/signup.ts';
import { logout } from './logout.ts';
import { endMaintenance } from './maintenance/end.ts';
import { listMaintenance } from './maintenance/list.ts';
import { runInMaintenance } from './maintenance/run.ts';
import { scheduleMaintenance } from './maintenance/schedule.ts';
import { startMaintenance } from './maintenance/start.ts';
import { applyMonitors } from './monitors/apply.ts';
import { checkMonitor } from './monitors/check.ts';
import { createMonitor } from './monitors/create.ts';
import { deleteMonitor } from './monitors/delete.ts';
import { diffMonitors } from './monitors/diff.ts';
import { exportMonitors } from './monitors/export.ts';
import { getMonitor } from './monitors/get.ts';
import { monitorHistory } from './monitors/history.ts';
import { listMonitors } from './monitors/list.ts';
import { pauseMonitor } from './monitors/pause.ts';
import { resumeMonitor } from './monitors/resume.ts';
import { monitorStats } from './monitors/stats.ts';
import { testMonitors } from './monitors/test.ts';
import { updateMonitor } from './monitors/update.ts';
import { validateMonitors } from './monitors/validate.ts';
import { createPage } from './pages/create.ts';
import { deletePage } from './pages/delete.ts';
import { getPage } from './pages/get.ts';
import { listPages } from './pages/list.ts';
import { openPage } from './pages/open.ts';
import { updatePage } from './pages/update.ts';
import { verifyDomain } from './pages/verify-domain.ts';
import { ping } from './ping/ping.ts';
import { createProject } from './projects/create.ts';
import { deleteProject } from './projects/delete.ts';
import { getProject } from './projects/get.ts';
import { listProjects } from './projects/list.ts';
import { regenerateKey } from './projects/regenerate-key.ts';
import { updateProject } from './projects/update.ts';
import { useProjectCommand } from './projects/use.ts';
import { createRule } from './rules/create.ts';
import { deleteRule } from './rules/delete.ts';
import { getRule } from './rules/get.ts';
import { listRules } from './rules/list.ts';
import { updateRule } from './rules/update.ts';
import { listSessions } from './sessions/list.ts';
import { revokeSession } from './sessions/revoke.ts';
import { showUsage } from './usage.ts';
import { showVersion } from './version.ts';
import { whoami } from './whoami.ts';

/** Every command, in the order of the help. */
export const commands: readonly CliCommand[] = [
  signup,
  login,
  logout,
  whoami,
  listSessions,
  revokeSession,
  init,
  doctor,
  listProjects,
  getProject,
  createProject,
  updateProject,
  deleteProject,
  useProjectCommand,
  regenerateKey,
  applyMonitors,
  diffMonitors,
  validateMonitors,
  testMonitors,
  exportMonitors,
  listMonitors,
  getMonitor,
  createMonitor,
  updateMonitor,
  deleteMonitor,
  pauseMonitor,
  resumeMonitor,
  checkMonitor,
  monitorStats,
  monitorHistory,
  listChannels,
  getChannel,
  createChannel,
  updateChannel,
  deleteChannel,
  testChannel,
  confirmChannel,
  listRules,
  getRule,
  createRule,
  updateRule,
  deleteRule,
  listAlerts,
  showAlert,
  listDeliveries,
  redeliver,
  listIncidents,
  getIncident,
  createIncident,
  updateIncident,
  resolveIncident,
  deleteIncident,
  listMaintenance,
  startMaintenance,
  scheduleMaintenance,
  endMaintenance,
  runInMaintenance,
  listPages,
  getPage,
  createPage,
  updatePage,
  deletePage,
  openPage,
  verifyDomain,
  showUsage,
  listPlans,
  showSubscription,
  checkout,
  ping,
  exec,
  showVersion,
];
