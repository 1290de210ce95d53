import { getAlert, listAlertHistory } from './alert-history.ts';
import { alertRuleHandlers } from './alert-rules/index.ts';
import { changePassword, getSession, listSessions, revokeSession, signIn, signOut, signUp } from './auth.ts';
import { billingHandlers } from './billing/index.ts';
import { channelHandlers } from './channels/index.ts';
import { listDeliveries, redeliver } from './deliveries.ts';
import type { AllHandlers } from './handler.ts';
import { getHealth } from './health.ts';
import { getIncident, listIncidents } from './incidents/read.ts';
import { createIncident, deleteIncident, updateIncident } from './incidents/write.ts';
import { monitorPastHandlers } from './monitor-past/index.ts';
import { listMonitors } from './monitors/list.ts';
import { getMonitor } from './monitors/read.ts';
import { checkMonitor, createMonitor, deleteMonitor, updateMonitor } from './monitors/write.ts';
import { addProbe, listProbes, revokeProbe } from './probes.ts';
import { createProjectKey, deleteProjectKey, getCurrentKey, listProjectKeys } from './project-keys/project-keys.ts';
import { createProject, deleteProject, getProject, listProjects, regenerateApiKey, updateProject } from './projects.ts';
import { listRegions } from './regions.ts';
import { getStatusPage, listStatusPages } from './status-pages/read.ts';
import { verifyDomain } from './status-pages/verify-domain.ts';
import { createStatusPage, deleteStatusPage, updateStatusPage } from './status-pages/write.ts';
import { getUsage } from './usage.ts';

/**
 * The handler of each operation of the contract, except pings and the payment provider's webhook, which have routes in
 * the folder http.
 */
export const handlers: AllHandlers = {
  signUp,
  signIn,
  signOut,
  getSession,
  changePassword,
  listSessions,
  revokeSession,
  listProjects,
  getProject,
  createProject,
  updateProject,
  deleteProject,
  regenerateApiKey,
  listProjectKeys,
  getCurrentKey,
  createProjectKey,
  deleteProjectKey,
  listMonitors,
  getMonitor,
  createMonitor,
  updateMonitor,
  deleteMonitor,
  checkMonitor,
  ...monitorPastHandlers,
  ...channelHandlers,
  ...alertRuleHandlers,
  listAlertHistory,
  getAlert,
  listDeliveries,
  redeliver,
  listIncidents,
  getIncident,
  createIncident,
  updateIncident,
  deleteIncident,
  listStatusPages,
  getStatusPage,
  createStatusPage,
  updateStatusPage,
  deleteStatusPage,
  verifyDomain,
  listRegions,
  listProbes,
  addProbe,
  revokeProbe,
  ...billingHandlers,
  getUsage,
  getHealth,
};
