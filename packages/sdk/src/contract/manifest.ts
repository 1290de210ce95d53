import { z } from 'zod';
import { alertRuleInput } from './alert-rules.ts';
import { channelInput } from './channels.ts';
import { instant } from './fields.ts';
import { incidentInput } from './incidents.ts';
import { monitorInput } from './monitor-fields.ts';
import { statusPageInput } from './status-pages.ts';

/** The lists that a manifest may hold. */
export const manifestLists = ['monitors', 'channels', 'alertRules', 'statusPages', 'maintenance'] as const;
export type ManifestList = (typeof manifestLists)[number];

const monitorNames = z.array(z.string()).max(1000).describe('Monitors, each by its key or name.');
const channelNames = z.array(z.string()).max(100).describe('Channels, each by its key or name.');

const alertRule = z
  .strictObject({
    ...alertRuleInput.omit({ monitorIds: true, channelIds: true }).shape,
    monitors: monitorNames,
    channels: channelNames,
  })
  .meta({ id: 'ManifestAlertRule' });

const statusPage = z
  .strictObject({ ...statusPageInput.omit({ monitorIds: true }).shape, monitors: monitorNames.default([]) })
  .meta({ id: 'ManifestStatusPage' });

const maintenance = z
  .strictObject({
    ...incidentInput.pick({ title: true, message: true }).shape,
    scheduledStart: instant.describe(
      'Start, a date and time with its zone. Start and title together identify the window.',
    ),
    scheduledEnd: instant.describe('End, a date and time with its zone. The window then ends by itself.'),
    monitors: monitorNames.default([]),
  })
  .meta({ id: 'ManifestMaintenance' });

/** A whole `monitors.yaml`. References use keys or names instead of ids. */
export const manifest = z
  .strictObject({
    monitors: z.array(monitorInput).optional().describe('Monitors to watch.'),
    channels: z.array(channelInput).optional().describe('Channels that receive alerts.'),
    alertRules: z.array(alertRule).optional().describe('Rules that say which monitors alert which channels.'),
    statusPages: z.array(statusPage).optional().describe('Public status pages.'),
    maintenance: z.array(maintenance).optional().describe('Maintenance windows, during which no alert is sent.'),
  })
  .meta({ id: 'Manifest', title: 'monitors.yaml' });
