import type { Uptime, Usage } from '@uptime/sdk';

export type UsedLimit = Usage['limits'][number];

/** Returns how much the project uses of each limit of its plan; null if the server cannot say. */
export async function readUsage(client: Uptime, signal: AbortSignal): Promise<Usage | null> {
  try {
    return await client.usage({ signal });
  } catch (error) {
    const { isUnknownRoute } = await import('../is-unknown-route.ts');
    if (isUnknownRoute(error)) return null;
    throw error;
  }
}

/** Returns the name of a limit as words: `alert rules` for `alertRules`. */
export const wordsOf = ({ name }: Pick<UsedLimit, 'name'>): string =>
  name.replace('Megabytes', '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns an amount with the unit of its limit. */
export const amountOf = ({ unit }: Pick<UsedLimit, 'unit'>, amount: number): string =>
  unit === 'megabytes' ? `${amount} MB` : String(amount);
