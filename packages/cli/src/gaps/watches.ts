import { type Fields, fieldsOf, type Remote } from '../kinds/kind.ts';

/** The fields that decide whether a rule notifies a channel when a monitor goes down. */
interface Rule {
  enabled: boolean;
  trigger: string;
  channelIds: readonly string[];
}

/** Whether a rule notifies a channel when a monitor goes down. */
export const watchesForDown = ({ enabled, trigger, channelIds }: Rule): boolean =>
  enabled && trigger === 'monitor_down' && channelIds.length > 0;

/**
 * Returns a rule on the server, or an empty rule if `remote` is null. The fields in `over` come from the manifest, and
 * replace fields of the rule.
 */
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
