import type { CertificateState } from './parsed-certificate.ts';

/**
 * Returns warnings to the operator about certificates. The warnings do not name the domains, because the domains are
 * private data of the users.
 */
export function certificateWarnings(
  kept: readonly CertificateState[],
  heldUntil: number | null,
  now: number,
): string[] {
  const expired = kept.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now).length;
  const failing = kept.filter(({ error, expiresAt }) => error !== null && (expiresAt ?? 0) > now).length;
  return [
    ...(expired > 0 ? [`${counted(expired)} expired. The log says why no new one could be obtained.`] : []),
    ...(failing > 0 ? [`${counted(failing)} could not be renewed yet. The log says why.`] : []),
    ...(heldUntil === null
      ? []
      : [`The certificate authority accepts no orders until ${new Date(heldUntil).toISOString()}.`]),
  ];
}

const counted = (count: number): string =>
  count === 1 ? '1 certificate of a custom domain' : `${count} certificates of custom domains`;
