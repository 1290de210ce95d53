/**
 * Sorts alerts or incidents: open ones come first, and the others follow from the latest to the oldest. With `open`,
 * returns only open ones. The server returns the oldest first.
 */
export const openFirst = <T extends { resolvedAt: string | null }>(
  all: readonly T[],
  { open }: { open: boolean },
): T[] => (open ? all.filter(isOpen) : all).toReversed().toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)));

const isOpen = ({ resolvedAt }: { resolvedAt: string | null }): boolean => resolvedAt === null;
