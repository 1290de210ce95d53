import * as z from 'zod';
import { alertRuleInput } from './alert-rules.ts';
import { channelInput } from './channels.ts';
import { instant, managedBy } from './fields.ts';
import { incidentInput } from './incidents.ts';
import { monitorInput } from './monitor-fields.ts';
import { statusPageInput } from './status-pages.ts';

/** The lists that a manifest may hold. */
export const manifestLists = ['monitors', 'channels', 'alertRules', 'statusPages', 'maintenance'] as const;
export type ManifestList = (typeof manifestLists)[number];

/** Fields that every item of a manifest may have. The server never gets them. */
export const manifestItemFields = {
  renamedFrom: z
    .string()
    .min(1)
    .max(200)
    .describe('The earlier key or name of this item. Apply then renames the object, so its history stays.'),
  monitorsWith: z
    .record(z.string(), z.string())
    .refine((labels) => Object.keys(labels).length > 0, 'a map with at least one label')
    .describe('Adds every monitor of the manifest that has all of these labels.'),
  overrides: z
    .record(z.string(), z.looseObject({}))
    .describe('Changed fields of this item, by the name of the environment. `--env` chooses the environment.'),
  forEach: z
    .union([z.array(z.unknown()), z.record(z.string(), z.array(z.unknown()))])
    .describe(
      'Makes one item for each entry of a list, or for each combination of the entries of several lists. `${each.name}` stands for the value of `name` in that entry or combination.',
    ),
};

const monitorNames = z.array(z.string()).max(1000).describe('Monitors, each by its key or name.');
const channelNames = z.array(z.string()).max(100).describe('Channels, each by its key or name.');

const alertRule = z
  .strictObject({
    ...alertRuleInput.omit({ managedBy: true, monitorIds: true, channelIds: true }).shape,
    monitors: monitorNames,
    channels: channelNames,
  })
  .meta({ id: 'ManifestAlertRule' });

const statusPage = z
  .strictObject({
    ...statusPageInput.omit({ managedBy: true, monitorIds: true }).shape,
    monitors: monitorNames.default([]),
  })
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
    managedBy: managedBy
      .unwrap()
      .unwrap()
      .optional()
      .describe(
        'A name for this manifest, such as the name of its repository. Apply then changes and deletes only objects with this name in `managedBy`.',
      ),
    include: z
      .union([z.string(), z.array(z.string())])
      .optional()
      .describe('Further files, by paths or patterns relative to this file.'),
    defaults: z
      .record(z.string(), z.looseObject({}))
      .optional()
      .describe('Defaults for the fields of items: by list (`monitors`) or by type (`http`).'),
    overrides: z
      .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
      .optional()
      .describe(
        'Changes for environments, by the name of the environment. Each can have `defaults`, and maps such as `monitors`. Such a map has the changed fields of each item, by the key or name of the item.',
      ),
  })
  .meta({
    id: 'Manifest',
    title: 'monitors.yaml',
    patternProperties: { '^x-': { description: 'Anything: a place for anchors. Apply ignores it.' } },
  });
