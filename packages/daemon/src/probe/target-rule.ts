import type { CheckContext } from '../checks/index.ts';
import { createTargetGuard, type TargetPolicy } from '../checks/targets.ts';

/**
 * Returns a function that makes all later checks obey the server's rule for targets. Undefined means that the server
 * has sent no rule, so the present rule stays. A probe with a rule of its own ignores the server's rule, because an
 * operator may place a probe into a private network on purpose.
 */
export function createTargetRule(
  context: Pick<CheckContext, 'blockList'>,
  { config, ownTargets }: { config: { targets: TargetPolicy }; ownTargets: TargetPolicy | null },
): (serverPolicy: TargetPolicy | undefined) => void {
  let present = config.targets;
  return (serverPolicy) => {
    if (serverPolicy === undefined || serverPolicy === present || ownTargets !== null) return;
    present = serverPolicy;
    context.blockList = createTargetGuard(serverPolicy);
  };
}
