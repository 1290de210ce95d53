import type { Uptime, Usage } from '@uptime/sdk';

export type UsedLimit = Usage['limits'][number];

/** Returns a project's use of its plan's limits; null if the server does not support it. */
export async function readUsage(client: Uptime, signal: AbortSignal): Promise<Usage | null> {
  try {
    return await client.usage({ signal });
  } catch (error) {
    const { ApiError } = await import('@uptime/sdk');
    if (error instanceof ApiError && (error.status === 404 || error.status === 501)) return null;
    throw error;
  }
}

/** The name of a limit in words: `alertRules` is `alert rules`. */
export const wordsOf = ({ name }: Pick<UsedLimit, 'name'>): string =>
  name.replace('Megabytes', '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns an amount with the unit of its limit. */
export const amountOf = ({ unit }: Pick<UsedLimit, 'unit'>, amount: number): string =>
  unit === 'megabytes' ? `${amount} MB` : String(amount);
