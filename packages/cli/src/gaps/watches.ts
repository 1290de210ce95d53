import { type Fields, fieldsOf, type Remote } from '../kinds/kind.ts';

/** What of a rule decides whom it tells. */
interface Rule {
  enabled: boolean;
  trigger: string;
  channelIds: readonly string[];
}

/** Whether a rule tells somebody when a monitor goes down. */
export const watchesForDown = ({ enabled, trigger, channelIds }: Rule): boolean =>
  enabled && trigger === 'monitor_down' && channelIds.length > 0;

/** A rule as the server has it, with fields of the manifest over its own. */
export function ruleOf(remote: Remote | null, over: Fields = {}): Rule & { monitorIds: readonly string[] } {
  const fields = { ...(remote && fieldsOf(remote)), ...over };
  const ids = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
  return {
    enabled: fields['enabled'] === true,
    trigger: String(fields['trigger']),
    channelIds: ids(fields['channelIds']),
    monitorIds: ids(fields['monitorIds']),
  };
}
