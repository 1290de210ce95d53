import { CliError } from '../exit.ts';

/** Maximum number of changes that a message lists one by one. */
const maxNamed = 20;

/**
 * The error for a plan that no longer matches the manifest, the environment or the server. `moved` lists what has
 * changed.
 */
export class StalePlan extends CliError {
  readonly moved: readonly string[];

  constructor(moved: readonly string[]) {
    const more = moved.length > maxNamed ? [`and ${moved.length - maxNamed} more`] : [];
    const lines = [...moved.slice(0, maxNamed), ...more].map((line) => `  ${line}`);
    super(['PLAN_STALE: the plan does not fit any more; nothing was changed', ...lines].join('\n'), {
      exit: 'stale',
      next: 'make a new plan with `uptime apply --out`, and review it',
    });
    this.moved = moved;
  }
}
