import { alertRule } from './alert-rule.ts';
import { channel } from './channel.ts';
import type { Kind, KindName } from './kind.ts';
import { maintenanceWindow } from './maintenance-window.ts';
import { monitor } from './monitor.ts';
import { statusPage } from './status-page.ts';

/** Every kind that a manifest can hold, in the order of an apply: what is named comes before what names it. */
export const kinds = { channel, monitor, alertRule, statusPage, maintenanceWindow } as const satisfies {
  [N in KindName]: Kind;
};

export const allKinds: readonly Kind[] = Object.values(kinds);
