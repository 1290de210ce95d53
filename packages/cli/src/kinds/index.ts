import { alertRule } from './alert-rule.ts';
import { channel } from './channel.ts';
import type { Kind, KindName } from './kind.ts';
import { maintenanceWindow } from './maintenance-window.ts';
import { monitor } from './monitor.ts';
import { statusPage } from './status-page.ts';

/**
 * Every kind of object that a manifest can contain. Apply creates them in this order, so that an object exists before
 * other objects refer to it.
 */
export const kinds = { channel, monitor, alertRule, statusPage, maintenanceWindow } as const satisfies {
  [N in KindName]: Kind;
};

export const allKinds: readonly Kind[] = Object.values(kinds);
