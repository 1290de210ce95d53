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
      'Start, a date and time with its zone; with the title it is what a window is found again by.',
    ),
    scheduledEnd: instant.describe('End, at which the window ends by itself.'),
    monitors: monitorNames.default([]),
  })
  .meta({ id: 'ManifestMaintenance' });

/** A `monitors.yaml` as a whole. References go by key or name instead of by id. */
export const manifest = z
  .strictObject({
    monitors: z.array(monitorInput).optional().describe('What is watched.'),
    channels: z.array(channelInput).optional().describe('Where alerts go.'),
    alertRules: z.array(alertRule).optional().describe('Which trouble goes to which channel.'),
    statusPages: z.array(statusPage).optional().describe('Public pages.'),
    maintenance: z.array(maintenance).optional().describe('Planned work, during which no alert is sent.'),
  })
  .meta({ id: 'Manifest', title: 'monitors.yaml' });
