/**
 * Sorts alerts or incidents: open ones first, then the latest. The server returns the oldest first. With `open`,
 * returns only open ones.
 */
export const openFirst = <T extends { resolvedAt: string | null }>(
  all: readonly T[],
  { open }: { open: boolean },
): T[] => (open ? all.filter(isOpen) : all).toReversed().toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));

const isOpen = ({ resolvedAt }: { resolvedAt: string | null }): boolean => resolvedAt === null;
